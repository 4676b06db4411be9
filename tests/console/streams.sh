#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: streams.sh GPUCODE SOURCE_FOLDER
# Results go to standard output, what is wrong to standard error, with the file and line of the command.
program=$(realpath "$1")
cd "$2" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'echo inner\\n\nprint nowhere\n' >"$work/inner.gdb"
printf '# nested\nsource %s/inner.gdb\necho not reached\\n\n' "$work" >"$work/outer.gdb"
"$program" debug --batch -x "$work/outer.gdb" afuc.asm >"$work/out" 2>"$work/error"
code=$?
printf 'inner\n' >"$work/out.wanted"
cat >"$work/error.wanted" <<END
$work/inner.gdb:2: error: 'nowhere' is not a register, label or symbol here, at 'nowhere'
$work/outer.gdb:2: note: in the file that is read here
END
[ $code = 2 ] || { echo "exit code $code"; exit 1; }
diff -u "$work/out.wanted" "$work/out" && diff -u "$work/error.wanted" "$work/error" || exit 1
# commands on standard input have no file
printf 'print 1\nnonsense\nprint 2\n' | "$program" debug --batch afuc.asm >"$work/out" 2>"$work/error"
code=$?
[ $code = 2 ] && [ "$(cat "$work/out")" = '1 = 1' ] &&
    [ "$(cat "$work/error")" = "error: there is no command 'nonsense'; try help" ]
