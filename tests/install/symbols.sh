#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: symbols.sh NM LIBRARY MAP EXPORTS_SH
# The shared library exports what the headers declare, each function with its version, and nothing else; the script that
# makes the list keeps old versions, adds new ones behind them, and notices what has gone.
set -u
nm=$1 library=$2 map=$3 exports=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
"$nm" -D --defined-only "$library" | sed -n 's/.* [A-Z] \(.*\)@@\(GPUCODE_.*\)/\2 \1/p' | sort >"$work/exported"
"$nm" -D --defined-only "$library" | grep -v ' A GPUCODE_[0-9.]*$' | grep -v '@@GPUCODE_' >"$work/others"
awk '/^GPUCODE_/ { version = $1 } /^        gpucode_/ { sub(/;/, ""); print version, $1 }' "$map" | sort >"$work/listed"
[ "$(wc -l <"$work/listed")" -gt 200 ] || bad=1
diff "$work/listed" "$work/exported" || {
    echo 'FAILED: the library exports something else than the headers declare'
    bad=1
}
[ ! -s "$work/others" ] || {
    echo 'FAILED: these have no version:'
    cat "$work/others"
    bad=1
}

# three functions, one of 0.2, one of 0.10, one new
cat >"$work/a.h" <<'END'
GPUCODE_API int gpucode_old(int value);
GPUCODE_API const struct gpucode_thing *
    gpucode_middle(void);
GPUCODE_API void gpucode_new(void);
END
printf '# comment\ngpucode_middle 0.10\ngpucode_old 0.2\n' >"$work/kept"
"$exports" 0.11 "$work/kept" "$work/a.h" | tr -s ' \n' ' ' >"$work/made"
cat >"$work/wanted" <<'END'
GPUCODE_0.2 { global: gpucode_old; local: *; }; GPUCODE_0.10 { global: gpucode_middle; } GPUCODE_0.2; GPUCODE_0.11 { global: gpucode_new; } GPUCODE_0.10; 
END
tr -d '\n' <"$work/wanted" | diff - "$work/made" || {
    echo 'FAILED: exports.sh makes something else'
    bad=1
}
echo 'gpucode_gone 0.2' >>"$work/kept"
if "$exports" 0.11 "$work/kept" "$work/a.h" >/dev/null 2>"$work/err"; then
    echo 'FAILED: exports.sh does not notice that a function has gone'
    bad=1
fi
grep -q 'gpucode_gone of 0.2 is not declared' "$work/err" || bad=1
exit $bad
