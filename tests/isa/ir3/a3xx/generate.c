/* SPDX-License-Identifier: MIT */
#include "generate.h"

#include "assembling.h"

#include <stdio.h>

#define REGISTERS 24 /* r0.x to r5.w; halves: half as many */

struct writer {
    struct generate *how;
    char *at, *end;
    unsigned labels, depth;
    bool calls;
};

static unsigned below(struct writer *writer, unsigned count)
{
    return next_random(&writer->how->seed) % count;
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(writer->at, (size_t)(writer->end - writer->at), format, args);
    va_end(args);
    assert_true(length >= 0 && length < writer->end - writer->at);
    writer->at += length;
}

/* The name of a register, in a buffer of its own for the next few. */
static const char *name(bool half, unsigned number)
{
    static char names[8][16];
    static unsigned next;
    char *text = names[next++ % 8];
    snprintf(text, 16, "%sr%u.%c", half ? "h" : "", number / 4, "xyzw"[number % 4]);
    return text;
}

static unsigned any(struct writer *writer, bool half, unsigned room)
{
    return below(writer, (half ? REGISTERS / 2 : REGISTERS) - room + 1);
}

/* --- one instruction --------------------------------------------------------------------------------------------- */

/* A repeat whose results go where no source of it lies: sources from the lower half of the file, results above. */
struct repeat {
    unsigned more;
    char text[8];
    bool steps[3];
};

static struct repeat repeat(struct writer *writer)
{
    struct repeat repeat = {.more = below(writer, 4) == 0 ? 1 + below(writer, 3) : 0};
    if (repeat.more)
        snprintf(repeat.text, sizeof repeat.text, "(rpt%u)", repeat.more);
    for (unsigned i = 0; i < 3; i++)
        repeat.steps[i] = repeat.more && below(writer, 2);
    return repeat;
}

static unsigned source_of(struct writer *writer, const struct repeat *repeat, bool half)
{
    return repeat->more ? below(writer, half ? 3 : 9) : any(writer, half, 1);
}

static unsigned result_of(struct writer *writer, const struct repeat *repeat, bool half)
{
    return repeat->more ? (half ? 6 : 12) + below(writer, half ? 3 : 9) : any(writer, half, 1);
}

static const char *stepped(const struct repeat *repeat, unsigned source, const char *text)
{
    static char texts[4][24];
    static unsigned next;
    char *to = texts[next++ % 4];
    snprintf(to, 24, "%s%s", repeat->steps[source] ? "(r)" : "", text);
    return to;
}

static void move(struct writer *writer)
{
    struct repeat how = repeat(writer);
    bool half = below(writer, 3) == 0;
    const char *to = name(half, result_of(writer, &how, half)), *from = name(half, source_of(writer, &how, half));
    switch (below(writer, 6)) {
    case 0:
        put(writer, "%smov.%s %s, %s\n", how.text, half ? "s16s16" : "s32s32", to, stepped(&how, 0, from));
        break;
    case 1:
        put(writer, "%smov.f32f32 %s, %sc%u.y\n", how.text, name(false, result_of(writer, &how, false)),
            how.steps[0] ? "(r)" : "", below(writer, 6));
        break;
    case 2:
        put(writer, "mov.s32s32 %s, %u\n", name(false, any(writer, false, 1)), below(writer, 1000));
        break;
    case 3:
        put(writer, "%scov.f32f16 %s, %s\n", how.text, name(true, result_of(writer, &how, true)),
            stepped(&how, 0, name(false, source_of(writer, &how, false))));
        break;
    case 4:
        put(writer, "%scov.u16u32 %s, %s\n", how.text, name(false, result_of(writer, &how, false)),
            stepped(&how, 0, name(true, source_of(writer, &how, true))));
        break;
    default:
        put(writer, "mova a0.x, hr3.%c\n", "xyzw"[below(writer, 4)]);
        break;
    }
}

static void pad(struct writer *writer)
{
    if (writer->how->padded)
        put(writer, "(sy)(ss)(rpt5)nop\n");
}

