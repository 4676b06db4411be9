#!/bin/sh
# SPDX-License-Identifier: MIT
# Small inputs that once took minutes or gigabytes: 10 seconds of processor time and 1 GiB of address space must do.
. "$2/support/setting.sh"

# within CODE ARGUMENTS...
within()
{
    wanted=$1
    shift
    checks=$((checks + 1))
    (
        ulimit -v 1048576 && ulimit -t 10 || exit 99
        exec timeout 200 "$program" "$@"
    ) >out 2>err </dev/null
    got=$?
    [ $got = "$wanted" ] || {
        complain "exit code $got, not $wanted: $*"
        head -c 500 err
    }
}

# macros: many, and each used
awk 'BEGIN { print ".target afuc:a630"; for (i = 0; i < 20000; i++) print ".macro m" i "\nnop\n.endm\nm" i }' >macros.asm
within 0 asm macros.asm -o macros.bin
# symbols: every line is wrong
printf '.target afuc:a630\n\tnop\n' >a.asm
awk 'BEGIN { for (i = 0; i < 150000; i++) print "? x" i }' >wrong.sym
within 2 disasm --json -t afuc:a630 --symbols wrong.sym a.asm
# a log in which each line may begin a dump
awk 'BEGIN { for (i = 0; i < 40000; i++) print "hwsq: 5f 5f 5f 5f" }' >hwsq.log
within 0 extract -t hwsq:g94 hwsq.log
# a register that is a place in many instructions, and written far in front of them
awk 'BEGIN { print ".target afuc:a730\n[01730001]\n[#jumptbl]\nmov $02, 1"
    for (i = 0; i < 200000; i++) print "swrite $02, [$00 + %PREEMPT_INSTR]"
    print "UNKN16:\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl" }' >places.asm
within 0 graph --kind=calls places.asm
# no end
within 2 info /dev/zero
holds err '[cli-big]'
# a picture of 8192 by 8192 in eight kilobytes
if command -v python3 >/dev/null && gpucode help run | grep -q -e --image; then
    python3 - <<'END'
import struct, zlib
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
rows = zlib.compress(bytes(8192 * (8192 // 8 + 1)), 9)
open("large.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8192, 8192, 1, 0, 0, 0, 0)) +
                              chunk(b"IDAT", rows) + chunk(b"IEND", b""))
END
    printf 'sam.2d (f32)(xyzw)r0.x, r0.x, s#0, t#0\nend\n' >sam.asm
    within 2 run -t a3xx --texture 0=large.png sam.asm
fi
finish
