#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# Builds the fuzz targets as OSS-Fuzz and ClusterFuzzLite want them: programs, seeds, dictionaries and options in $OUT.
# From them come $CC, $CFLAGS, $LIB_FUZZING_ENGINE and $SANITIZER; only what is statically linked runs there.
folder=${WORK:-/tmp}/gpucode-fuzz
# Libraries from elsewhere are not there for 32 bits, and have no marks of what is initialised: without them then.
case ${SANITIZER:-address}/${ARCHITECTURE:-x86_64} in
memory/* | */i386) libraries=disabled ;;
*) libraries=enabled ;;
esac
rm -rf "$folder"
meson setup "$folder" -Dfuzz=true -Dfuzz_engine="${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}" -Dsplit=false \
    -Dstream=$libraries -Dxml=$libraries -Djansson=$libraries -Dpng=$libraries \
    -Dlibedit=disabled -Dncurses=disabled -Dgraphviz=disabled -Db_lundef=false \
    -Dbuildtype=plain -Ddefault_library=static -Dprefer_static=true
ninja -C "$folder" fuzz-targets fuzz-dictionary
for target in "$folder"/fuzz/fuzz_*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    name=${target##*/fuzz_}
    cp "$target" "$OUT/"
    seeds=$(find fuzz -path "*/corpus/$name" -type d | head -n 1)
    [ -z "$seeds" ] || zip -qj "$OUT/fuzz_${name}_seed_corpus.zip" "$seeds"/*
    printf '[libfuzzer]\nmax_len = 65536\n' >"$OUT/fuzz_$name.options"
    case $name in # whose input is text
    assemble | insn | symbols | source | roundtrip) cat "$folder/fuzz/words.dict" fuzz/assemble.dict >"$OUT/fuzz_$name.dict" ;;
    esac
done
