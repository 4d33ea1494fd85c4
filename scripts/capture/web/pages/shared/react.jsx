// Parts made with React: each is a root of its own in a plain element.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { expose, h } from "./base.js";

/** A host with a component in it; `wrap` puts the library's providers around it. */
export function host(wrap) {
  return (part, told = {}) => {
    const node = h("div", told);
    flushSync(() => createRoot(node).render(wrap(part)));
    return node;
  };
}

/** A value of a control, told to the tool under the control's name. */
export function useValue(name, first) {
  const [value, set] = useState(first);
  expose(name, () => value);
  return [value, set];
}
