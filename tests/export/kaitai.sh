#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: kaitai.sh GPUCODE SOURCE_ROOT BUILD_FOLDER LAYOUTS
program=$(realpath "$1") root=$(realpath "$2") layouts=$(realpath "$4")
. "$root/tests/support/npm.sh"
need_node
need_packages "$3" kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@4.1.0
node "$root/tests/export/kaitai.js" "$program" "$root" "$layouts"
