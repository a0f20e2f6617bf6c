#!/usr/bin/env bash
# The cross toolchain: Rust's standard library from source, and zig as C compiler and linker, for static Linux binaries and
# for Macs. Made on Debian x86-64 from package registries alone; nothing is installed, nothing outside of the cache changes.
#
# Run it to fetch and print what there is. Scripts source it, call `use_target TARGET`, and then run `"${cargo[@]}" build
# --target TARGET` or the like:
#
#   source scripts/toolchain.sh
#   use_target aarch64-unknown-linux-musl
#   "${cargo[@]}" build --package fingertip --target aarch64-unknown-linux-musl
#
# - Where the machine's own Rust has the standard library of the target (`rustup target add TARGET`), that one is used.
#   Otherwise Debian's `rustc-web`, which has a `rust-web-src` to build it from, is unpacked beside whatever is installed.
# - Debian keeps only its newest version, so that one is taken: apt checks it, the cache is named by its content, and the
#   versions are printed. zig is pinned by version and checksum.
# - The cache is ${XDG_CACHE_HOME:-~/.cache}/fingertip-toolchain, 1.3 GB a version; it may be deleted at any time.
#
# Non-goals: hosts other than Debian on x86-64 (a target that rustup has added works anywhere that zig has a wheel for).

# Debian's version of Rust that this was last tried with.
readonly TRIED_RUST=1.96.0
# zig, as the wheel on PyPI for x86-64 Linux.
readonly ZIG_VERSION=0.17.0
readonly ZIG_SHA256=97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b
# The oldest macOS that binaries ask for.
readonly LEAST_MACOS=13.0

toolchain_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
toolchain_cache=${XDG_CACHE_HOME:-$HOME/.cache}/fingertip-toolchain
# Apart from `target`: another compiler, and another lock than the builds of every day.
cross_target=$toolchain_root/target/cross

toolchain_fail() {
  echo "toolchain: $*" >&2
  exit 1
}

# Linux targets by the names of zig; the rest of the argument list of `zig cc` is cargo's.
zig_target() {
  case $1 in
    aarch64-unknown-linux-musl) echo aarch64-linux-musl ;;
    x86_64-unknown-linux-musl) echo x86_64-linux-musl ;;
    aarch64-apple-darwin) echo "aarch64-macos.$LEAST_MACOS-none" ;;
    x86_64-apple-darwin) echo "x86_64-macos.$LEAST_MACOS-none" ;;
    *) toolchain_fail "no recipe for the target $1; there is one for {aarch64,x86_64}-unknown-linux-musl and {aarch64,x86_64}-apple-darwin" ;;
  esac
}

