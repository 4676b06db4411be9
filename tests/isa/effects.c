/* SPDX-License-Identifier: MIT */
/* Flow, operands and effects of instructions, written out in short and compared with what the manuals say. */
#include "assembling.h"

#include "isa/isa.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"next", "jump", "branch", "call", "return", "stop"};
static const char *const uses[] = {"-", "r", "w", "rw"};

static struct gpucode_insn insn_of(const struct gpucode_target *target, const char *text)
{
    struct heard heard;
    struct gpucode_parse_options options = {.on_diagnostic = listen(&heard), .address = 100};
    struct gpucode_insn insn;
    if (gpucode_parse(target, text, strlen(text), &options, &insn) != GPUCODE_OK)
        fail_msg("%s is refused: %s", text, heard.said[0].message);
    return insn;
}

/* "branch 120 +1": kind, target ("?": not known) and delay slots. */
static void write_flow(const struct gpucode_insn *insn, char *text, size_t size)
{
    struct gpucode_flow flow;
    assert_true(gpucode_insn_flow(insn, &flow));
    assert_int_equal(flow.conditional, flow.kind == GPUCODE_FLOW_BRANCH);
    int length = snprintf(text, size, "%s", kinds[flow.kind]);
    if (flow.known)
        length += snprintf(text + length, size - (size_t)length, " %llu", (unsigned long long)flow.target);
    else if (flow.kind == GPUCODE_FLOW_JUMP || flow.kind == GPUCODE_FLOW_BRANCH || flow.kind == GPUCODE_FLOW_CALL)
        length += snprintf(text + length, size - (size_t)length, " ?");
    if (flow.delay_slots)
        snprintf(text + length, size - (size_t)length, " +%u", flow.delay_slots);
}

/* "general.2:w general.3:r": space, number, count when it is not 1, "/" and which of them where some are left out, use;
 * "?" not known, "~" perhaps, "q" a queue. */
static void write_effects(const struct gpucode_insn *insn, char *text, size_t size)
{
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    unsigned count = gpucode_insn_effects(insn, effects, GPUCODE_EFFECTS_MAX);
    int length = 0;
    *text = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_effect *e = &effects[i];
        const char *space = e->kind == GPUCODE_EFFECT_MEMORY ? "memory" : gpucode_space_name(insn->target, e->space);
        length += snprintf(text + length, size - (size_t)length, "%s%s%s", i ? " " : "", e->maybe ? "~" : "", space);
        if (e->known || e->count)
            length += snprintf(text + length, size - (size_t)length, ".%x", e->number);
        if (e->count > 1)
            length += snprintf(text + length, size - (size_t)length, "..%x", e->number + e->count - 1);
        if (e->mask && e->mask != (1u << e->count) - 1)
            length += snprintf(text + length, size - (size_t)length, "/%x", e->mask);
        length += snprintf(text + length, size - (size_t)length, "%s%s:%s",
                           e->known || e->kind == GPUCODE_EFFECT_MEMORY ? "" : "?",
                           e->kind == GPUCODE_EFFECT_QUEUE ? "q" : "", uses[e->use]);
    }
}

/* "$02:w $03:r 0x10": the text of each operand, and what is done with it. */
static void write_operands(const struct gpucode_insn *insn, char *text, size_t size)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char line[GPUCODE_TEXT_MAX];
    assert_int_equal(gpucode_format(insn, NULL, line, sizeof line, NULL), GPUCODE_OK);
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    int length = 0;
    *text = 0;
    for (unsigned i = 0; i < count; i++) {
        assert_true(operands[i].start + operands[i].length <= strlen(line));
        if (!operands[i].length)
            continue;
        length += snprintf(text + length, size - (size_t)length, "%s%.*s", length ? " " : "", (int)operands[i].length,
                           line + operands[i].start);
        if (operands[i].use)
            length += snprintf(text + length, size - (size_t)length, ":%s", uses[operands[i].use]);
    }
}

