// Parts made with React: each is a root of its own in a plain element.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { expose, h, is } from "./base.js";
import { markThumb } from "./widgets.js";

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

/** A range with two handles: `draw` gets the values and what sets them; each `[role=slider]` becomes a control. */
export function Range({ spec, tell, draw, style }) {
  const [value, set] = useValue(spec.n, spec.v);
  tell(value);
  const reads = [() => value[0], () => value[1]];
  expose(`${spec.n} from`, reads[0]);
  expose(`${spec.n} to`, reads[1]);
  const mark = (node) => node && [...node.querySelectorAll("[role=slider]")].forEach((thumb, n) => markThumb(thumb, spec, n, reads[n]));
  return <div ref={mark} style={style}>{draw({ min: spec.min ?? 0, max: spec.max ?? 100, step: spec.step || 10, value, onChange: set })}</div>;
}

/** A month: `days` finds its cells, which get their day as value; `told` says more of the control. */
export function Month({ spec, days, told, style, draw }) {
  const [value, set] = useValue(spec.n, String(spec.v));
  const mark = (node) => node && [...node.querySelectorAll(days)].forEach((day) => { day.dataset.value = day.textContent.trim().replace(/^0/, ""); });
  return <div {...is("date_picker", spec, told)} style={style} ref={mark}>{draw(value, set)}</div>;
}
