#!/bin/bash
# One capture session, closed off from the machine: own host name, processes, network, root folder, /tmp and home.
# Root starts it inside fresh namespaces (see sandbox.py):  sandbox.sh JOB COMMAND..
#   JOB   folder with home/ (the demo home of this session), code/ and out/
set -eu
shopt -s dotglob nullglob
job=$1; shift
account=$CAPTURE_ACCOUNT   # of the machine
user=$CAPTURE_USER         # what it is called inside
mount --make-rprivate /
hostname "$CAPTURE_HOST"
ip link set lo up

# File choosers and disk viewers show the root folder: an overlay hides there (with
# whiteouts) what Debian does not install.
shown=" bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var "
layers=$job/layers
mkdir -p "$layers"
mount -t tmpfs -o mode=755 tmpfs "$layers"
mkdir -p "$layers/root" "$layers/work" "$layers/upper/home" "$layers/upper/opt"
hide() { mknod "$layers/upper$1" c 0 0; }
for path in /*; do
  case $shown in *" ${path#/} "*) ;; *) hide "$path" ;; esac
done
for path in /home/*; do [ "$path" = "/home/$user" ] || hide "$path"; done
mkdir -p "$layers/upper/home/$user"
# The account has the persona's name: file managers, terminals and identities show it.
mkdir -p "$layers/upper/etc"
sed "s|^$account:\([^:]*:[^:]*:[^:]*\):.*|$user:\1:$CAPTURE_NAME:/home/$user:/bin/bash|" /etc/passwd \
  >"$layers/upper/etc/passwd"
sed "s/^$account:/$user:/" /etc/group >"$layers/upper/etc/group"
echo "$CAPTURE_HOST" >"$layers/upper/etc/hostname"
for path in /opt/*; do [ "$path" = /opt/capture ] || hide "$path"; done
root=$layers/root
mount -t overlay -o "lowerdir=/,upperdir=$layers/upper,workdir=$layers/work" overlay "$root"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t proc proc "$root/proc"
mkdir -p "$root/srv/capture"
mount --bind "$job/home" "$root/home/$user"
mount --bind "$job" "$root/srv/capture"
for path in tmp var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "$root/$path"; done
for path in mnt root run/user; do mount -t tmpfs -o mode=755 tmpfs "$root/$path"; done
# Chromium asks a desktop portal for the colour scheme, which there is not.
if [ "$LOOK_DARK" = 1 ]; then
  mkdir -p "$root/etc/chromium.d"
  echo 'CHROMIUM_FLAGS="$CHROMIUM_FLAGS --force-dark-mode"' >"$root/etc/chromium.d/dark"
fi
runtime=/run/user/$(id -u "$account")
mkdir -p "$root$runtime" "$root/tmp/.X11-unix"
chmod 1777 "$root/tmp/.X11-unix"
chown "$account:" "$root$runtime"
chmod 700 "$root$runtime"

# Not chroot: inside one, browsers cannot make the user namespaces of their own sandboxes.
mkdir "$root/mnt/before"
cd "$root"
pivot_root . mnt/before
umount -l /mnt/before
rmdir /mnt/before
cd "/home/$user"
exec runuser -u "$user" -- env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/games:/usr/sbin:/sbin \
  HOME="/home/$user" USER="$user" LOGNAME="$user" SHELL=/bin/bash XDG_RUNTIME_DIR="$runtime" \
  LOOK_THEME="$LOOK_THEME" LOOK_DARK="$LOOK_DARK" LOOK_WM="$LOOK_WM" LOOK_WM_THEME="$LOOK_WM_THEME" \
  LOOK_ICONS="$LOOK_ICONS" LOOK_QT_STYLE="$LOOK_QT_STYLE" LOOK_FONT="$LOOK_FONT" \
  CAPTURE_LOCALE="$CAPTURE_LOCALE" CAPTURE_CLOCK="$CAPTURE_CLOCK" CAPTURE_PERSONA="$CAPTURE_PERSONA" \
  /bin/bash /srv/capture/code/capture/session.sh "$@"