static const struct {
    const char *target, *text, *flow, *operands, *effects;
} facts[] = {
    {"afuc:a630", "nop", "next", "", ""},
    {"afuc:a630", "add $02, $03, 0x10", "next", "$02:w $03:r 0x10", "general.2:w general.3:r state.0:w"},
    {"afuc:a630", "addhi $02, $03, $00", "next", "$02:w $03:r $00:r", "general.2:w general.3:r state.0:r"},
    {"afuc:a630", "mov $00, $05", "next", "$00:w $05:r", "general.5:r"},
    {"afuc:a630", "mov $05, 0x1 << 4", "next", "$05:w 0x1 << 4", "general.5:w"},
    {"afuc:a730", "bfi $02, $03, b1, b2", "next", "$02:rw $03:r b1 b2", "general.2:rw general.3:r"},
    {"afuc:a730", "ubfx $02, $03, b1, b2", "next", "$02:w $03:r b1 b2", "general.2:w general.3:r"},
    {"afuc:a630", "mov $05, $data", "next", "$05:w $data:r", "general.5:w general.1fq:r ~general.1c:rw"},
    {"afuc:a630", "(peek)mov $05, $data", "next", "$05:w $data:r", "general.5:w general.1fq:r"},
    {"afuc:a630", "mov $addr, $05", "next", "$addr:w $05:r", "general.1d:w ~pipe?:w general.5:r"},
    {"afuc:a630", "mov $data, $05", "next", "$data:w $05:r",
     "general.1fq:w ~general.1d..1e?:rw ~gpu?:w ~pipe?:w ~memory:w general.5:r"},
    {"afuc:a630", "mov $05, $memdata", "next", "$05:w $memdata:r",
     "general.5:w general.1dq:r ~memory:r control.18..19:rw control.1a:rw"},
    {"afuc:a630", "mov $05, $regdata", "next", "$05:w $regdata:r",
     "general.5:w general.1eq:r ~gpu?:r control.27:rw control.26:rw"},
    {"afuc:a630", "(rep)add $05, $05, $06", "next", "$05:w $05:r $06:r",
     "~general.5:w ~general.5:r ~general.6:r ~state.0:w ~general.1c:rw"},
    {"afuc:a630", "(xmov1)mov $05, $06", "next", "$05:w $06:r", "general.5:w general.6:r ~general.1c:rw"},
    {"afuc:a630", "cwrite $02, [$00 + 0x10]", "next", "$02:r $00:r @IB1_BASE:w", "general.2:r control.10:w"},
    {"afuc:a630", "cread $02, [$03 + 0x10]", "next", "$02:w $03:r @IB1_BASE:r", "general.2:w general.3:r control?:r"},
    {"afuc:a630", "swrite $02, [$03 + 0x1]!", "next", "$02:r $03:rw 0x1:w", "general.2:r general.3:rw sqe?:w"},
    {"afuc:a630", "load $02, [$03 + 0x4]", "next", "$02:w $03:r 0x4", "general.2:w general.3:r memory:r control.58:r"},
    {"afuc:a630", "store $02, [$03 + 0x4]", "next", "$02:r $03:r 0x4", "general.2:r general.3:r memory:w control.58:r"},
    {"afuc:a630", "brne $02, b3, #l120", "branch 120 +1", "$02:r b3 #l120", "general.2:r"},
    {"afuc:a630", "breq $02, 0x3, #l80", "branch 80 +1", "$02:r 0x3 #l80", "general.2:r"},
    {"afuc:a630", "jump #l7", "jump 7 +1", "#l7", ""},
    {"afuc:a730", "jumpa #l7", "jump 7 +1", "#l7", ""},
    {"afuc:a730", "jump $02", "jump ? +1", "$02:r", "general.2:r"},
    {"afuc:a730", "jump $lr", "return +1", "$lr:r", "general.1b:r"},
    {"afuc:a630", "jumpd $02", "jump ? +1", "$02:r", "general.2:r"},
    {"afuc:a630", "call #fxn7", "call 7 +1", "#fxn7", "sqe.5:rw sqe.8..f?:w"},
    {"afuc:a630", "bl #fxn7", "call 7 +1", "#fxn7", "general.1b:w"},
    {"afuc:a630", "ret", "return +1", "", "sqe.5:rw sqe.8..f?:r"},
    {"afuc:a630", "iret", "return +1", "", ""},
    {"afuc:a730", "sret", "return +1", "", "general.1b:r"},
    {"afuc:a630", "waitin", "return +1", "", ""},
    {"afuc:a630", "setsecure $02, #l103", "branch 103", "#l103", "general.2:r"},
    {"ir3:a630", "(rpt2)add.f r4.x, (r)r0.x, c1.x", "next", "r4.x:w (r)r0.x:r c1.x:r",
     "general.10..12:w general.0..2:r const.4:r"},
    {"ir3:a630", "mad.f32 r0.x, c63.x, r1.x, c100.y", "next", "r0.x:w c63.x:r r1.x:r c100.y:r",
     "general.0:w const.fc:r general.4:r const.191:r"},
    {"ir3:a630", "(rpt2)add.f hr4.x, hr0.x, (r)hc1.x", "next", "hr4.x:w hr0.x:r (r)hc1.x:r",
     "half.10..12:w half.0:r const.4..6:r"},
    {"ir3:a630", "(sy)isam (f32)(xz)r0.x, r1.x, s#0, t#0", "next", "(f32)(xz)r0.x:w r1.x:r s#0, t#0",
     "general.0..2/5:w general.4..5:r memory:r"},
    {"ir3:a630", "rgetinfo (u32)(xyzw)r1.x", "next", "(u32)(xyzw)r1.x:w", "general.4..7:w"},
    {"ir3:a630", "getinfo (u32)(x)r1.x, t#0", "next", "(u32)(x)r1.x:w t#0", "general.4:w"},
    {"ir3:a630", "sam.3d (f32)(xyzw)r0.x, r1.x, s#0, t#0", "next", "(f32)(xyzw)r0.x:w r1.x:r s#0, t#0",
     "general.0..3:w general.4..6:r memory:r"},
    {"ir3:a630", "bary.f r0.x, 2, r1.x", "next", "r0.x:w 2 r1.x:r", "general.0:w general.4..5:r varying.2:r"},
    {"ir3:a630", "(rpt1)bary.f r0.x, (r)r2.x, r1.x", "next", "r0.x:w (r)r2.x:r r1.x:r",
     "general.0..1:w general.8..9:r general.4..5:r varying?:r"},
    {"ir3:a630", "flat.b r0.x, 3, r1.x", "next", "r0.x:w 3 r1.x:r", "general.0:w general.4:r varying.3:r"},
    {"ir3:a630", "swz.u32u32 r0.x, r1.y, r2.x, r3.x", "next", "r0.x:w r1.y:w r2.x, r3.x:r",
     "general.0:w general.5:w general.8:r general.c:r"},
    {"ir3:a630", "gat.u32u32 r4.x, r0.x, r1.x, r63.x, r3.x", "next", "r4.x:w r0.x, r1.x, r63.x, r3.x:r",
     "general.10..13:w general.0:r general.4:r general.c:r"},
    {"ir3:a630", "swz.u32u32 r0.x, r1.y, r63.x, r3.x", "next", "r0.x:w r1.y:w r63.x, r3.x:r",
     "general.0:w general.5:w general.c:r"},
    {"ir3:a630", "sct.u32u32 r0.x, r1.x, r0.z, r3.x, r4.x", "next", "r0.x:w r1.x, r0.z, r3.x:w r4.x:r",
     "general.0:w general.4:w general.2:w general.c:w general.10..13:r"},
    {"ir3:a630", "predt", "next", "", "general.f8:r"},
    {"ir3:a630", "shfl.up.u32 r1.x, r2.x, 1", "next", "r1.x:w r2.x:r 1", "general.4:w general.8:r general.4:r"},
    {"ir3:a630", "sam.s2en.uniform (f32)(x)r0.x, r1.x, hr2.x", "next", "(f32)(x)r0.x:w r1.x:r hr2.x:r",
     "general.0:w general.4..5:r half.8..9:r memory:r"},
    {"ir3:a630", "sam.base0 (f32)(x)r0.x, r1.x, s#0, a1.x", "next", "(f32)(x)r0.x:w r1.x:r s#0, a1.x",
     "general.0:w general.4..5:r memory:r general.f5:r"},
    {"ir3:a630", "cmps.s.eq up0.y, r0.x, 1", "next", "up0.y:w r0.x:r 1", "general.f9:w general.0:r"},
    {"ir3:a630", "mova a0.x, hr2.x", "next", "hr2.x:r", "half.8:r general.f4:w"},
    {"ir3:a630", "movs.u32u32 r48.x, r2.x, a0.x", "next", "r48.x:w r2.x:r", "general.c0:w general.8:r general.f4:r"},
    {"ir3:a630", "add.s r0.x, c<a0.x + 4>, r1.x", "next", "r0.x:w c<a0.x + 4>:r r1.x:r",
     "general.0:w const?:r general.4:r general.f4:r"},
    {"ir3:a630", "brcst.active.w8 (u32)(x)r0.x, r1.x", "next", "(u32)(x)r0.x:w r1.x:r",
     "general.0:w general.4:r general.0:r"},
    {"ir3:a630", "wmm.accu hr0.x, hr1.x, hr2.x, 0", "next", "hr0.x:w hr1.x:r hr2.x:r 0",
     "half.0..3:w half.4..7:r half.8..b:r half.0..3:r"},
    {"ir3:a630", "ldg.a.f32 r4.x, g[r0.x+(r2.x<<2)], 1", "next", "r4.x:w r0.x:r +(r2.x<<2):r 1",
     "general.10:w general.0..1:r general.8:r memory:r"},
    {"ir3:a630", "ldg.u16 hr2.x, g[r0.x+4], 3", "next", "hr2.x:w r0.x:r +4 3", "half.8..a:w general.0..1:r memory:r"},
    {"ir3:a630", "mov.f32f32 r0.x, r<a0.x + 4>", "next", "r0.x:w r<a0.x + 4>:r", "general.0:w general?:r general.f4:r"},
    {"ir3:a630", "add.f r63.x, r0.x, r1.x", "next", "r63.x:w r0.x:r r1.x:r", "general.0:r general.4:r"},
    {"a3xx", "nop", "next", "", ""},
    {"a3xx", "(rpt1)add.f r0.x, (r)r1.x, c2.y", "next", "r0.x:w (r)r1.x:r c2.y:r",
     "general.0..1:w general.4..5:r const.9:r"},
    {"a3xx", "add.s hr0.x, hr1.x, 5", "next", "hr0.x:w hr1.x:r 5", "half.0:w half.4:r"},
    {"a3xx", "mova a0.x, hr0.x", "next", "hr0.x:r", "half.0:r general.f4:w"},
    {"a3xx", "mov.f32f32 r0.x, c<a0.x + 16>", "next", "r0.x:w c<a0.x + 16>:r", "general.0:w const?:r general.f4:r"},
    {"a3xx", "mov.u32u32 r<a0.x + 2>, 7", "next", "r<a0.x + 2>:w 7", "general?:w general.f4:r"},
    {"a3xx", "mad.f32 r0.x, c1.x, r2.x, r3.x", "next", "r0.x:w c1.x:r r2.x:r r3.x:r",
     "general.0:w const.4:r general.8:r general.c:r"},
    {"a3xx", "rcp r0.z, r0.w", "next", "r0.z:w r0.w:r", "general.2:w general.3:r"},
    {"a3xx", "(rpt1)bary.f (ei)r0.x, (r)2, r1.x", "next", "r0.x:w (r)2 r1.x:r",
     "general.0..1:w general.4..5:r varying.2..3:r"},
    {"a3xx", "sam.o (f32)(xw)r0.x, r1.x, r2.x, s#1, t#3", "next", "(f32)(xw)r0.x:w r1.x:r r2.x:r s#1 t#3",
     "general.0..3/9:w general.4..5:r general.8..9:r memory:r texture.f..13:r"},
    {"a3xx", "samb.s2en (f16)(x)hr0.x, r1.x, r2.x, hr2.z", "next", "(f16)(x)hr0.x:w r1.x:r r2.x:r hr2.z:r",
     "half.0:w general.4..5:r general.8:r half.a..b:r memory:r texture?:r"},
    {"a3xx", "getinfo (u32)(z)r0.x, t#0", "next", "(u32)(z)r0.x:w t#0", "general.0..2/4:w texture.0..4:r"},
    {"a3xx", "dsx (f32)(xz)r0.x, r1.x", "next", "(f32)(xz)r0.x:w r1.x:r", "general.0..2/5:w general.4..6:r"},
    {"a3xx", "ldg.f32 r1.y, g[r6.x+16], 4", "next", "r1.y:w r6.x:r +16 4", "general.5..8:w general.18:r memory:r"},
    {"a3xx", "stp.f32 p[r0.w-4],r5.y, 2", "next", "r0.w:r -4 r5.y:r 2", "general.3:r general.15..16:r memory:w"},
    {"a3xx", "atomic.add.l.untyped.1d.u32.1 r3.x, l[r0.x], 7, r2.x", "next", "r3.x:w r0.x:r 7 r2.x:r",
     "general.c:w general.0:r general.8:r memory:rw"},
    {"a3xx", "cmps.s.eq p0.y, r0.x, 1", "next", "p0.y:w r0.x:r 1", "general.f9:w general.0:r"},
    {"a3xx", "br !p0.y, #-5", "branch 95", "!p0.y:r #-5", "general.f9:r"},
    {"a3xx", "jump #7", "jump 107", "#7", ""},
    {"a3xx", "call #7", "call 107", "#7", ""},
    {"a3xx", "ret", "return", "", ""},
    {"a3xx", "kill p0.x", "next", "p0.x:r", "general.f8:r ~flags.0:w"},
    {"a3xx", "end", "stop", "", ""},
    {"a3xx", "add.s r63.x, r1.x, 1", "next", "r63.x:w r1.x:r 1", "general.4:r"},
    {"hwsq:nv50", "exit", "stop", "", ""},
    {"hwsq:nv50", "nop", "next", "", ""},
    {"hwsq:nv50", "addr 0x100", "next", "0x100:w", "gpu.100:w general.3:w general.4:r"},
    {"hwsq:nv50", "addrlo 0x30", "next", "0x30:w", "gpu?:w general.3:rw general.4:r"},
    {"hwsq:nv50", "data 0x12345", "next", "0x12345", "general.4:w"},
    {"hwsq:nv50", "datalo 0x1234", "next", "0x1234", "general.4:rw"},
    {"hwsq:nv50", "set1 #FB_PAUSE", "next", "#FB_PAUSE:w", "flag.10:w"},
    {"hwsq:nv50", "unset 3", "next", "0x3:w", "flag.3:w"},
    {"hwsq:nv50", "ewait 1 1", "next", "#HEAD0_VBLANK:r 0x1", "event.1:r"},
};

