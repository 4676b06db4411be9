# SPDX-License-Identifier: MIT
# A source to measure with: awk -v set=afuc|hwsq|a3xx|ir3 -v lines=N -f source.awk
# AFUC in the proportions of firmware: arithmetic, accesses, a branch now and then, few nops, a comment in ten lines when
# it is a listing. HWSQ: opcodes in equal shares. A3XX and ir3: what compilers write. The same numbers in each run.
function random(below)
{
    state = (state * 1103515 + 12345) % 2147483648
    return int(state / 2147483648 * below)
}
function register()
{
    return sprintf("$%02x", random(26))
}
function afuc(kind, i, near)
{
    if (kind < 1) return "nop"
    if (kind < 3) return "mov " register() ", " sprintf("0x%x", random(65536))
    if (kind < 5) return "add " register() ", " register() ", " register()
    if (kind < 6) return "mov " register() ", " register()
    if (kind < 7) return "and " register() ", " register() ", " sprintf("0x%x", random(65536))
    if (kind < 9) return "cwrite " register() ", [" register() " + " sprintf("0x%03x", 4 + random(60)) "]"
    if (kind < 10) return "cread " register() ", [" register() " + @REG_READ_ADDR]"
    if (kind < 12) return "breq " register() ", " sprintf("0x%x", random(32)) ", #t" near
    if (kind < 13) return "brne " register() ", b" random(32) ", #t" near
    if (kind < 14) return "call #t" near
    if (kind < 15) return "(rep)store $memdata, [" register() " + " sprintf("0x%03x", random(256)) "]"
    return "shl " register() ", " register() ", " sprintf("0x%x", random(32))
}
function hwsq(kind)
{
    if (kind < 2) return "exit"
    if (kind < 4) return "wait 0x" random(4) " shl 0x" sprintf("%x", 2 * random(16))
    if (kind < 6) return "unset 0x" sprintf("%x", random(32))
    if (kind < 8) return "set1 0x" sprintf("%x", random(32))
    if (kind < 10) return "datalo 0x" sprintf("%x", random(65536))
    if (kind < 12) return "addrlo 0x" sprintf("%x", random(65536))
    if (kind < 13) return "ewait 0x" sprintf("%x", random(16)) " 0x" random(2)
    if (kind < 15) return "data 0x" sprintf("%x", random(65536)) sprintf("%04x", random(65536))
    return "addr 0x" sprintf("%x", random(65536)) sprintf("%04x", random(65536))
}
BEGIN {
    state = 20260101
    count = split("(sy)(ss)(rpt3)bary.f hr0.x, (r)0, r0.x|add.u r0.z, c4.x, 1|cov.u32s16 hr0.x, r0.x|mova a0.x, hr0.x|" \
                  "(rpt5)nop|mov.f32f32 r0.w, c<a0.x>|add.f r2.w, r0.w, r1.w|(rpt1)mad.f32 r2.y, (neg)(r)r2.z, r1.y, c11.x|" \
                  "rcp r0.z, r0.z|sam.o (f32)(xyzw)r5.y, r0.z, r4.w, s#3, t#3|cmps.f.eq p0.x, r1.y, c25.x|br p0.x, #2|" \
                  "mov.f32f32 r0.x, (1.000000)|sel.b32 r1.z, r0.y, r0.x, c1.w|and.b r2.z, r2.z, 31|end", usual, "|")
    if (set == "afuc")
        print "[016ee001]\n[#table]"
    if (set == "hwsq")
        print "//! target hwsq:nv41 oversize"
    if (set == "a3xx" || set == "ir3")
        print ".target " (set == "ir3" ? "ir3:a630" : set)
    places = int((lines - 1) / 12) + 1
    for (i = 0; i < lines; i++) {
        if (set == "a3xx" || set == "ir3") {
            print usual[1 + i % count]
        } else if (set == "hwsq") {
            print hwsq(random(16))
        } else {
            place = int(i / 12)
            if (i % 12 == 0)
                print "t" place ":"
            near = place + random(9) - 4
            if (near < 0)
                near = 0
            if (near >= places)
                near = places - 1
            print afuc(random(16), i, near)
        }
    }
    if (set == "afuc")
        print "nop\ntable:\n.jumptbl"
}
