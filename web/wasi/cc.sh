#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: cc.sh SYSROOT ARGUMENTS...
# clang for wasm32-wasi as meson wants a compiler: without the options that its linker does not know.
sysroot=$1
shift
here=$(dirname "$(readlink -f "$0")")
count=$#
while [ "$count" -gt 0 ]; do
    case $1 in
    -Wl,--as-needed | -Wl,--no-undefined | -Wl,--start-group | -Wl,--end-group | -Wl,-O1 | -pthread) ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    count=$((count - 1))
done
# A visitor waits less when it is small; what runs instructions keeps its inlined functions.
case " $* " in
*/src/isa/*/machine/* | */src/isa/decode* | */src/asm/quick* | */inf*.c*) set -- "$@" -Os ;;
*' -c '*) set -- "$@" -Oz ;;
esac
# what was compiled before comes from ccache, where there is one
exec $(command -v ccache) clang-14 --target=wasm32-wasi --sysroot="$sysroot" -isystem "$here/include" -include "$here/posix.h" \
    -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_MMAN "$@"