static void records_are_what_manuals_say(void)
{
    bool good = true;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct gpucode_insn insn = insn_of(gpucode_target_find(facts[i].target), facts[i].text);
        char flow[64], operands[GPUCODE_TEXT_MAX], effects[4 * GPUCODE_TEXT_MAX];
        write_flow(&insn, flow, sizeof flow);
        write_operands(&insn, operands, sizeof operands);
        write_effects(&insn, effects, sizeof effects);
        if (strcmp(flow, facts[i].flow) != 0 || strcmp(operands, facts[i].operands) != 0 ||
            strcmp(effects, facts[i].effects) != 0) {
            print_message("%s:\n    {\"%s\", \"%s\", \"%s\", \"%s\",\n     \"%s\"},\n", facts[i].target,
                          facts[i].target, facts[i].text, flow, operands, effects);
            good = false;
        }
    }
    assert_true(good);
}

/* Only as many as there is room for are written, and all are counted. */
static void room_is_kept(void)
{
    struct gpucode_insn insn = insn_of(gpucode_target_find("afuc:a630"), "add $02, $03, 0x10");
    struct gpucode_effect effects[2] = {{.number = 77}, {.number = 77}};
    struct gpucode_operand operands[2] = {{.number = 77}, {.number = 77}};
    struct gpucode_flow flow;
    assert_int_equal(gpucode_insn_effects(&insn, effects, 1), 3);
    assert_int_equal(effects[0].number, 2);
    assert_int_equal(effects[1].number, 77);
    assert_int_equal(gpucode_insn_operands(&insn, NULL, operands, 1), 3);
    assert_int_equal(operands[0].number, 2);
    assert_int_equal(operands[1].number, 77);
    insn.row = UINT16_MAX;
    assert_false(gpucode_insn_flow(&insn, &flow));
    assert_int_equal(gpucode_insn_effects(&insn, effects, 2), 0);
    assert_int_equal(gpucode_insn_operands(&insn, NULL, operands, 2), 0);
    char text[GPUCODE_TEXT_MAX];
    assert_false(gpucode_insn_part(&insn, NULL, 0, text, NULL));
    assert_null(gpucode_space_name(insn.target, GPUCODE_SPACE_COUNT + 15));
}

