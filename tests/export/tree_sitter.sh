#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: tree_sitter.sh GPUCODE SOURCE_ROOT BUILD_FOLDER TOKENS
# The grammars by a reader of our own, and then by tree-sitter itself, where npm brings it with its program.
program=$(realpath "$1") root=$(realpath "$2") build=$3 tokens=$(realpath "$4")
. "$root/tests/support/npm.sh"
need_node
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" export tree-sitter -o "$folder" || exit 1
node "$root/tests/export/tree_sitter.js" "$folder" "$tokens" "$root" || exit 1
need_packages "$build" tree-sitter-cli@0.26.3
# scripts of packages are not run by need_packages; this package's own script fetches the program
cli=$PWD/node_modules/tree-sitter-cli
[ -x "$cli/tree-sitter" ] || (cd "$cli" && timeout 15 node install.js >install.log 2>&1)
if [ ! -x "$cli/tree-sitter" ]; then
    echo 'the program of tree-sitter-cli cannot be fetched; an old one, built from its source:'
    "$root/tests/export/tree_sitter_build.sh" "$root" "$build" "$folder"
    exit
fi
for grammar in "$folder"/tree-sitter-*; do
    (cd "$grammar" && "$cli/tree-sitter" generate && "$cli/tree-sitter" test) || exit 1
done
