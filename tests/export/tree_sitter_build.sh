#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: tree_sitter_build.sh SOURCE_ROOT BUILD_FOLDER GRAMMARS
# The grammars by a generator of tree-sitter that npm has as source. It is old (the program of later ones is no package), so
# that it knows no names of fields and no queries; what grammar.js says else it takes.
root=$(realpath "$1") grammars=$(realpath "$3")
. "$root/tests/support/npm.sh"
need_node
command -v c++ >/dev/null || {
    echo 'skipped: no C++ compiler'
    exit 77
}
need_sources "$2" tree-sitter-cli@0.13.16 tree-sitter@0.13.23
generator=$PWD/tree-sitter-cli-0.13.16/vendor/tree-sitter runtime=$PWD/tree-sitter-0.13.23/vendor/tree-sitter
if [ ! -x generate ]; then
    [ -n "$GPUCODE_LONG_TESTS" ] || {
        echo 'skipped: building the generator takes half a minute; make check LONG=1 does it'
        exit 77
    }
    mkdir -p objects
    find "$generator/src/compiler" -name '*.cc' | xargs -P2 -I{} sh -c 'c++ -std=c++14 -O1 -w -I"$1/include" -I"$1/src" \
        -I"$1/externals/utf8proc" -I"$1/externals/json-parser" -c "$2" -o objects/$(echo "$2" | tr / _).o' - "$generator" {} &&
        cc -w -O1 -c -o objects/json.o "$generator/externals/json-parser/json.c" &&
        cc -w -O1 -DUTF8PROC_STATIC -c -o objects/utf8proc.o "$generator/externals/utf8proc/utf8proc.c" &&
        cc -O1 -I"$generator/include" -c -o objects/generate.o "$root/tests/export/tree_sitter_generate.c" &&
        c++ -o generate.new objects/*.o && mv generate.new generate || exit 1
fi
made=$PWD/parsers
mkdir -p "$made"
for folder in "$grammars"/tree-sitter-*; do
    language=${folder##*/tree-sitter-}
    node "$root/tests/export/tree_sitter_json.js" "$PWD/tree-sitter-cli-0.13.16/lib/api/dsl.js" "$folder/grammar.js" \
        >"$made/new.json" || exit 1
    cmp -s "$made/new.json" "$made/$language.json" && continue # made of that already
    ./generate <"$made/new.json" >"$made/$language.c" &&
        cc -w -DUTF8PROC_STATIC -DLANGUAGE="tree_sitter_$language" -I"$runtime/include" -I"$runtime/src" \
            -I"$runtime/externals/utf8proc" -o "$made/$language" "$root/tests/export/tree_sitter_parse.c" "$made/$language.c" \
            "$runtime/src/runtime/runtime.c" && mv "$made/new.json" "$made/$language.json" || exit 1
done
node "$root/tests/export/tree_sitter_corpus.js" "$grammars" "$made" "$root"
