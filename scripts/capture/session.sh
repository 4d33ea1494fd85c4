#!/bin/bash
# The desktop of one session: X server, session bus, accessibility bus, theme, window manager; then COMMAND..
# Runs as the demo user inside sandbox.sh. LOOK_* say which look.
if [ "${1:-}" != --on-the-bus ]; then
  export DISPLAY=:7 LANG=$CAPTURE_LOCALE LC_ALL=$CAPTURE_LOCALE LANGUAGE=en TZ=UTC XDG_SESSION_TYPE=x11 XDG_SESSION_ID=1
  export GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb GTK_MODULES=gail:atk-bridge GNOME_ACCESSIBILITY=1 ACCESSIBILITY_ENABLED=1
  export QT_ACCESSIBILITY=1 QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
  export QT_AUTO_SCREEN_SCALE_FACTOR=0 QT_SCALE_FACTOR=1 GDK_SCALE=1
  export LIBGL_ALWAYS_SOFTWARE=1 GSK_RENDERER=cairo SAL_USE_VCLPLUGIN=gtk3 SAL_DISABLE_OPENCL=1 NO_EM_RESTART=1
  export GTK_OVERLAY_SCROLLING=0 LIBOVERLAY_SCROLLBAR=0 GSETTINGS_BACKEND=dconf WEBKIT_DISABLE_COMPOSITING_MODE=1
  if [ "$LOOK_WM" = kwin ]; then
    export XDG_CURRENT_DESKTOP=KDE KDE_FULL_SESSION=true KDE_SESSION_VERSION=5 QT_QPA_PLATFORMTHEME=kde KWIN_COMPOSE=O2
  else
    export XDG_CURRENT_DESKTOP=XFCE QT_STYLE_OVERRIDE=$LOOK_QT_STYLE QT_QPA_PLATFORMTHEME=gtk3
  fi
  Xvfb $DISPLAY -screen 0 2560x1440x24 -dpi 96 -nolisten tcp +extension Composite +extension RANDR \
    +extension RENDER +extension GLX -noreset >/tmp/xvfb.log 2>&1 &
  server=$!
  for _ in $(seq 100); do xdpyinfo >/dev/null 2>&1 && break; sleep .1; done
  dbus-run-session -- /bin/bash "$0" --on-the-bus "$@"
  code=$?
  kill $server
  exit $code
fi
shift

setting() { gsettings set "$@" 2>/dev/null; }
setting org.gnome.desktop.interface toolkit-accessibility true
setting org.gnome.desktop.interface enable-animations false
setting org.gnome.desktop.interface cursor-blink false
setting org.gnome.desktop.interface overlay-scrolling false
setting org.gnome.desktop.interface font-name "$LOOK_FONT"
setting org.gnome.desktop.interface document-font-name "$LOOK_FONT"
setting org.gnome.desktop.interface monospace-font-name 'DejaVu Sans Mono 10'
setting org.gnome.desktop.interface gtk-theme "$LOOK_THEME"
setting org.gnome.desktop.interface icon-theme "$LOOK_ICONS"
setting org.gnome.desktop.interface color-scheme "$([ "$LOOK_DARK" = 1 ] && echo prefer-dark || echo default)"
setting org.gnome.desktop.wm.preferences button-layout ':minimize,maximize,close'
for version in 3 4; do
  theme=$LOOK_THEME
  [ -d "/usr/share/themes/$theme/gtk-$version.0" ] || theme=Default
  mkdir -p "$HOME/.config/gtk-$version.0"
  cat >"$HOME/.config/gtk-$version.0/settings.ini" <<INI
[Settings]
gtk-theme-name=$theme
gtk-icon-theme-name=$LOOK_ICONS
gtk-application-prefer-dark-theme=$LOOK_DARK
gtk-enable-animations=0
gtk-cursor-blink=0
gtk-overlay-scrolling=0
gtk-font-name=$LOOK_FONT
gtk-decoration-layout=:minimize,maximize,close
INI
done
cat >"$HOME/.gtkrc-2.0" <<INI
gtk-theme-name="$LOOK_THEME"
gtk-icon-theme-name="$LOOK_ICONS"
gtk-font-name="$LOOK_FONT"
INI