/* --- every row at the boundaries of its fields ------------------------------------------------------------------ */

/* What a manual calls control flow, by mnemonic and not by row. */
static bool is_flow(const char *isa, const char *mnemonic)
{
    static const char *const afuc[] = {"brne",   "breq", "jump",  "ret", "iret",  "call",
                                       "waitin", "sret", "jumpd", "bl",  "jumpa", "setsecure"};
    if (strcmp(isa, "hwsq") == 0)
        return strcmp(mnemonic, "exit") == 0;
    for (size_t i = 0; i < sizeof afuc / sizeof *afuc; i++)
        if (strcmp(mnemonic, afuc[i]) == 0)
            return true;
    return false;
}

/* Parts one after the other are the text, and each that has a letter is of a field of the row. */
static void check_parts(const struct gpucode_insn *insn)
{
    char line[GPUCODE_TEXT_MAX], part[GPUCODE_TEXT_MAX], joined[2 * GPUCODE_TEXT_MAX] = "", letter;
    const struct gpucode_format_options plain = {0};
    struct gpucode_row row;
    assert_int_equal(gpucode_format(insn, &plain, line, sizeof line, NULL), GPUCODE_OK);
    assert_true(gpucode_row(insn->target, insn->row, &row));
    unsigned letters = 0, index = 0;
    for (; gpucode_insn_part(insn, &plain, index, part, &letter); index++) {
        const char field[] = {'{', letter, '}', 0};
        assert_true(!letter || strstr(row.text, field));
        letters += letter != 0;
        strcat(joined, part);
    }
    assert_true(index != 0);
    unsigned braces = 0;
    for (const char *at = row.text; (at = strchr(at, '{')); at++)
        braces++;
    assert_int_equal(letters, braces);
    assert_memory_equal(line, joined, strlen(joined)); /* a comment may follow */
    assert_true(line[strlen(joined)] == 0 || line[strlen(joined)] == '\t');
}

