#!/bin/bash
# SPDX-License-Identifier: MIT
# Renews the kept inputs of fuzz targets with AFL++: builds them with afl-clang-fast, lets afl-fuzz go on from a target's
# seeds, and keeps the few inputs that reach most of what the other seeds do not, as corpus/NAME/kept-HASH.
#
#     fuzz/renew.sh [--seconds S] [--bytes N] [--files N] [TARGET...]
#
# S seconds for each target, 300 unless given; of one at most 4096 bytes in 32 files are kept unless given otherwise; without
# TARGET all. What afl-fuzz finds stays in build-afl/found-NAME, and the exit code is 1: mend it, and put the input among
# the seeds.
set -eu -o pipefail
seconds=300 bytes=4096 files=32
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$2 && shift 2 ;;
    --bytes) bytes=$2 && shift 2 ;;
    --files) files=$2 && shift 2 ;;
    -*) sed -n '3,12s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) break ;;
    esac
done
cd "$(dirname "$0")/.."
for tool in afl-clang-fast afl-fuzz afl-cmin afl-showmap; do
    command -v $tool >/dev/null || { echo "renew: there is no $tool; install afl++" >&2 && exit 2; }
done
driver=$(find /usr/lib/afl /usr/local/lib/afl -name libAFLDriver.a 2>/dev/null | head -n 1 || true)
[ -n "$driver" ] || { echo 'renew: there is no libAFLDriver.a, which is part of afl++' >&2 && exit 2; }
export AFL_QUIET=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_ALLOW_TMP=1
build=${BUILD:-build-afl}
[ -d "$build" ] || CC=afl-clang-fast meson setup "$build" -Dfuzz=true -Dfuzz_engine="$driver" -Ddefault_library=static \
    -Dbuildtype=debugoptimized -Db_lundef=false -Dsplit=false -Dlibedit=disabled -Dncurses=disabled -Dgraphviz=disabled \
    >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Of the maps in folder $2 those files that together raise most that none of folder $1 raises, each the one with most news
# for its bytes (in folder $3), as long as there is room.
choose() {
    awk -v room="$bytes" -v files="$files" -v old="$1" -v new="$2" -v inputs="$3" '
    BEGIN {
        command = "find \"" old "\" -type f"
        while ((command | getline file) > 0)
            while ((getline line <file) > 0)
                seen[line] = 1
        command = "cd \"" new "\" && find . -type f | LC_ALL=C sort"
        while ((command | getline name) > 0) {
            name = substr(name, 3)
            names[++count] = name
            while ((getline line <(new "/" name)) > 0)
                if (!(line in seen))
                    edges[count] = edges[count] line "\n"
            close(new "/" name)
            size = "wc -c <\"" inputs "/" name "\""
            size | getline sizes[count]
            close(size)
        }
        for (;;) {
            best = 0
            for (i = 1; i <= count; i++) {
                if (taken[i] || sizes[i] > room)
                    continue
                news = 0
                for (k = split(edges[i], list, "\n"); k; k--)
                    news += list[k] != "" && !(list[k] in seen)
                if (news && (!best || news / (sizes[i] + 16) > score))
                    score = news / (sizes[best = i] + 16)
            }
            if (!best || !files--)
                exit
            taken[best] = 1
            room -= sizes[best]
            for (k = split(edges[best], list, "\n"); k; k--)
                seen[list[k]] = 1
            print names[best]
        }
    }'
}

renew() {
    local name=$1 corpus program=$build/fuzz/fuzz_$1 work=$scratch/$1 dictionary=() found
    corpus=$(find fuzz -path "*/corpus/$name" -type d | head -n 1)
    [ -n "$corpus" ] || { echo "renew: there is no target $name" >&2 && exit 2; }
    ninja -C "$build" --quiet "fuzz/fuzz_$name" fuzz-dictionary >"$work.log" || { cat "$work.log" >&2; exit 2; }
    case $name in # whose input is text
    assemble | insn | symbols | source | roundtrip) dictionary=(-x "$build/fuzz/words.dict") ;;
    esac
    mkdir -p "$work"
    afl-fuzz -i "$corpus" -o "$work/out" -t 2000 -G 4096 -V "$seconds" "${dictionary[@]}" -- "$program" >"$work/log" 2>&1 || {
        tail -n 5 "$work/log" >&2
        exit 2
    }
    found=$(find "$work/out/default/crashes" "$work/out/default/hangs" -name 'id:*' | wc -l)
    if [ "$found" -gt 0 ]; then
        mkdir -p "$build/found-$name"
        cp "$work"/out/default/{crashes,hangs}/id:* "$build/found-$name/" 2>/dev/null || true
        echo "$name: $found findings in $build/found-$name"
        code=1
    fi
    mkdir "$work/seeds"
    find "$corpus" -type f ! -name 'kept-*' -exec cp {} "$work/seeds" \;
    mkdir "$work/all"
    find "$corpus" "$work/out/default/queue" -type f \( -name 'kept-*' -o -name 'id:*' \) -exec cp {} "$work/all" \;
    afl-cmin -t 2000 -i "$work/all" -o "$work/least" -- "$program" >/dev/null 2>&1
    afl-showmap -q -t 2000 -i "$work/seeds" -o "$work/seen" -- "$program" >/dev/null 2>&1 || true
    afl-showmap -q -t 2000 -i "$work/least" -o "$work/maps" -- "$program" >/dev/null 2>&1 || true
    mkdir "$work/kept"
    choose "$work/seen" "$work/maps" "$work/least" | while IFS= read -r file; do
        install -m 644 "$work/least/$file" "$work/kept/kept-$(sha1sum <"$work/least/$file" | cut -c 1-8)"
    done
    find "$corpus" -name 'kept-*' -delete
    find "$work/kept" -type f -exec cp {} "$corpus" \;
    echo "$name: $(find "$work/kept" -type f | wc -l) inputs kept, of $(find "$work/least" -type f | wc -l) that reach something"
}

code=0
[ $# -gt 0 ] || set -- $(find fuzz -path '*/corpus/*' -type d -exec basename {} \; | LC_ALL=C sort)
for target; do
    renew "$target"
done
exit $code
