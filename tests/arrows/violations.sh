#!/bin/sh
# SPDX-License-Identifier: MIT
# The arrow test must see each kind of wrong include, and must let right ones pass. usage: violations.sh ARROWS
set -u
arrows=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
bad=0

plant()
{
    rm -rf "$tree/src" "$tree/include"
    mkdir -p "$tree/src/$(dirname "$1")" "$tree/include/gpucode"
    echo "$2" >"$tree/$3$1"
}

# file include
refused()
{
    plant "$1" "#include $2" src/
    if "$arrows" "$tree" >"$tree/log"; then
        echo "passed, and must not: $1 includes $2"
        bad=1
    elif ! grep -q "src/$1:1: " "$tree/log"; then
        echo "no place given: $1 includes $2"
        bad=1
    fi
}

passed()
{
    plant "$1" "#include $2" src/
    "$arrows" "$tree" >"$tree/log" || {
        echo "refused, and must not be: $1 includes $2"
        cat "$tree/log"
        bad=1
    }
}

refused base/x.c '"isa/isa.h"'
refused isa/x.c '"asm/context.h"'
refused isa/x.c '"isa/afuc/afuc.h"'
refused isa/x.c '"image/image.h"'
refused isa/afuc/x.c '"isa/hwsq/hwsq.h"'
refused isa/afuc/x.h '"asm/context.h"'
refused isa/afuc/x.c '"registry.h"'
refused isa/x.c '"registry.h"'
refused image/x.c '"asm/context.h"'
refused analysis/x.c '"asm/context.h"'
refused asm/x.c '"machine/machine.h"'
refused machine/x.c '"asm/context.h"'
refused machine/x.c '"isa/afuc/afuc.h"'
refused asm/x.c '"debug/debug.h"'
refused debug/x.c '"analysis/flow.h"'
refused debug/x.c '"cli/json.h"'
refused xml/x.c '"isa/afuc/afuc.h"'
refused cli/x.c '"base/buffer.h"'
refused cli/x.c '"isa/isa.h"'
refused symbols/x.c '"asm/context.h"'
refused debug/x.c '"symbols/symbols.h"'
refused console/x.c '"dap/dap.h"'
refused dap/x.c '"cli/json.h"'
refused base/x.c '<expat.h>'
refused asm/x.c '<zlib.h>'
refused isa/ir3/a3xx/x.c '<png.h>'
refused kit/a3xx/x.c '"picture/x.h"'
refused asm/x.c '"../base/buffer.h"'
refused asm/x.c '"gpucode/asm.h"'
refused isa/afuc/x.def '"isa/ir3/a3xx/a3xx.h"'
refused isa/afuc/x.c '"isa/ir3/family.h"'
refused isa/ir3/timing/x.c '"isa/ir3/a3xx/a3xx.h"'

passed base/x.c '"base/y.h"'
passed isa/x.c '"base/y.h"'
passed isa/x.c '"isa/names/table.h"'
passed isa/afuc/x.c '"isa/isa.h"'
passed isa/ir3/a3xx/x.c '"isa/ir3/family.h"'
passed isa/afuc/x.c '"isa/afuc/flow.h"'
passed isa/afuc/x.c '"base/text.h"'
passed image/x.c '"isa/isa.h"'
passed image/x.c '"registry.h"'
passed registry.c '"isa/isa.h"'
passed asm/x.c '"image/image.h"'
passed machine/x.c '"image/image.h"'
passed debug/x.c '"machine/machine.h"'
passed symbols/x.c '"image/image.h"'
passed xml/x.c '<expat.h>'
passed picture/x.c '<png.h>'
passed xml/x.c '"isa/names.h"'
passed xml/x.c '"isa/names/index.h"'
passed cli/x.c '<gpucode/asm.h>'
passed cli/x.c '"cli/json.h"'
passed isa/afuc/x.c '"afuc_rows.inc"'

# public headers
plant base/x.c '' src/
echo '#include "isa/isa.h"' >"$tree/include/gpucode/x.h"
"$arrows" "$tree" >"$tree/log" && {
    echo 'passed, and must not: a public header includes a private one'
    bad=1
}
exit $bad