/* The operand's text says the same as its number or value. */
static bool agrees_with_text(const struct gpucode_insn *insn, const struct gpucode_operand *operand, const char *text)
{
    char read[GPUCODE_NAME_MAX];
    unsigned space;
    uint32_t number;
    snprintf(read, sizeof read, "%.*s", (int)operand->length, text);
    if (operand->type == GPUCODE_OPERAND_TARGET && read[0] == '#' && (read[1] == 'l' || read[1] == 'f'))
        return strtoll(read + (read[1] == 'l' ? 2 : 4), NULL, 10) == operand->value;
    if (operand->type == GPUCODE_OPERAND_REGISTER && read[0] == '$')
        return insn->target->isa->text.own_register(read, strlen(read), &space, &number) && space == operand->space &&
               number == operand->number;
    if (operand->type == GPUCODE_OPERAND_REGISTER && (read[0] == '@' || read[0] == '%')) {
        char *plus = strchr(read, '+'); /* the second word of a pair */
        size_t length = plus ? (size_t)(plus - read) : strlen(read);
        return gpucode_number_of(insn->target, NULL, operand->space, read + 1, length - 1, &number) &&
               number + (plus ? strtoul(plus + 1, NULL, 0) : 0) == operand->number;
    }
    return true;
}

/* Operands of these are registers that need not lie in a row. */
static bool names_several(const struct gpucode_insn *insn)
{
    struct gpucode_row row;
    return gpucode_row(insn->target, insn->row, &row) &&
           (!strcmp(row.mnemonic, "swz") || !strcmp(row.mnemonic, "gat") || !strcmp(row.mnemonic, "sct"));
}