/* An index that is masked and scaled, as compilers make it, so that few registers can be reached. */
static void bounded(struct writer *writer)
{
    static const unsigned masks[] = {0, 1, 3, 7, 12, 14};
    static const char *const ways[] = {"shl.b %s, %s, 1\n", "shl.b %s, %s, 2\n", "shr.b %s, %s, 1\n",
                                       "add.u %s, %s, 3\n", "min.u %s, %s, 5\n", "and.b %s, %s, 6\n"};
    const char *full = name(false, any(writer, false, 1)), *half = name(true, 12 + below(writer, 4));
    put(writer, "and.b %s, %s, %u\n", full, name(false, any(writer, false, 1)), masks[below(writer, 6)]);
    pad(writer);
    put(writer, "cov.u32s16 %s, %s\n", half, full);
    for (unsigned i = below(writer, 3); i-- > 0;) {
        pad(writer);
        put(writer, ways[below(writer, 6)], half, half);
    }
    pad(writer);
    put(writer, "mova a0.x, %s\n", half);
    pad(writer);
}

static void relative(struct writer *writer)
{
    if (writer->how->relative && below(writer, 3) == 0)
        bounded(writer);
    switch (below(writer, writer->how->relative ? 4 : 2)) {
    case 0:
        put(writer, "mov.s32s32 %s, c<a0.x + %u>\n", name(false, any(writer, false, 1)), below(writer, 16));
        break;
    case 1:
        put(writer, "add.s %s, %s, c<a0.x + %u>\n", name(false, any(writer, false, 1)),
            name(false, any(writer, false, 1)), below(writer, 16));
        break;
    case 2:
        put(writer, "mov.s32s32 r<a0.x + %u>, %s\n", below(writer, 16), name(false, any(writer, false, 1)));
        break;
    default:
        put(writer, "mov.s32s32 %s, r<a0.x + %u>\n", name(false, any(writer, false, 1)), below(writer, 16));
        break;
    }
}

static void arithmetic(struct writer *writer)
{
    static const char *const two[] = {"add.f", "mul.f", "max.f", "add.s", "sub.u",  "and.b",
                                      "xor.b", "or.b",  "shl.b", "shr.b", "mull.u", "min.s"};
    static const char *const three_full[] = {"mad.f32", "mad.u24", "madsh.m16", "sel.b32", "sel.f32", "mad.f32"};
    static const char *const three_half[] = {"mad.f16", "mad.s16", "sel.b16", "sel.f16", "mad.u16", "mad.f16"};
    struct repeat how = repeat(writer);
    bool half = below(writer, 3) == 0;
    const char *to = name(half, result_of(writer, &how, half));
    const char *a = stepped(&how, 0, name(half, source_of(writer, &how, half)));
    const char *b = stepped(&how, 1, name(half, source_of(writer, &how, half)));
    const char *c = stepped(&how, 2, name(half, source_of(writer, &how, half)));
    switch (below(writer, 5)) {
    case 0:
    case 1:
        put(writer, "%s%s %s, %s, %s\n", how.text, two[below(writer, sizeof two / sizeof *two)], to, a, b);
        break;
    case 2:
        put(writer, "%s%s %s, %s, %s, %s\n", how.text, (half ? three_half : three_full)[below(writer, 6)], to, a, b, c);
        break;
    case 3:
        put(writer, "%s not.b %s, %s\n", how.text, to, a);
        break;
    default:
        put(writer, "cmps.s.%s p0.%c, %s, %s\n", below(writer, 2) ? "lt" : "ne", "xy"[below(writer, 2)],
            name(half, any(writer, half, 1)), name(half, any(writer, half, 1)));
        break;
    }
}

static void special(struct writer *writer)
{
    static const char *const names[] = {"rcp", "rsq", "log2", "exp2", "sqrt"};
    struct repeat how = repeat(writer);
    bool half = below(writer, 4) == 0;
    put(writer, "%s%s %s, %s\n", how.text, names[below(writer, 5)], name(half, result_of(writer, &how, half)),
        stepped(&how, 0, name(half, source_of(writer, &how, half))));
}

