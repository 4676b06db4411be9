#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the files of `gpucode export` go, and what is wrong with a command line.
. "$2/support/setting.sh"

run 0 gpucode export json -o made/deeper
for set in afuc hwsq a3xx mme; do
    run 0 test -s "made/deeper/$set.json"
done
cp -r made/deeper again
run 0 gpucode export json -o made/deeper/ # writes the same files anew
run 0 diff -r made/deeper again
run 0 gpucode export json -t a730
cp out alone
run 0 gpucode export json -t a730 -o made
same alone made/afuc.json
run 0 gpucode export json -t a730 -o -
same alone out
run 0 gpucode export --json json -t a730 -o made
holds out '"path": "afuc.json"'
lacks out '"text"'

run 2 gpucode export json
holds err '[cli-export-folder]'
run 2 gpucode export
run 2 gpucode export jsn
holds err "did you mean 'json'?"
run 2 gpucode export xyzzy
holds err 'formats: json'
run 2 gpucode export json file
holds err '[cli-many]'
run 2 gpucode export json -t a9999
run 2 gpucode export json -o /dev/null/x
holds err '[cli-create]'
mkdir -p blocked/mme.json
run 2 gpucode export json -o blocked # one of the files cannot be: none is
[ "$(ls blocked)" = mme.json ] || complain "files beside what cannot be written: $(ls blocked)"
# what the tree keeps of them is current
run 0 gpucode export textmate -o textmate
run 0 diff -r textmate "$root/editors/vscode/syntaxes"

# twice the same bytes, whatever the format; of modules for Ghidra, which take many seconds, those of one set are enough
# but in long runs
run 0 gpucode asm "$root/examples/firmware/a6xx.asm" -o code.fw
run 2 gpucode export xyzzy
for format in $(sed -n 's/^hint: formats: //p' err | tr -d ','); do
    file=
    [ "$format" = names ] && file=code.fw
    [ "$format" = sleigh ] && [ -z "${GPUCODE_LONG_TESTS:-}" ] && file='-t afuc:a630'
    run 0 gpucode export "$format" -o "first/$format" $file
    run 0 gpucode export "$format" -o "second/$format" $file
    [ -n "$(find "first/$format" -type f)" ] || complain "$format writes no file"
done
run 0 diff -r first second

# every format is in the man page and in the document
run 2 gpucode export xyzzy
for format in $(sed -n 's/^hint: formats: //p' err | tr -d ','); do
    grep -q "^\.B $format\$" "$root/docs/gpucode.1" || complain "the man page lacks the format $format"
    grep -q "^## .*\b$format\b" "$root/docs/export.md" || complain "docs/export.md lacks the format $format"
done
finish