static void check_operands(const struct gpucode_insn *insn, const struct gpucode_flow *flow,
                           const struct gpucode_effect *effects, unsigned effect_count)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    assert_int_equal(gpucode_format(insn, NULL, text, sizeof text, NULL), GPUCODE_OK);
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX), end = 0;
    assert_true(count <= GPUCODE_OPERANDS_MAX);
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_operand *o = &operands[i];
        assert_true(o->start >= end && o->start + o->length <= strlen(text));
        end = o->start + o->length;
        assert_true(o->type != GPUCODE_OPERAND_MODIFIER);
        assert_true(o->use == GPUCODE_USE_NONE || o->type == GPUCODE_OPERAND_REGISTER);
        if (!agrees_with_text(insn, o, text + o->start))
            fail_msg("%s: '%.*s' is not %u or %lld", text, (int)o->length, text + o->start, o->number,
                     (long long)o->value);
    }
    assert_true(flow->operand >= -1 && flow->operand < (int)count);
    if (flow->operand >= 0 && flow->known) {
        assert_int_equal(operands[flow->operand].type, GPUCODE_OPERAND_TARGET);
        assert_int_equal(operands[flow->operand].value, flow->target);
    } else if (flow->operand >= 0) {
        assert_int_equal(operands[flow->operand].type, GPUCODE_OPERAND_REGISTER);
    }
    for (unsigned i = 0; i < effect_count; i++) {
        const struct gpucode_effect *e = &effects[i];
        assert_true(e->use >= GPUCODE_USE_READ && e->use <= GPUCODE_USE_BOTH);
        assert_true(e->kind == GPUCODE_EFFECT_MEMORY || gpucode_space_name(insn->target, e->space));
        assert_true(e->operand >= -1 && e->operand < (int)count);
        if (e->operand >= 0) {
            const struct gpucode_operand *o = &operands[e->operand];
            assert_true((o->space == e->space && o->number == e->number) || names_several(insn));
            if ((o->use & e->use) != e->use)
                fail_msg("%s: %s: operand %d", gpucode_target_name(insn->target), text, e->operand);
        }
    }
}

