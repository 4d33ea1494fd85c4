"""Reads a window's accessibility tree from AT-SPI: boxes on the screen, toolkits' offsets corrected."""

import time

from . import gtk4_offsets, x11
from .atspi import Atspi, GLib
from .boxes import Box, height, intersection, width
from .screen import Popup
from .tree import Node, Tree, shift_libreoffice

STATES = {
    name: getattr(Atspi.StateType, name.upper())
    for name in (
        "showing visible enabled sensitive focusable focused checked selected selectable expanded expandable editable"
        " active pressed checkable has_popup modal indeterminate manages_descendants multi_line single_line"
    ).split()
    if hasattr(Atspi.StateType, name.upper())
}
TEXT_ROLES = (
    "text",
    "entry",
    "password text",
    "terminal",
    "document text",
    "spin button",
    "paragraph",
    "combo box",
    "table cell",
)
VALUE_ROLES = ("slider", "spin button", "progress bar", "scroll bar", "level bar", "dial")
MAX_NODES = 6000
MAX_SECONDS = 25.0
# A table without a visible end is left after this many children beyond the visible part.
OVERRUN = 40


def applications() -> list:
    desktop = Atspi.get_desktop(0)
    out = []
    for i in range(desktop.get_child_count()):
        try:
            app = desktop.get_child_at_index(i)
            if app is not None:
                out.append(app)
        except GLib.Error:
            continue
    return out


def _children(handle, count: int):
    for i in range(count):
        try:
            child = handle.get_child_at_index(i)
        except GLib.Error:
            continue
        if child is not None:
            yield child


def _matching_roots(window, popups):
    """The window's own root and the roots of its open popups, the own one first."""
    owner, name, client, frame = x11.pid(window), x11.title(window), x11.box_of(window), x11.frame_box(window)
    own, extra = [], []
    for app in applications():
        try:
            same_process = app.get_process_id() == owner
            count = app.get_child_count()
        except GLib.Error:
            continue
        app.clear_cache()
        for root in _children(app, count):
            try:
                component = root.get_component_iface()
                extents = [component.get_extents(kind) for kind in (Atspi.CoordType.WINDOW, Atspi.CoordType.SCREEN)]
                states = root.get_state_set()
                showing = states.contains(Atspi.StateType.SHOWING)
                same_size = any(
                    abs(e.width - width(b)) < 8 and abs(e.height - height(b)) < 8
                    for b in (client, frame)
                    for e in extents
                )
                score = (
                    3 * (root.get_name() == name)
                    + 3 * same_size
                    + showing
                    + states.contains(Atspi.StateType.ACTIVE)
                    + 2 * same_process
                )
                if (
                    root.get_name() == name
                    or same_size
                    or (
                        same_process
                        and showing
                        and root.get_role_name() in ("frame", "dialog", "alert", "file chooser")
                    )
                ):
                    own.append((score, len(own), app, root))
                if (
                    showing
                    and same_process
                    and root.get_role_name() in ("window", "popup menu", "menu", "combo box", "tool tip", "list")
                ):
                    extra.append((app, root))
            except (GLib.Error, AttributeError):
                continue
    if not own:
        return None, []
    own.sort(key=lambda entry: (-entry[0], entry[1]))
    _, _, app, main = own[0]
    return (app, main), [root for _, root in extra if root != main] if popups else []


def read(window, popups: list[Popup]) -> Tree:
    """Empty `nodes` if the program tells nothing about this window."""
    main, extra = _matching_roots(window, popups)
    if main is None:
        return Tree([], "unknown", "", 0)
    app, root = main
    toolkit, version = _toolkit(app, x11.pid(window))
    gtk4 = gtk4_offsets.is_gtk4(toolkit, version)
    reader = _Reader(gtk4)
    for top in [root, *extra]:
        reader.visit(top, -1, 0, None)
    tree = Tree(reader.nodes, f"{toolkit} {version}".strip(), _name(app), 0)
    if gtk4:
        gtk4_offsets.place(tree, x11.frame_box(window), popups)
    shift_libreoffice(tree)
    return tree


# What programs have told of themselves: GTK 4 stops answering this once some of its windows have closed.
_toolkits: dict[int, tuple[str, str]] = {}


def _name(app) -> str:
    try:
        return app.get_name() or ""
    except GLib.Error:
        return ""


def _toolkit(app, process: int) -> tuple[str, str]:
    try:
        _toolkits[process] = app.get_toolkit_name() or "unknown", app.get_toolkit_version() or ""
    except GLib.Error:
        if process not in _toolkits:
            raise
    return _toolkits[process]


