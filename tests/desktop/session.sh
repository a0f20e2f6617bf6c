# shellcheck shell=bash disable=SC2034,SC2154
# A desktop of its own: X server and window manager, or a Wayland compositor, which is sway, KWin, GNOME Shell or one that gives
# programs nothing (Weston); session bus and accessibility bus, with folders nobody else uses.
#
# Source it after tests/lib.sh, with which it shares variables. `begin_session NAME [x11|sway|kwin|gnome|weston]` sets the environment that
# makes programs part of it. `end_session`, which the end of the script calls too, ends every program that was started with
# that environment, whoever started it: the applications, the daemons that the buses started, and what those left
# behind. Works for root and for everybody else.

# What the desktop, its applications and the observers of a test need.
readonly DESKTOP_PACKAGES=(
  xvfb dbus at-spi2-core libatk-adaptor openbox fonts-dejavu-core
  libgtk2.0-0 libgail-common galculator gnome-calculator kcalc mousepad gtk-4-examples chromium firefox-esr thunar keepassxc gnome-text-editor xterm
  libreoffice-calc libreoffice-writer libreoffice-gtk3
  default-jdk-headless default-jre libatk-wrapper-java libatk-wrapper-java-jni python3-tk python3-pyqt5
  python3-pyatspi python3-gi python3-gi-cairo gir1.2-gtk-3.0 gir1.2-gtk-4.0 gir1.2-adw-1 gir1.2-atspi-2.0
  python3-pyqt6 qt6-qpa-plugins qt6-wayland qtwayland5 weston sway swaylock wl-clipboard grim
  gnome-shell libglib2.0-bin pipewire pipewire-bin wireplumber xdg-desktop-portal xdg-desktop-portal-gnome
  gstreamer1.0-tools gstreamer1.0-pipewire gstreamer1.0-plugins-base gstreamer1.0-plugins-good
  xdotool wmctrl xclip x11-utils
)

# What sessions of KWin need beside that: its title bars, and what makes its desktop entries known.
readonly KWIN_PACKAGES=(kwin-wayland kwin-style-breeze libkf5service-bin libkscreenlocker5)

# Longest wait for a part of the session, and for its programs to end, in tenths of a second.
readonly SESSION_LIMIT=600 ENDING_LIMIT=30

session=''
# Who runs what is started in the session, where that is somebody else: a command that becomes that user.
session_user=()
at_end=end_session

install_desktop() {
  install_debian "${DESKTOP_PACKAGES[@]}"
}

# install_debian PACKAGE...: installs those that are missing, and says so where it cannot: without them there is nothing to
# test.
install_debian() {
  local missing=() package with=()
  for package in "$@"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]} == 0)) && return
  ((EUID == 0)) || with=(sudo --non-interactive)
  echo "installing ${missing[*]}"
  "${with[@]}" apt-get update -qq
  "${with[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "these Debian packages are missing and could not be installed: ${missing[*]}"
}

# printed NAME PATTERN: waits until the program started under that name has printed a line like this, and prints it.
printed() {
  local tenth line
  for ((tenth = 0; tenth < SESSION_LIMIT; tenth++)); do
    if line=$(grep -Eom1 "$2" "$work/$1.log" 2>/dev/null); then
      echo "$line"
      return
    fi
    sleep 0.1
  done
  fail "$1 did not start within $((SESSION_LIMIT / 10)) seconds"
}