static void check_record(const struct gpucode_target *target, const struct gpucode_row *row, uint64_t bits)
{
    unsigned char bytes[8];
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    assert_int_equal(gpucode_decode(target, bytes, row->size, 40000, &insn), GPUCODE_OK);
    struct gpucode_row found; /* another, where the bits are a special case */
    gpucode_row(target, insn.row, &found);
    assert_true(gpucode_insn_flow(&insn, &flow));
    const char *isa = gpucode_target_isa(target);
    bool is_afuc = strcmp(isa, "afuc") == 0;
    if (is_afuc || strcmp(isa, "hwsq") == 0) {
        assert_int_equal(flow.kind != GPUCODE_FLOW_NEXT, is_flow(isa, found.mnemonic));
        assert_int_equal(flow.delay_slots, is_afuc && flow.kind && strcmp(found.mnemonic, "setsecure") != 0);
    }
    assert_true(flow.kind != GPUCODE_FLOW_NEXT || (!flow.known && !flow.conditional));
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    assert_true(count < GPUCODE_EFFECTS_MAX); /* else some may have been lost */
    check_operands(&insn, &flow, effects, count);
    check_parts(&insn);
}

static void every_row_has_a_record(void)
{
    const struct gpucode_target *target;
    uint64_t random = 11;
    for (unsigned at = 0; (target = gpucode_target_at(at)); at++)
        for (unsigned i = 0; i < gpucode_row_count(target); i++) {
            struct gpucode_row row;
            gpucode_row(target, i, &row);
            if (!gpucode_row_on_target(target, i))
                continue;
            uint64_t free_bits = ~(row.mask | row.ignored) & ~UINT64_C(0) >> (64 - 8 * row.size);
            check_record(target, &row, row.match);
            check_record(target, &row, row.match | free_bits);
            for (unsigned bit = 0; bit < 8u * row.size; bit++) {
                if (!(free_bits >> bit & 1))
                    continue;
                check_record(target, &row, row.match | UINT64_C(1) << bit);
                check_record(target, &row, row.match | (free_bits & ~(UINT64_C(1) << bit)));
                uint64_t word = (uint64_t)next_random(&random) << 32 | next_random(&random);
                check_record(target, &row, row.match | (word & free_bits));
            }
        }
}

/* --- fields of registers' values, and what instructions cost ---------------------------------------------------------
 */