/usr/libexec/at-spi-bus-launcher --launch-immediately --a11y=1 >/dev/null 2>&1 &
sleep .4
for flag in IsEnabled ScreenReaderEnabled; do
  dbus-send --session --dest=org.a11y.Bus --print-reply /org/a11y/bus org.freedesktop.DBus.Properties.Set \
    string:org.a11y.Status string:$flag variant:boolean:true >/dev/null 2>&1
done

case $LOOK_WM in
xfwm4)
  /usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd >/dev/null 2>&1 &
  sleep .3
  conf() { xfconf-query -c "$1" -p "$2" -n -t "$3" -s "$4" >/dev/null 2>&1; }
  conf xfwm4 /general/theme string "$LOOK_WM_THEME"
  conf xfwm4 /general/title_font string "${LOOK_FONT% *} Semi-Bold ${LOOK_FONT##* }"
  conf xfwm4 /general/button_layout string "|HMC"
  conf xfwm4 /general/placement_ratio int 100
  conf xfwm4 /general/vblank_mode string off
  for on in use_compositing show_frame_shadow show_popup_shadow; do conf xfwm4 /general/$on bool true; done
  for off in snap_to_border snap_to_windows tile_on_move easy_click_grab; do conf xfwm4 /general/$off bool false; done
  conf xsettings /Net/ThemeName string "$LOOK_THEME"
  conf xsettings /Net/IconThemeName string "$LOOK_ICONS"
  conf xsettings /Net/CursorBlink bool false
  conf xsettings /Gtk/FontName string "$LOOK_FONT"
  conf xsettings /Gtk/MonospaceFontName string "DejaVu Sans Mono 10"
  conf xsettings /Gtk/DecorationLayout string ":minimize,maximize,close"
  conf xsettings /Gtk/DialogsUseHeader bool false
  conf xsettings /Gtk/Modules string "gail:atk-bridge"
  conf xsettings /Xft/Antialias int 1
  conf xsettings /Xft/Hinting int 1
  conf xsettings /Xft/HintStyle string hintslight
  conf xsettings /Xft/RGBA string none
  conf xsettings /Xft/DPI int 96
  xfsettingsd --no-daemon --disable-wm-check >/dev/null 2>&1 &
  xfwm4 --compositor=on --vblank=off --replace >/tmp/xfwm4.log 2>&1 &
  ;;
kwin)
  scheme=BreezeLight
  [ "$LOOK_DARK" = 1 ] && scheme=BreezeDark
  font="${LOOK_FONT% *},${LOOK_FONT##* },-1,5"
  cp "/usr/share/color-schemes/$scheme.colors" "$HOME/.config/kdeglobals"
  cat >>"$HOME/.config/kdeglobals" <<INI

[General]
ColorScheme=$scheme
font=$font,50,0,0,0,0,0
fixed=DejaVu Sans Mono,10,-1,5,50,0,0,0,0,0
menuFont=$font,50,0,0,0,0,0
toolBarFont=$font,50,0,0,0,0,0
[KDE]
widgetStyle=Breeze
AnimationDurationFactor=0
[WM]
activeFont=$font,63,0,0,0,0,0
[Icons]
Theme=$LOOK_ICONS
INI
  # No programs asking for a place to keep passwords.
  printf '[Wallet]\nEnabled=false\nFirst Use=false\n' >"$HOME/.config/kwalletrc"
  # Chromium's own frame has transparent edges here.
  /usr/bin/python3 -B - "$HOME/.chromium-demo/Default/Preferences" <<'PY'
import json, pathlib, sys
path = pathlib.Path(sys.argv[1])
path.parent.mkdir(parents=True, exist_ok=True)
known = json.loads(path.read_text()) if path.is_file() else {}
path.write_text(json.dumps(known | {"browser": {"custom_chrome_frame": False}}))
PY
  # The software renderer is what there is; without effects that fade or slide.
  cat >"$HOME/.config/kwinrc" <<INI
[Compositing]
Backend=OpenGL
Enabled=true
OpenGLIsUnsafe=false
WindowsBlockCompositing=false
[Plugins]
fadeEnabled=false
scaleEnabled=false
slidingpopupsEnabled=false
fadingpopupsEnabled=false
loginEnabled=false
squashEnabled=false
maximizeEnabled=false
dialogparentEnabled=false
INI
  kwin_x11 --replace >/tmp/kwin.log 2>&1 &
  ;;
esac
sleep 1
"$@"
