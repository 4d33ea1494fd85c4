"""AT-SPI role names and the roles a pack knows (docs/pack.md)."""

PACK_ROLES = frozenset(
    (
        "push button,toggle button,check box,radio button,switch,menu bar,menu,menu item,check menu item,"
        "radio menu item,page tab list,page tab,entry,password text,text,spin button,combo box,slider,scroll bar,"
        "progress bar,level bar,list,list item,table,table cell,table row,column header,row header,tree,tree item,"
        "icon,image,link,label,heading,tool bar,status bar,title bar,document,terminal,panel,dialog,separator,"
        "calendar,color chooser,canvas"
    ).split(",")
)

# Other names of the same things. Layout boxes become panels; they are only kept with a name.
ALIASES = {
    "button": "push button",
    "push button menu": "push button",
    "tool item": "push button",
    "split button": "push button",
    "menu button": "toggle button",
    "dial": "slider",
    "tearoff menu item": "menu item",
    "popup menu": "menu",
    "list box": "list",
    "tree table": "tree",
    "table column header": "column header",
    "table row header": "row header",
    "desktop icon": "icon",
    "drawing area": "canvas",
    "static": "label",
    "caption": "label",
    "paragraph": "text",
    "editbar": "entry",
    "autocomplete": "entry",
    "date editor": "entry",
    "tool tip": "label",
    "tooltip": "label",
    "accelerator label": "label",
    "document frame": "document",
    "document web": "document",
    "document text": "document",
    "document spreadsheet": "document",
    "document presentation": "document",
    "document email": "document",
    "html container": "document",
    "article": "panel",
    "alert": "dialog",
    "file chooser": "dialog",
    "progress monitor": "progress bar",
    "rating": "slider",
    "header": "panel",
    "description term": "label",
    "description value": "label",
    "form": "panel",
    "landmark": "panel",
    "section": "panel",
    "grouping": "panel",
    "info bar": "panel",
    "notification": "panel",
    "option pane": "panel",
    "font chooser": "panel",
    "chart": "canvas",
    "animation": "image",
    "internal frame": "panel",
    "scroll pane": "panel",
    "block quote": "panel",
    "footer": "panel",
    "comment": "panel",
    "list of items": "list",
    "frame": "panel",
    "window": "panel",
    "filler": "panel",
    "split pane": "panel",
    "layered pane": "panel",
    "viewport": "panel",
    "root pane": "panel",
    "content deletion": "text",
    "description list": "list",
    "definition": "label",
    "time": "label",
    "figure": "image",
    "log": "panel",
    "timer": "label",
}

ACTIONABLE = frozenset(
    (
        "push button,toggle button,check box,radio button,switch,menu,menu item,check menu item,radio menu item,"
        "page tab,entry,password text,spin button,combo box,slider,scroll bar,list item,table cell,table row,"
        "column header,row header,tree item,icon,link,calendar,color chooser,terminal"
    ).split(",")
)

# Containers and surfaces: worth recording although they scroll, are large, or look empty.
SURFACES = frozenset(
    (
        "menu bar,page tab list,text,list,table,tree,image,tool bar,status bar,title bar,document,terminal,panel,"
        "dialog,calendar,canvas,entry,password text,scroll bar,progress bar,level bar,table row,slider,"
        "spin button,combo box"
    ).split(",")
)

MENU_ITEMS = frozenset(("menu item", "check menu item", "radio menu item"))
CHECKABLE = frozenset(("check box", "radio button", "switch", "check menu item", "radio menu item"))
OF_TABLES = frozenset(("table cell", "table row", "column header", "row header"))
# Roots of texts and pages (AT-SPI names), whose tables are content. A spreadsheet's cells are controls.
TEXT = "document text"
PAGES = frozenset(("document web", "document email", "html container"))
BUTTONS = (
    frozenset(("push button", "toggle button", "check box", "radio button", "switch", "link", "page tab")) | MENU_ITEMS
)
# Qt: the least height of a checkable tool button, and the least size of a checkable group.
TOOL_BUTTON_PX, GROUP_PX = 24, (200, 60)


def pack_role(atspi_role: str) -> str:
    """The pack's role; unknown ones are layout."""
    role = ALIASES.get(atspi_role, atspi_role)
    return role if role in PACK_ROLES else "panel"


def is_tool_button(wide: int, high: int) -> bool:
    """Qt calls every checkable button a check box. One with a mark is a line high (a group with a mark in its title:
    large); tool buttons are higher, or wider than high without room for a label."""
    if wide >= GROUP_PX[0] and high >= GROUP_PX[1]:
        return False
    return high >= TOOL_BUTTON_PX or high + 3 <= wide <= 32