/* The fields of a value say its bits, as many of them as there is room for; the text has them all. */
static unsigned check_fields(const struct gpucode_target *target, unsigned space, uint32_t number, uint32_t value)
{
    static struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX], one[2];
    char text[4096], small[4096];
    size_t count = target->isa->text.fields(target, space, number, value, fields, GPUCODE_FIELD_VALUES_MAX);
    assert_true(count <= GPUCODE_FIELD_VALUES_MAX);
    uint64_t said = 0;
    for (size_t i = 0; i < count; i++) {
        const struct gpucode_field_value *field = &fields[i];
        assert_true(*field->name && *field->text && field->low <= field->high && field->high < 32);
        uint32_t part = value >> field->low & (UINT32_MAX >> (31 - (field->high - field->low)));
        assert_int_equal(field->value, part);
        assert_int_equal(said & (uint64_t)part << field->low, 0); /* of no bit twice */
        said |= (uint64_t)part << field->low;
    }
    one[1].name = NULL;
    assert_int_equal(target->isa->text.fields(target, space, number, value, one, 1), count);
    assert_null(one[1].name);
    size_t length = isa_fields_text(target, space, number, value, text, sizeof text);
    assert_int_equal(length != 0, count || (value && target->isa->text.fields(target, space, number, ~0u, NULL, 0)));
    if (!length)
        return (unsigned)count;
    assert_int_equal(strlen(text), length);
    assert_true(strncmp(text, "{ ", 2) == 0 && strcmp(text + length - 2, " }") == 0);
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        at = strstr(at, fields[i].name);
        assert_non_null(at);
    }
    char rest[24];
    snprintf(rest, sizeof rest, "0x%x }", (unsigned)(value & ~said));
    assert_true(value == said || strstr(text, rest));
    for (size_t room = 0; room <= length + 1; room += 1 + room / 3) {
        memset(small, '!', sizeof small);
        assert_int_equal(isa_fields_text(target, space, number, value, small, room), length);
        assert_int_equal(small[room], '!');
        assert_true(!room || (strlen(small) < room && memcmp(small, text, strlen(small)) == 0));
    }
    return (unsigned)count;
}

static void fields_are_bits(void)
{
    const struct gpucode_target *target;
    unsigned found = 0;
    for (unsigned at = 0; (target = gpucode_target_at(at)); at++)
        for (unsigned space = 0; target->is_generation && target->isa->text.fields && space < GPUCODE_SPACE_COUNT;
             space++)
            for (uint32_t number = 0; number < 0x1400; number = number == 0x3ff ? 0x1300 : number + 1) {
                if (!target->isa->text.fields(target, space, number, UINT32_MAX, NULL, 0)) {
                    char text[8];
                    assert_int_equal(isa_fields_text(target, space, number, 1, text, sizeof text), 0);
                    continue;
                }
                found += check_fields(target, space, number, UINT32_MAX) > 1;
                check_fields(target, space, number, 0);
                check_fields(target, space, number, 0x5a5aa5a5);
                for (unsigned bit = 0; bit < 32; bit++)
                    check_fields(target, space, number, UINT32_C(1) << bit);
            }
    assert_true(found > 20);
}

static void costs(void)
{
    static const struct {
        const char *target, *text, *unit; /* null: nothing is known */
        uint64_t count;
    } cases[] = {
        {"a3xx", "nop", "slots", 1},
        {"a3xx", "(rpt5)nop", "slots", 6},
        {"a3xx", "(rpt2)add.f r0.x, r1.x, r2.x", "slots", 3},
        {"ir3:a650", "nop", "slots", 1},
        {"ir3:a650", "(rpt5)nop", "slots", 6},
        {"ir3:a650", "(nop3)add.f r0.x, r1.x, r2.x", "slots", 4},
        {"ir3:a650", "(rpt3)mov.f32f32 r0.x, (r)r1.x", "slots", 4},
        {"hwsq:g94", "wait 1us", "us", 1},
        {"hwsq:g94", "wait 0x1 shl 0xa", "us", 1024},
        {"hwsq:g94", "wait 0x3 shl 0x1e", "us", 3221225472}, /* opcode 0x3f */
        {"hwsq:g94", "addrlo 0x200", NULL, 0},               /* opcode 0x40 */
        {"hwsq:g94", "exit", NULL, 0},
        {"hwsq:g94", "set1 0", NULL, 0},
        {"afuc:a630", "nop", NULL, 0},
        {"mme:fermi", "nop", NULL, 0},
    };
    struct gpucode_insn insn;
    struct gpucode_cost cost;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        insn = insn_of(target_named(cases[i].target), cases[i].text);
        bool known = gpucode_insn_cost(&insn, &cost);
        if (known != (cases[i].unit != NULL))
            fail_msg("%s", cases[i].text);
        if (!known)
            continue;
        assert_string_equal(cost.unit, cases[i].unit);
        assert_int_equal(cost.count, cases[i].count);
        assert_false(gpucode_insn_cost(&insn, NULL));
    }
    assert_false(gpucode_insn_cost(NULL, &cost));
}

TESTS(effects, fields_are_bits, costs, records_are_what_manuals_say, room_is_kept, every_row_has_a_record)
