"""The looks a program is captured in: theme, window manager, light or dark."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    name: str
    theme: str  # GTK theme, and the theme's name in the capture
    dark: bool
    wm: str  # "xfwm4" or "kwin"
    wm_theme: str
    icons: str
    qt_style: str
    twin: str | None  # the look of the other brightness

    @property
    def frame_style(self) -> str:
        return f"{self.wm}-{self.wm_theme}"


LOOKS = {
    look.name: look
    for look in (
        Look("yaru", "Yaru", False, "xfwm4", "Yaru", "Yaru", "Adwaita", "yaru-dark"),
        Look("yaru-dark", "Yaru-dark", True, "xfwm4", "Yaru-dark", "Yaru-dark", "Adwaita-Dark", "yaru"),
        Look("arc", "Arc", False, "xfwm4", "Arc", "Papirus", "Fusion", "arc-dark"),
        Look("arc-dark", "Arc-Dark", True, "xfwm4", "Arc-Dark", "Papirus-Dark", "Adwaita-Dark", "arc"),
        Look("materia", "Materia-light", False, "xfwm4", "Materia-light", "Papirus", "Fusion", "materia-dark"),
        Look("materia-dark", "Materia-dark", True, "xfwm4", "Materia-dark", "Papirus-Dark", "Adwaita-Dark", "materia"),
        Look("orchis", "Orchis-Light", False, "xfwm4", "Orchis-Light", "Papirus", "Adwaita", "orchis-dark"),
        Look("orchis-dark", "Orchis-Dark", True, "xfwm4", "Orchis-Dark", "Papirus-Dark", "Adwaita-Dark", "orchis"),
        Look("breeze", "Breeze", False, "kwin", "Breeze", "breeze", "Breeze", "breeze-dark"),
        Look("breeze-dark", "Breeze-Dark", True, "kwin", "Breeze", "breeze-dark", "Breeze", "breeze"),
    )
}
