#!/bin/bash
# One capture session, closed off from the machine: own host name, processes, network, /tmp and home.
# Root starts it inside fresh namespaces (see sandbox.py):  sandbox.sh JOB MASK.. -- COMMAND..
#   JOB   folder with home/ (the demo home of this session), code/ and out/
#   MASK  folders that no captured window may show
set -eu
job=$1; shift
user=${CAPTURE_USER:-alex}
mount --make-rprivate /
hostname orchard
ip link set lo up
mount --bind "$job/home" "/home/$user"
mkdir -p /srv/capture
mount --bind "$job" /srv/capture
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=755 tmpfs /run/user
mkdir -p "/run/user/$(id -u "$user")" /tmp/.X11-unix
chmod 1777 /tmp/.X11-unix
chown "$user:" "/run/user/$(id -u "$user")"
chmod 700 "/run/user/$(id -u "$user")"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mount -t tmpfs -o mode=755 tmpfs "$1"; fi
  shift
done
shift
cd "/home/$user"
exec runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/sbin:/sbin \
  HOME="/home/$user" USER="$user" LOGNAME="$user" SHELL=/bin/bash XDG_RUNTIME_DIR="/run/user/$(id -u "$user")" \
  LOOK_THEME="$LOOK_THEME" LOOK_DARK="$LOOK_DARK" LOOK_WM="$LOOK_WM" LOOK_WM_THEME="$LOOK_WM_THEME" \
  LOOK_ICONS="$LOOK_ICONS" LOOK_QT_STYLE="$LOOK_QT_STYLE" \
  /bin/bash /srv/capture/code/capture/session.sh "$@"
