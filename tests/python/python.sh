#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: python.sh BUILD
# Builds the Python module against the libraries of a build folder, and runs its tests. Skipped without Python's headers,
# cffi and pytest.
set -eu
build=$(readlink -f "$1")
root=$(readlink -f "$(dirname "$0")/../..")
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -c 'import cffi, pytest, setuptools, sysconfig, os; assert os.path.exists(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null || {
    echo "skipped: Python's headers, cffi, pytest or setuptools are missing"
    exit 77
}
export PKG_CONFIG_PATH="$build/meson-uninstalled" LD_LIBRARY_PATH="$build/src:$build" PYTHONDONTWRITEBYTECODE=1
made=$build/python
mkdir -p "$made"
(cd "$root/python" && "$python" -W ignore setup.py -q build --build-base "$made" --build-lib "$made/lib" 2>"$made/log") || {
    cat "$made/log"
    exit 1
}
PYTHONPATH=$(readlink -f "$made/lib") exec "$python" -m pytest -q -p no:cacheprovider "$root/python/tests"
