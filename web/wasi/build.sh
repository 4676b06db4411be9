#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: build.sh FOLDER
# Makes FOLDER/gpucode.wasm from the same sources and by the same build files as the program.
set -eu

here=$(dirname "$(readlink -f "$0")")
root=$(readlink -f "$here/../..")
mkdir -p "$1"
folder=$(readlink -f "$1")
"$here/libraries.sh" "$folder"
sysroot=$folder/sysroot

cat >"$folder/cross.ini" <<END
[binaries]
c = ['$here/cc.sh', '$sysroot']
ar = 'llvm-ar-14'
pkgconfig = 'pkg-config'
exe_wrapper = ['node', '$here/run.mjs']
[properties]
needs_exe_wrapper = true
pkg_config_libdir = '$sysroot/lib/pkgconfig'
[host_machine]
system = 'wasi'
cpu_family = 'wasm32'
cpu = 'wasm32'
endian = 'little'
END
[ -f "$folder/meson/build.ninja" ] || meson setup "$folder/meson" "$root" --cross-file "$folder/cross.ini" \
    -Dbuildtype=plain -Doptimization=2 -Db_ndebug=true -Ddefault_library=static -Db_staticpic=false -Db_pie=false \
    -Dsplit=false -Dpng=disabled -Dgraphviz=disabled -Dncurses=disabled -Dlibedit=disabled -Dtests=disabled >"$folder/setup.log" 2>&1 || {
    cat "$folder/setup.log" >&2
    exit 1
}
echo "web: compiling the module; the first time takes two minutes of two processors"
ninja -C "$folder/meson" --quiet web/gpucode.wasm
echo "web: making the module small"
# --low-memory-unused: offsets below 1,024 go into the instructions, as no address is that small but those of a full stack
wasm-opt -Oz --strip-debug --strip-producers --low-memory-unused "$folder/meson/web/gpucode.wasm" -o "$folder/small.wasm"
node "$here/pack.mjs" "$folder/small.wasm" "$folder/gpucode.wasm"
