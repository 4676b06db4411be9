#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: portability.sh [all|gcc|clang|i386|musl|s390x|aarch64|debian12|debian13]...
# The short tests with another compiler (clang), on a processor of 32 bits (i386), with musl in place of glibc, on one that
# has the most significant byte first (s390x) and on aarch64, both in qemu: these are `all`, and what is done without a name.
# debian12 and debian13, as root, run `make demo` and `make check` of the last commit in a bare release of Debian, which is
# made in build-portability each time, with the network for what they install. i386, s390x and aarch64 want a cross compiler
# and a folder with Debian's libraries for them, which is made in build-portability (mmdebstrap and Debian's archive). In qemu
# tests that are scripts run where the kernel starts such programs by itself (binfmt_misc, which Debian's qemu-user-static
# sets up), else the tests in C alone. musl has none of the libraries that parts of the program need. What a kind lacks is
# told, and it is skipped. DEBIAN_MIRROR: a mirror, or a line of sources.list, in place of mmdebstrap's own choice. At the end
# a line for each kind says what came of it, with the date. Exit code: 0 good, 1 not, 77 all skipped.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build-portability
mkdir -p "$work"
bad=0 done=0

# kind COMMAND...: what the kind needs is there
has()
{
    kind=$1
    shift
    for command in "$@"; do
        command -v "$command" >/dev/null || {
            tell "$kind: skipped, there is no $command"
            return 1
        }
    done
}

# What is said of a kind; all of it is said again at the end.
tell()
{
    echo "$*"
    echo "$(date +%F) $*" >>"$work/results"
}

# NAME [ARCHITECTURE]: Debian's libraries for another processor, in $work/NAME
fetch_libraries()
{
    [ -f "$work/$1/usr/include/cmocka.h" ] && return 0
    rm -rf "${work:?}/$1"
    mmdebstrap --quiet --variant=extract --architectures="${2:-$1}" \
        --include=libc6-dev,libgcc-12-dev,libcmocka-dev,libexpat1-dev,zlib1g-dev,libpng-dev,libjansson-dev \
        bookworm "$work/$1" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$work/$1.log" 2>&1 || {
        tell "$1: skipped, Debian's archive cannot be reached: $(tail -n 1 "$work/$1.log")"
        return 1
    }
}

# kind RELEASE: what the README says of a fresh checkout, where nothing is installed but make
try_release()
{
    kind=$1 bare=$work/$1 log=$work/test-$1.log
    [ "$(id -u)" = 0 ] || {
        tell "$kind: skipped, only root can make a bare Debian and enter it"
        return 0
    }
    rm -rf --one-file-system "$bare"
    # shellcheck disable=SC2016
    mmdebstrap --quiet --variant=minbase --include=make,ca-certificates \
        --customize-hook="git -C '$PWD' archive --format=tar HEAD"' | tar -C "$1" --one-top-level=gpucode -xf -' \
        --customize-hook='! [ -d /etc/apt/apt.conf.d ] || cp -n /etc/apt/apt.conf.d/* "$1/etc/apt/apt.conf.d/"' \
        --customize-hook='cp /etc/resolv.conf "$1/etc/resolv.conf"' \
        --customize-hook='chroot "$1" sh -c "cd /gpucode && apt-get update -qq && make demo && make check" >&2' \
        "$2" "$bare" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$log" 2>&1 && code=0 || code=$?
    if grep -q '^Ok: ' "$log" || [ $code = 0 ]; then
        done=1
    elif ! [ -d "$bare/gpucode" ]; then
        tell "$kind: skipped, Debian's archive cannot be reached: $(tail -n 1 "$log")"
        return 0
    fi
    if [ $code = 0 ]; then
        tell "$kind: $(sed -n 's/^Ok: *\([0-9]*\)/\1 tests passed/p' "$log"), $(sed -n 's/^Skipped: *\([0-9]*\)/\1 skipped/p' "$log")"
    else
        sed -n '/^Summary of Failures/,$p' "$log"
        tell "$kind: FAILED, $log has more"
        bad=1
    fi
    rm -rf --one-file-system "$bare"
}

# kind MESON_OPTIONS...: sets up build-portability/build-KIND
set_up()
{
    kind=$1
    shift
    [ -f "$work/build-$kind/build.ninja" ] ||
        meson setup "$work/build-$kind" -Dwerror=true -Dbuildtype=debugoptimized "$@" >"$work/build-$kind.log" 2>&1 || {
        tail -n 5 "$work/build-$kind.log"
        tell "$kind: FAILED, it is not set up"
        return 1
    }
}