# unpack NAME PACKAGE...: sets `unpacked` to a folder with these Debian packages, named by their content.
unpack() {
  local name=$1 files key partial deb
  shift
  files=$(apt-get download --print-uris "$@" 2>/dev/null | awk '{ print $2, $4 }' | sort)
  [[ -n $files ]] || toolchain_fail "apt has no address for all of: $*; run 'apt-get update' as root"
  key=$(sha256sum <<<"$files")
  unpacked=$toolchain_cache/$name-${key:0:16}
  [[ ! -e $unpacked/complete ]] || return 0
  echo "toolchain: fetching $# Debian packages into $unpacked" >&2
  mkdir -p "$toolchain_cache"
  partial=$(mktemp -d "$toolchain_cache/partial.XXXXXX")
  (cd "$partial" && apt-get download -qq "$@" 2>&1 | grep -v 'performed unsandboxed' >&2) || true
  for deb in "$partial"/*.deb; do
    [[ -e $deb ]] || toolchain_fail "apt fetched nothing; see above"
    # What apt has checked against the signed lists is what the folder is named by.
    grep -q "SHA256:$(sha256sum "$deb" | cut -d' ' -f1)$" <<<"$files" || toolchain_fail "$(basename "$deb") is not the file that apt names"
    dpkg-deb --extract "$deb" "$partial"
    rm "$deb"
  done
  printf '%s\n' "$files" >"$partial/complete"
  # Somebody else may have been faster; theirs is the same.
  mv --no-target-directory "$partial" "$unpacked" 2>/dev/null || rm -rf "$partial"
}

# Sets `rust`, the folder of Debian's Rust, and `libraries`, where it finds what it is linked to. What the machine has not
# installed of that lies apart: what is installed may change, and with another path of the compiler all would be built again.
unpack_rust() {
  local packages=(rustc-web cargo-web rust-web-src libstd-rust-web-dev) direct=() missing=() library
  local only=(--no-suggests --no-recommends --no-conflicts --no-breaks --no-replaces --no-enhances --no-pre-depends)
  [[ -z ${rust:-} ]] || return 0
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null || [[ $(dpkg --print-architecture) != amd64 ]]; then
    toolchain_fail "this machine's Rust has no standard library for $1, and only Debian on x86-64 has packages to build it from; run: rustup target add $1"
  fi
  apt-cache show rustc-web >/dev/null 2>&1 \
    || toolchain_fail "apt knows no package rustc-web; run 'apt-get update' as root (Debian 12 has it in bookworm-security), or: rustup target add $1"
  mapfile -t direct < <(apt-cache depends "${only[@]}" rustc-web cargo-web libstd-rust-web-dev | sed -n 's/^ *Depends: \(lib[^ ]*\)$/\1/p' | sort -u)
  while read -r library; do
    case $library in
      libstd-rust-web-* | libllvm*) packages+=("$library") ;;
      # Never a C library of our own beside the one that the loader belongs to.
      libc6) ;;
      *) dpkg-query --show --showformat='${db:Status-Abbrev}' "$library" 2>/dev/null | grep -q '^ii' || missing+=("$library") ;;
    esac
  done < <(apt-cache depends --recurse "${only[@]}" "${direct[@]}" | grep -E '^lib[^ ]*$' | sort -u)
  mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
  unpack rust "${packages[@]}"
  rust=$unpacked libraries=$unpacked/usr/lib/x86_64-linux-gnu
  if ((${#missing[@]} > 0)); then
    unpack libraries "${missing[@]}"
    libraries+=:$unpacked/usr/lib/x86_64-linux-gnu
  fi
}

# Sets `zig`: the program, fetched unless it is there.
unpack_zig() {
  local folder=$toolchain_cache/zig-$ZIG_VERSION-${ZIG_SHA256:0:16} partial
  zig=$folder/ziglang/zig
  [[ -e $folder/complete ]] && return
  echo "toolchain: fetching ziglang $ZIG_VERSION into $folder" >&2
  python3 -c 'import ensurepip, venv' 2>/dev/null || toolchain_fail "Python 3 with venv is needed to fetch zig; on Debian: apt-get install python3-venv"
  mkdir -p "$toolchain_cache"
  partial=$(mktemp -d "$toolchain_cache/partial.XXXXXX")
  python3 -m venv "$partial/venv"
  echo "ziglang==$ZIG_VERSION --hash=sha256:$ZIG_SHA256" >"$partial/requirements.txt"
  "$partial/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
    --target "$partial/zig" --requirement "$partial/requirements.txt" \
    || toolchain_fail "PyPI did not hand out ziglang $ZIG_VERSION with the checksum that is pinned in scripts/toolchain.sh"
  chmod +x "$partial/zig/ziglang/zig"
  : >"$partial/zig/complete"
  mv --no-target-directory "$partial/zig" "$folder" 2>/dev/null || true
  rm -rf "$partial"
}

# has_std TARGET: whether the machine's own Rust can build for it.
has_std() {
  local folder
  folder=$(rustc --print target-libdir --target "$1" 2>/dev/null) && compgen -G "$folder/libstd-*.rlib" >/dev/null
}

# executable FILE: writes a program from standard input; the old one stays whole for whoever runs it just now.
executable() {
  mkdir -p "$(dirname "$1")"
  cat >"$1.$$"
  chmod +x "$1.$$"
  mv "$1.$$" "$1"
}

# use_target TARGET: sets `cargo`, a command with options that go before those of `build` or `check`, and exports what
# cargo, rustc and build scripts must know to compile and link for that target.
use_target() {
  local triple=$1 bin=$cross_target/bin upper=${1^^} lower=${1//-/_} zig_name
  upper=${upper//-/_}
  zig_name=$(zig_target "$triple") || exit 1
  unpack_zig
  # rustc and the crate `cc` name the target in their own words, which zig has others for, and an SDK that is not there.
  executable "$bin/$triple-cc" <<SCRIPT
#!/usr/bin/env bash
arguments=()
while ((\$# > 0)); do
  case \$1 in
    --target=* | -mmacosx-version-min=* | -mmacos-version-min=* | -Wl,--fix-cortex-a53-843419) ;;
    -target | -arch | -isysroot | --sysroot) shift ;;
    *) arguments+=("\$1") ;;
  esac
  shift
done
exec '$zig' cc -target $zig_name -fno-sanitize=all "\${arguments[@]}"
SCRIPT
  executable "$bin/ar" <<<$'#!/usr/bin/env bash\n'"exec '$zig' ar \"\$@\""
  export "CC_$lower=$bin/$triple-cc" "AR_$lower=$bin/ar" "CARGO_TARGET_${upper}_LINKER=$bin/$triple-cc"
  export CARGO_TARGET_DIR=$cross_target ZIG_GLOBAL_CACHE_DIR=$toolchain_cache/zig-cache ZIG_LOCAL_CACHE_DIR=$toolchain_cache/zig-cache
  unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS
  case $triple in
    # zig brings musl's start files; 64 KiB suit every page size that phones have.
    *-musl) export "CARGO_TARGET_${upper}_RUSTFLAGS=-Clink-self-contained=no -Clink-arg=-Wl,-z,max-page-size=65536" ;;
    # An SDK that only has our stubs: without one, rustc and `cc` would ask Apple's tools for theirs. rustc strips by a program
    # that Debian's has not, so that the linker does it.
    *-apple-darwin)
      python3 "$toolchain_root/scripts/macos/stubs.py" "$cross_target/macos"
      export SDKROOT=$cross_target/macos MACOSX_DEPLOYMENT_TARGET=$LEAST_MACOS
      export CARGO_PROFILE_DEV_STRIP=none CARGO_PROFILE_RELEASE_STRIP=none CARGO_PROFILE_DIST_STRIP=none
      export "CARGO_TARGET_${upper}_RUSTFLAGS=-Clink-arg=-F$SDKROOT/Frameworks -Clink-arg=-L$SDKROOT/lib -Clink-arg=-Wl,-s"
      ;;
  esac
  if has_std "$triple"; then
    # shellcheck disable=SC2034 # likewise
    cargo=(cargo)
    compiler="$(rustc --version), its own standard library for $triple"
    return
  fi
  unpack_rust "$triple"
  # Programs of their own, so that only they see the libraries.
  local program
  for program in rustc cargo rustdoc; do
    executable "$bin/$program" <<SCRIPT
#!/usr/bin/env bash
export LD_LIBRARY_PATH='$libraries'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
exec '$rust/usr/bin/$program' "\$@"
SCRIPT
  done
  compiler=$("$bin/rustc" --version) || toolchain_fail "Debian's rustc does not start; see above"
  local least
  least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$toolchain_root/Cargo.toml")
  [[ $(printf '%s\n' "$least" "$(cut -d' ' -f2 <<<"$compiler")" | sort -V | head -n1) == "$least" ]] \
    || toolchain_fail "Debian has $compiler, and Cargo.toml asks for $least at least; run: apt-get update"
  # RUSTC_BOOTSTRAP lets a stable compiler build its own standard library.
  # shellcheck disable=SC2034,SC2054 # for the scripts that source this one; the comma is cargo's
  cargo=(env "RUSTC=$bin/rustc" "RUSTDOC=$bin/rustdoc" RUSTC_BOOTSTRAP=1 "$bin/cargo" -Zbuild-std=std,panic_abort)
  compiler+=', standard library from source (rust-web-src)'
  [[ $compiler == "rustc $TRIED_RUST "* ]] || compiler+=", tried with $TRIED_RUST"
}

# Prints what `use_target` found.
print_toolchain() {
  echo "toolchain: $compiler; zig $("$zig" version)" >&2
}

if [[ ${BASH_SOURCE[0]} == "$0" ]]; then
  set -euo pipefail
  for triple in {aarch64,x86_64}-{unknown-linux-musl,apple-darwin}; do
    use_target "$triple"
    echo "$triple: $compiler; zig $("$zig" version)"
  done
fi
