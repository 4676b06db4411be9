#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: wheel.sh BUILD
# The wheel and the source archive as Python's own tools make them, and the module from both. Only with LONG=1.
set -eu
build=$(readlink -f "$1")
root=$(readlink -f "$(dirname "$0")/../..")
python=/usr/bin/python3
[ -x "$python" ] || python=python3
[ -n "${GPUCODE_LONG_TESTS:-}" ] || {
    echo 'skipped: with LONG=1 alone'
    exit 77
}
"$python" -c 'import build, cffi, wheel, setuptools, sysconfig, os; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null || {
    echo "skipped: Python's headers, cffi, setuptools, wheel or build are missing"
    exit 77
}
export PKG_CONFIG_PATH="$build/meson-uninstalled" LD_LIBRARY_PATH="$build/src:$build" PYTHONDONTWRITEBYTECODE=1
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cp -r "$root/python" "$made/source"
cd "$made/source"
# the wheel is built from the source archive
"$python" -W ignore -m build --no-isolation --outdir "$made/out" >"$made/log" 2>&1 || {
    tail -n 20 "$made/log"
    exit 1
}
"$python" -m zipfile -e "$made"/out/gpucode-*.whl "$made/lib"
for file in py.typed _native.pyi; do
    [ -f "$made/lib/gpucode/$file" ]
done
for example in asm symbols; do
    PYTHONPATH=$made/lib "$python" "$root/examples/python/$example.py" >"$made/told"
    diff -u "$root/examples/api/expected/$example.txt" "$made/told"
done
tar tzf "$made"/out/gpucode-*.tar.gz | grep -q '/gpucode_build.py$'
