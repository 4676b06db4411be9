#!/bin/sh
# SPDX-License-Identifier: MIT
# What text costs the whole process: machine instructions per line (valgrind, a measure that other work on the computer
# does not disturb), and processor time beside xxd on the same file, and beside Mesa's tools when they are on the path.
#
#     bench/text.sh [--counts] GPUCODE [LINES]
#
# --counts prints the instructions alone, a line each: set, command, instructions per line; at last those of a start, in
# thousands. LINES is 30,000 unless given.
counts=
[ "$1" = --counts ] && { counts=yes; shift; }
gpucode=${1:?usage: bench/text.sh [--counts] GPUCODE [LINES]} lines=${2:-30000}
here=$(dirname "$0") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Instructions that a command takes in all.
instructions()
{
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : *//p'
}

# Least processor time of some runs of a command.
cost()
{
    python3 - "$@" <<'EOF'
import os, sys
best = None
null = os.open('/dev/null', os.O_WRONLY)
for _ in range(15):
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, status, usage = os.wait4(child, 0)
    if status:
        sys.exit('bench: %s failed' % sys.argv[1])
    seconds = usage.ru_utime + usage.ru_stime
    best = seconds if best is None else min(best, seconds)
print('%.2f ms' % (best * 1e3))
EOF
}

for set in afuc hwsq a3xx ir3; do
    source=$folder/$set.asm binary=$folder/$set.bin
    awk -v set=$set -v lines="$lines" -f "$here/source.awk" >"$source"
    case $set in
    afuc) target=afuc:a630 ;;
    hwsq) target=hwsq:nv41 ;;
    a3xx) target=a3xx ;;
    ir3) target=ir3:a630 ;;
    esac
    "$gpucode" asm "$source" -o "$binary" || exit 1
    # the listing, which the disassembler writes, is what the assembler reads
    "$gpucode" disasm -t $target "$binary" >"$source" || exit 1
    count=$(wc -l <"$source")
    if command -v valgrind >/dev/null; then
        for command in disasm asm; do
            [ $command = disasm ] && input=$binary || input=$source
            total=$(instructions "$gpucode" $command -t $target "$input" -o "$folder/out")
            echo "$set $command $((total / count))"
        done
    fi
    [ "$counts" ] && continue
    echo "$set: xxd      $(cost xxd -e -c4 "$binary")"
    echo "$set: disasm   $(cost "$gpucode" disasm -t $target "$binary")"
    echo "$set: asm      $(cost "$gpucode" asm -t $target "$source" -o "$folder/out")"
    [ $set = afuc ] || continue
    # Mesa's tools have the names of our links
    for tool in qrisc-disasm afuc-disasm; do
        path=$(command -v $tool) || continue
        case $(readlink -f "$path") in */gpucode) continue ;; esac
        echo "$set: Mesa's $tool $(cost "$path" -g 6 "$binary")"
    done
    for tool in qrisc-asm afuc-asm; do
        path=$(command -v $tool) || continue
        case $(readlink -f "$path") in */gpucode) continue ;; esac
        echo "$set: Mesa's $tool $(cost "$path" -g 6 "$source" "$folder/out")"
    done
done
if command -v valgrind >/dev/null; then
    echo "start version $(($(instructions "$gpucode" --version) / 1000))"
fi
[ "$counts" ] || echo "start: --version $(cost "$gpucode" --version), /bin/true $(cost /bin/true)"
