#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: abi.sh check|write [BUILD_FOLDER]
# Compares the shared library, built with debug information for that, with what programs were linked with (abi/): its
# functions, and all types that they reach. What was added is no difference. `write` makes abi/ anew, which is done when a
# version is released. While meson.build still has the number of the version in abi/, that one is in the works, and a
# difference is told but is no failure; from the next number on it is. Exit code: 0 compatible, 1 not, 77 cannot tell.
set -eu
action=${1:-} build=${2:-build-abi}
cd "$(dirname "$0")/.."
case $action in
check | write) ;;
*)
    sed -n 's/^# usage/usage/p' "$0" >&2
    exit 2
    ;;
esac
command -v abidw >/dev/null && command -v abidiff >/dev/null || {
    echo 'abi: skipped, there is no abidiff (abigail-tools)'
    exit 77
}
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
kept=$(sed -n 's/^# version //p' abi/functions.txt)
machine=$(uname -m)
[ -f "$build/build.ninja" ] || meson setup "$build" --buildtype debug -Dtests=disabled -Dpython=disabled -Dgraphviz=disabled \
    -Dpng=disabled >/dev/null
ninja -C "$build" --quiet "src/libgpucode.so.$version"
library=$build/src/libgpucode.so.$version

describe()
{
    abidw --headers-dir include/gpucode --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path "$1"
}

if [ "$action" = write ]; then
    {
        sed '/^# version/,$d' abi/functions.txt
        echo "# version $version"
        nm -D --defined-only "$library" | sed -n 's/.* T \(gpucode_[a-z0-9_]*\)@@GPUCODE_\([0-9.]*\)$/\1 \2/p'
    } >abi/functions.new
    mv abi/functions.new abi/functions.txt
    describe "$library" | gzip -9n >"abi/$machine.abi.gz"
    exit 0
fi

[ -f "abi/$machine.abi.gz" ] || {
    echo "abi: skipped, abi/ has nothing for $machine"
    exit 77
}
code=0 old=$(mktemp) known=$(mktemp)
trap 'rm -f "$old" "$known"' EXIT
# Structures that no public header defines are the library's own: their names alone are public. Those that only the library
# makes, and that a caller reads during a call, may become longer.
{
    printf '[suppress_type]\n  type_kind = struct\n  name_not_regexp = ^(%s)$\n' \
        "$(sed -n 's/^struct \(gpucode_[a-z0-9_]*\) {$/\1/p' include/gpucode/*.h | sort -u | paste -sd '|')"
    printf '[suppress_type]\n  name = %s\n  has_data_member_inserted_at = end\n' gpucode_packet_event
} >"$known"
gzip -dc "abi/$machine.abi.gz" | sed "${ABI_EDIT:-}" >"$old"
abidiff --no-added-syms --suppressions "$known" "$old" "$library" || code=$?
# bits of the exit code: 1 a failure, 2 wrong usage, 4 a change, 8 one that surely breaks programs
if [ $code = 0 ]; then
    echo "abi: as in $kept, or with additions"
elif [ $((code & 3)) != 0 ]; then
    exit 1
elif [ "$version" = "$kept" ]; then
    echo "abi: not as it was, which is no harm while $version is in the works; \`tools/abi.sh write\` before it is released"
else
    echo "abi: programs linked with $kept would break: undo that, or make it a new soname"
    exit 1
fi
