#!/bin/sh
# SPDX-License-Identifier: MIT
# The test of links must see calls against the arrows and circles. usage: wrong_links.sh LINKS NM AR CC...
set -u
links=$1 nm=$2 ar=$3
shift 3
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/base" "$tree/src/isa/afuc" "$tree/src/isa/hwsq" "$tree/src/asm" "$tree/src/console"
bad=0

# compile NAME TEXT CC...: an object of the source src/NAME, with '_' for '/'
compile()
{
    name=$1 text=$2
    shift 2
    echo "$text" >"$tree/x.c"
    "$@" -w -c "$tree/x.c" -o "$tree/$name.c.o" || exit 1
    "$ar" q "$tree/all.a" "$tree/$name.c.o" 2>/dev/null
}

# what the log must have, or nothing for a tree without fault but for the circles that it lacks
expect()
{
    "$links" "$tree" "$nm" "=$tree/all.a" >"$tree/log"
    if [ -n "$1" ] && ! grep -q "$1" "$tree/log"; then
        echo "passed, and must not: $2"
        bad=1
    elif [ -z "$1" ] && grep -q "may not call\|^a circle" "$tree/log"; then
        echo "refused, and must not be: $2"
        cat "$tree/log"
        bad=1
    fi
    rm -f "$tree/all.a"
}

compile base_x 'int isa(void); int base(void) { return isa(); }' "$@"
compile isa_x 'int isa(void) { return 1; }' "$@"
expect 'src/base/x.c: this room may not call isa' 'base calls isa'

compile isa_afuc_x 'int emit(void); int afuc(void) { return emit(); }' "$@"
compile asm_x 'int emit(void) { return 1; }' "$@"
expect 'src/isa/afuc/x.c: this room may not call emit' 'a set calls the assembler'

compile isa_afuc_x 'int hwsq(void); int afuc(void) { return hwsq(); }' "$@"
compile isa_hwsq_x 'int hwsq(void) { return 1; }' "$@"
expect 'src/isa/afuc/x.c: this room may not call hwsq' 'a set calls another one'

compile console_x 'int emit(void); int console(void) { return emit(); }' "$@"
compile asm_x 'int emit(void) { return 1; }' "$@"
expect 'src/console/x.c: this room may not call emit' 'a front end calls what is not public'

compile base_x 'int y(void); int x(void) { return y(); }' "$@"
compile base_y 'int x(void); int y(void) { return x(); }' "$@"
expect 'a circle of 2 files' 'two files call one another'

compile base_x 'int alone(void) { return 1; } int gpucode_x(void) { return 2; }' "$@"
compile asm_x 'int gpucode_x(void); int emit(void) { return gpucode_x(); }' "$@"
expect 'src/base/x.c: nobody else uses alone' 'a global function that nobody else uses'

compile base_x 'int base(void) { return 1; }' "$@"
compile isa_x 'int base(void); int isa(void) { return base(); }' "$@"
compile isa_afuc_x 'int base(void); int isa(void); int afuc(void) { return isa() + base(); }' "$@"
compile asm_x 'int isa(void); int gpucode_asm(void) { return isa(); }' "$@"
compile console_x 'int gpucode_asm(void); int console(void) { return gpucode_asm(); }' "$@"
expect '' 'a tree as it should be'
exit $bad