class _Reader:
    def __init__(self, gtk4: bool):
        self.nodes: list[Node] = []
        self.gtk4 = gtk4
        self.coordinates = Atspi.CoordType.WINDOW if gtk4 else Atspi.CoordType.SCREEN
        self.deadline = time.time() + MAX_SECONDS

    def _extents(self, handle) -> Box | None:
        component = handle.get_component_iface()
        if component is None:
            return None
        r = component.get_extents(self.coordinates)
        return (r.x, r.y, r.x + r.width, r.y + r.height) if r.width > 0 and r.height > 0 else None

    def visit(self, handle, parent: int, depth: int, clip: Box | None) -> Node | None:
        if len(self.nodes) >= MAX_NODES or time.time() > self.deadline:
            return None
        try:
            state_set = handle.get_state_set()
            states = {name for name, state in STATES.items() if state_set.contains(state)}
            # GTK 4 never sets SHOWING on children.
            if self.gtk4 and "visible" in states:
                states.add("showing")
            role = handle.get_role_name()
            node = Node(
                role,
                handle.get_name() or "",
                handle.get_description() or "",
                states,
                self._extents(handle),
                parent,
                depth,
                handle,
            )
            count = handle.get_child_count()
        except (GLib.Error, AttributeError):
            return None
        self._read_content(node)
        me = len(self.nodes)
        self.nodes.append(node)
        # Hidden branches are not entered, except menus: GTK 2 does not mark the items of an open menu as showing.
        if "showing" not in states and role != "menu" and depth > 1:
            return node
        if role == "page tab":
            # A page's content is the child of its tab in GTK, though it lies beside it.
            pass
        elif node.box and clip and depth > 0:
            clip = intersection(clip, node.box) or clip
        elif node.box:
            clip = node.box
        self._visit_children(handle, me, depth, clip, count, "manages_descendants" in states or count > 300)
        return node

    def _visit_children(self, handle, me, depth, clip, count, large) -> None:
        if large and count > 5000:
            self._visit_grid(handle, me, depth, clip)
            return
        beyond = 0
        for child in _children(handle, count):
            seen = self.visit(child, me, depth + 1, clip)
            if large and seen is not None and clip and seen.box:
                beyond = 0 if intersection(seen.box, clip) else beyond + 1
                if beyond > OVERRUN and seen.box[1] >= clip[3]:
                    return

    def _visit_grid(self, handle, me, depth, clip) -> None:
        """The visible cells of a spreadsheet, found from the first one by row and column."""
        table = handle.get_table_iface()
        if table is None or clip is None:
            return
        try:
            first = Atspi.Component.get_accessible_at_point(
                handle.get_component_iface(), clip[0] + 4, clip[1] + 4, self.coordinates
            )
            index = first.get_index_in_parent() if first else 0
            # LibreOffice may take the point for one some rows below: begin a little above.
            row0 = max(0, Atspi.Table.get_row_at_index(table, index) - 3)
            column0 = max(0, Atspi.Table.get_column_at_index(table, index))
            for row in range(row0, row0 + 80):
                for column in range(column0, column0 + 40):
                    cell = Atspi.Table.get_accessible_at(table, row, column)
                    node = self.visit(cell, me, depth + 1, clip)
                    if node is None or (node.box and node.box[1] >= clip[3]):
                        return
                    if node.box is None or node.box[0] >= clip[2]:
                        break
        except (GLib.Error, AttributeError):
            return

    def _read_content(self, node: Node) -> None:
        handle = node.handle
        try:
            if node.role in VALUE_ROLES:
                value = handle.get_value_iface()
                if value is not None:
                    get = Atspi.Value
                    node.value = (
                        get.get_current_value(value),
                        get.get_minimum_value(value),
                        get.get_maximum_value(value),
                        get.get_minimum_increment(value),
                    )
            if node.role in TEXT_ROLES and "showing" in node.states:
                text = handle.get_text_iface()
                if text is not None:
                    node.text = Atspi.Text.get_text(text, 0, min(200, Atspi.Text.get_character_count(text)))
            if not node.name.strip():
                node.name = _label_of(handle)
        except (GLib.Error, AttributeError):
            pass


def _label_of(handle) -> str:
    """What a nameless element is labelled by, or the hint that an empty entry shows."""
    for relation in handle.get_relation_set():
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY and relation.get_n_targets():
            return relation.get_target(0).get_name() or ""
    return (handle.get_attributes() or {}).get("placeholder-text", "")