# await WHAT COMMAND...: waits until the command succeeds.
await() {
  local what=$1 tenth
  shift
  for ((tenth = 0; tenth < SESSION_LIMIT; tenth++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  fail "$what did not start within $((SESSION_LIMIT / 10)) seconds"
}

has_window_manager() {
  xprop -root _NET_SUPPORTING_WM_CHECK | grep -q 'window id'
}

enable_accessibility() {
  "${session_user[@]}" dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set \
    string:org.a11y.Status string:IsEnabled variant:boolean:true
}

# Starts an X server. One that ends elsewhere at this moment may take the socket of its successor along: then another.
start_display() {
  local attempt number
  for attempt in 1 2 3; do
    # Without -noreset the server would start anew, and drop the window manager, when a client that came first goes.
    start "xvfb-$1-$attempt" Xvfb -displayfd 1 -screen 0 1920x1080x24 -nolisten tcp -noreset
    number=$(printed "xvfb-$1-$attempt" '^[0-9]+$')
    export DISPLAY=:$number
    xprop -root >/dev/null 2>&1 && return
  done
  fail 'the X server does not answer'
}

# Starts a Wayland compositor that shows its screen to nobody.
start_weston() {
  export WAYLAND_DISPLAY=wayland-$1
  start "weston-$1" weston --backend=headless-backend.so --socket="$WAYLAND_DISPLAY" --idle-time=0 \
    --width=1920 --height=1080
  await 'the Wayland compositor' test -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY"
}

# Starts sway on a screen that nobody sees. It refuses to be root's: then it is nobody's, in a folder of nobody's.
start_sway() {
  local as=()
  if ((EUID == 0)); then
    chmod 711 "$work" "$session"
    chown nobody "$XDG_RUNTIME_DIR"
    as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
  fi
  export SWAYSOCK=$XDG_RUNTIME_DIR/sway.sock
  start "sway-$1" env WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman \
    "${as[@]}" sway --config "$tests/desktop/sway.conf"
  await 'the Wayland compositor' swaymsg --type get_version
  WAYLAND_DISPLAY=$(basename "$(compgen -G "$XDG_RUNTIME_DIR/wayland-*[0-9]")")
  export WAYLAND_DISPLAY
}

# Starts KWin on a screen that nobody sees. It refuses to be root's, and gives what it keeps for allowed programs to its own
# user alone: then the whole session is nobody's, in folders of nobody's. A copy has not the capability that the packaged
# one has, without which it starts in containers too.
start_kwin() {
  if ((EUID == 0)); then
    chmod 711 "$work"
    chmod 711 "$session"
    chown -R nobody "$session"
    session_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
  fi
  export XDG_CURRENT_DESKTOP=KDE WAYLAND_DISPLAY=wayland-0
  cp "$(command -v kwin_wayland)" "$session/kwin_wayland"
  start_session_bus "$1"
  # Locking the screen is a part of it; a locker that cannot show itself still locks.
  start "kwin-$1" env KWIN_COMPOSE=O2 LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM= "${session_user[@]}" \
    "$session/kwin_wayland" --virtual --width 1920 --height 1080 --no-global-shortcuts --socket "$WAYLAND_DISPLAY"
  await 'the Wayland compositor' test -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY"
  await 'KWin on the bus' "${session_user[@]}" gdbus introspect --session --dest org.kde.KWin --object-path /Scripting
}

# overview GET|SET ARGUMENT...: the property of GNOME Shell that tells and decides whether its overview is open.
overview() {
  local method=$1
  shift
  gdbus call --session --timeout 1 --dest org.gnome.Shell --object-path /org/gnome/Shell \
    --method "org.freedesktop.DBus.Properties.$method" org.gnome.Shell OverviewActive "$@"
}

is_in_overview() {
  overview Get | grep -q true
}

# What is said while it still opens is forgotten.
leaves_overview() {
  overview Set '<false>' && ! is_in_overview
}

start_session_bus() {
  start "bus-$1" "${session_user[@]}" dbus-daemon --session --nofork --nopidfile --print-address=1
  DBUS_SESSION_BUS_ADDRESS=$(printed "bus-$1" '^unix:.*')
  export DBUS_SESSION_BUS_ADDRESS
}

# Starts GNOME Shell on a screen that nobody sees, with what its portal needs. What the bus starts must know the desktop.
start_gnome() {
  export WAYLAND_DISPLAY=wayland-0 XDG_CURRENT_DESKTOP=GNOME XDG_SESSION_TYPE=wayland
  # Nothing of the machine is asked, such as for its power or its users.
  start "system-bus-$1" dbus-daemon --session --nofork --nopidfile --print-address=1
  DBUS_SYSTEM_BUS_ADDRESS=$(printed "system-bus-$1" '^unix:.*')
  export DBUS_SYSTEM_BUS_ADDRESS
  start_session_bus "$1"
  start "pipewire-$1" pipewire
  await 'PipeWire' test -S "$XDG_RUNTIME_DIR/pipewire-0"
  start "wireplumber-$1" wireplumber
  start "gnome-$1" env LIBGL_ALWAYS_SOFTWARE=1 \
    gnome-shell --headless --wayland --no-x11 --virtual-monitor 1920x1080
  # It begins with its overview, in which windows get nothing.
  await 'GNOME Shell' is_in_overview
  await 'the desktop of GNOME Shell' leaves_overview
}

# begin_session NAME [x11|sway|kwin|gnome|weston]
begin_session() {
  local kind=${2:-x11} toolkits=wayland
  [[ $kind != x11 ]] || toolkits=x11
  session=$work/session-$1
  mkdir -p "$session"/home/.config
  mkdir -m 700 "$session/runtime"
  export HOME=$session/home XDG_RUNTIME_DIR=$session/runtime
  export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_DATA_HOME=$HOME/.local/share
  # The toolkits' own: no hardware to draw with, no settings daemon, and Qt tells of itself without being asked twice.
  export GDK_BACKEND=$toolkits GSK_RENDERER=cairo GSETTINGS_BACKEND=memory QT_QPA_PLATFORM=xcb
  export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 LANG=C.UTF-8
  session_user=()
  unset WAYLAND_DISPLAY SWAYSOCK DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS AT_SPI_BUS_ADDRESS DISPLAY
  unset XDG_CURRENT_DESKTOP XDG_SESSION_TYPE

  case $kind in
    x11) start_display "$1" ;;
    sway) start_sway "$1" ;;
    kwin) start_kwin "$1" ;;
    gnome) start_gnome "$1" ;;
    weston) start_weston "$1" ;;
  esac
  [[ $kind == x11 ]] || export QT_QPA_PLATFORM=wayland
  [[ $kind == kwin || $kind == gnome ]] || start_session_bus "$1"
  # The first call to it starts the accessibility bus.
  await 'the accessibility bus' enable_accessibility
  [[ $kind == x11 ]] || return 0
  start "openbox-$1" openbox
  await 'the window manager' has_window_manager
}

# Prints the processes that were started with the environment of this session.
session_processes() {
  local environment
  for environment in /proc/[0-9]*/environ; do
    if grep -qsF "XDG_RUNTIME_DIR=$session/runtime" "$environment"; then
      environment=${environment%/environ}
      [[ ${environment#/proc/} == "$$" || ${environment#/proc/} == "$BASHPID" ]] || echo "${environment#/proc/}"
    fi
  done
}

end_session() {
  local processes tenth
  [[ -n $session ]] || return 0
  for ((tenth = 0; tenth < ENDING_LIMIT; tenth++)); do
    mapfile -t processes < <(session_processes)
    ((${#processes[@]} > 0)) || break
    # A stopped program hears of its end only when it runs again.
    kill -TERM "${processes[@]}" 2>/dev/null || true
    kill -CONT "${processes[@]}" 2>/dev/null || true
    sleep 0.1
  done
  mapfile -t processes < <(session_processes)
  ((${#processes[@]} == 0)) || kill -KILL "${processes[@]}" 2>/dev/null || true
  session=''
}