static void texture(struct writer *writer)
{
    static const char *const masks[] = {"x", "xyzw", "xz", "yw", "w"};
    bool half = below(writer, 4) == 0;
    const char *to = name(half, any(writer, half, 4)), *mask = masks[below(writer, 5)];
    const char *from = name(false, any(writer, false, 2));
    switch (below(writer, writer->how->quads ? 6 : 3)) {
    case 0:
        put(writer, "sam (%s)(%s)%s, %s, s#0, t#0\n", half ? "f16" : "f32", mask, to, from);
        break;
    case 1:
        put(writer, "isam (%s)(%s)%s, %s, s#0, t#0\n", half ? "u16" : "u32", mask, to, from);
        break;
    case 2:
        put(writer, "saml.o (f32)(%s)%s, %s, %s, s#0, t#0\n", mask, name(false, any(writer, false, 4)), from,
            name(false, any(writer, false, 3)));
        break;
    default:
        put(writer, "ds%c (%s)(%s)%s, %s\n", "xy"[below(writer, 2)], half ? "f16" : "f32", mask, to,
            name(false, any(writer, false, 4)));
        break;
    }
}

static void memory(struct writer *writer)
{
    static const char spaces[] = "ggglp";
    char space = spaces[below(writer, 5)];
    unsigned size = 1 + below(writer, 4), offset = 4 * below(writer, 32);
    const char *reg = name(false, any(writer, false, size));
    if (space == 'l' && below(writer, 3) == 0)
        put(writer, "atomic.add.l.untyped.1d.u32.1 %s, l[r7.z], %s, %s\n", reg, name(false, any(writer, false, 1)),
            name(false, any(writer, false, 1)));
    else if (below(writer, 2))
        put(writer, "ld%c.u32 %s, %c[r7.z+%u], %u\n", space, reg, space, offset, size);
    else
        put(writer, "st%c.u32 %c[r7.z+%u], %s, %u\n", space, space, offset, reg, size);
}

static void insn(struct writer *writer)
{
    pad(writer);
    switch (below(writer, 12)) {
    case 0:
    case 1:
        move(writer);
        break;
    case 2:
        relative(writer);
        break;
    case 3:
    case 4:
        special(writer);
        break;
    case 5:
        texture(writer);
        break;
    case 6:
        memory(writer);
        break;
    case 7:
        put(writer, "%s%snop\n", below(writer, 2) ? "(ss)" : "", below(writer, 2) ? "(rpt2)" : "");
        break;
    default:
        arithmetic(writer);
        break;
    }
}

/* --- statements -------------------------------------------------------------------------------------------------- */

static void statement(struct writer *writer)
{
    if (writer->how->quads) {
        insn(writer);
        return;
    }
    unsigned kind = below(writer, 16), label = ++writer->labels, body = 1 + below(writer, 4);
    if (kind == 0 && writer->depth < 2) { /* three times around */
        char counter = "xy"[writer->depth];
        put(writer, "mov.s32s32 r7.%c, 0\nL%u:\n", counter, label);
        writer->depth++;
        for (unsigned i = 0; i < body; i++)
            statement(writer);
        writer->depth--;
        pad(writer);
        put(writer, "add.s r7.%c, r7.%c, 1\n", counter, counter);
        pad(writer);
        put(writer, "cmps.s.lt p0.z, r7.%c, 3\n", counter);
        pad(writer);
        put(writer, "br p0.z, #L%u\n", label);
    } else if (kind <= 2) { /* skipped or not */
        pad(writer);
        put(writer, "br %sp0.%c, #L%u\n", below(writer, 2) ? "!" : "", "xy"[below(writer, 2)], label);
        for (unsigned i = 0; i < body; i++)
            insn(writer);
        put(writer, "L%u:\n", label);
    } else if (kind == 3 && writer->calls) {
        put(writer, "call #sub\n");
    } else {
        insn(writer);
    }
}

void generate(struct generate *how, char text[GENERATE_ROOM])
{
    struct writer writer = {.how = how, .at = text, .end = text + GENERATE_ROOM};
    writer.calls = below(&writer, 3) == 0 && !how->quads;
    for (unsigned i = 0; i < how->statements; i++)
        statement(&writer);
    if (below(&writer, 8) == 0) {
        pad(&writer);
        put(&writer, "kill p0.%c\n", "xy"[below(&writer, 2)]);
    }
    put(&writer, "end\n");
    if (!writer.calls)
        return;
    put(&writer, "sub:\n");
    for (unsigned i = 0; i < 3; i++)
        insn(&writer);
    put(&writer, "ret\n");
}