# kind PATTERN [EXCEPT]: builds and runs the tests with such names, but for those with names like EXCEPT
try()
{
    done=1
    if ! ninja -C "$work/build-$1" --quiet meson-test-prereq product >"$work/build-$1.log" 2>&1; then
        grep -E 'error|FAILED' "$work/build-$1.log" | head -n 20
        tell "$1: FAILED, it is not built"
        bad=1
        return
    fi
    meson test -C "$work/build-$1" --list 2>/dev/null | sed 's,^[^/]* / ,,' | grep -xE "$2" | grep -vxE "${3:-none}" >"$work/names"
    # shellcheck disable=SC2046
    if (IFS='
' && meson test -C "$work/build-$1" --no-rebuild --timeout-multiplier 10 --print-errorlogs $(cat "$work/names")) >"$work/test-$1.log" 2>&1; then
        tell "$1: $(sed -n 's/^Ok: *\([0-9]*\)/\1 tests passed/p' "$work/test-$1.log")," \
            "$(sed -n 's/^Skipped: *\([0-9]*\)/\1 skipped/p' "$work/test-$1.log")"
    else
        sed -n '/^Summary of Failures/,$p' "$work/test-$1.log"
        tell "$1: FAILED, $work/test-$1.log has more"
        bad=1
    fi
}

# C programs: all that tests/meson.build calls a room, and the replays of what fuzzers have found
rooms='analysis|asm|console|debug|elf|fuzz/.*|fuzzer|image|isa(/[^ ]*)?|kit/a3xx/shader|outline|picture|pm4/.*|symbols|xml|arrows'

# What scripts ask of parts that musl's build does not have (pictures, streams, XML), what reads the names of C tests, which
# want cmocka, and what counts on glibc: afl-fuzz loads a library, instructions are counted, Python is linked with it.
not_with_musl='python.*|kit/afuc/run|kit/afuc/fuzz|kit/afuc/fuzz_afl|cli/(fleet|mistakes|readme|counts)|claims/claims'

# What loads or links the libraries by tools of this processor, counts instructions, or shows how large a snapshot is.
not_on_i386='python.*|install|include/nulls|cli/counts|console/afuc|kit/afuc/fuzz_afl'

# The same in qemu, which also has its own way with limits of memory and files that shrink while they are mapped.
not_in_qemu="$not_on_i386|cli/large|cli/small"

# CPU LOADER ENDIAN [ARCHITECTURE MESON_OPTIONS...]: a processor that qemu runs
try_foreign()
{
    kind=$1 loader=$2 endian=$3 architecture=${4:-$1}
    shift 3
    [ $# = 0 ] || shift
    has "$kind" "$kind-linux-gnu-gcc" "qemu-$kind-static" mmdebstrap &&
        fetch_libraries "$kind" "$architecture" || return 0
    sed "s,@SYSROOT@,$work/$kind,g; s,@CPU@,$kind,g; s,@LOADER@,$loader,; s,@ENDIAN@,$endian," \
        tools/cross/foreign.ini >"$work/$kind.ini"
    pattern='.*'
    [ -e "/proc/sys/fs/binfmt_misc/qemu-$kind" ] || {
        pattern=$rooms
        tell "$kind: tests in C alone, the kernel does not start programs of such a processor (binfmt_misc)"
    }
    set_up "$kind" --cross-file "$work/$kind.ini" -Dgraphviz=disabled "$@" &&
        try "$kind" "$pattern" "$not_in_qemu" || bad=1
}

[ $# != 0 ] || set -- all
[ "$*" != all ] || set -- clang i386 musl s390x aarch64
: >"$work/results"
for kind; do
    case $kind in
    gcc | clang)
        has $kind $kind || continue
        # valgrind, which counts instructions, may not read the compiler's debug information
        CC=$kind set_up $kind -Ddebug=false && try $kind '.*' || bad=1
        ;;
    i386)
        has i386 i686-linux-gnu-gcc mmdebstrap && fetch_libraries i386 || continue
        sed "s,@SYSROOT@,$work/i386,g" tools/cross/i386.ini >"$work/i386.ini"
        set_up i386 --cross-file "$work/i386.ini" -Dgraphviz=disabled && try i386 '.*' "$not_on_i386" || bad=1
        ;;
    s390x)
        try_foreign s390x ld64.so.1 big
        ;;
    aarch64)
        try_foreign aarch64 ld-linux-aarch64.so.1 little arm64
        ;;
    musl)
        has musl musl-gcc || continue
        set_up musl --native-file tools/cross/musl.ini -Dpython=disabled && try musl '.*' "$not_with_musl" || bad=1
        ;;
    debian12 | debian13)
        has $kind mmdebstrap git || continue
        [ $kind = debian12 ] && release=bookworm || release=trixie
        try_release $kind $release
        ;;
    *)
        sed -n 's/^# usage/usage/p' "$0" >&2
        exit 2
        ;;
    esac
done
cat "$work/results"
[ $bad = 0 ] || exit 1
[ $done = 1 ] || exit 77
