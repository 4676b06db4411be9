/* SPDX-License-Identifier: MIT */
/*
 * Rules for HWSQ scripts. Code has no branches, so that each entry point is one walk to its exit.
 */
#include "isa/lint.h"
#include "hwsq_messages.h"

#include "isa/hwsq/hwsq.h"

#include <string.h>

#define NOTES "HWSQ notes, "
#define EXIT_OPCODE 0x7f
#define MMIO_END UINT32_C(0x1000000)
#define FB_PAUSE 16
#define BITS(bits, shift, width) ((uint32_t)((bits) >> (shift) & ((UINT64_C(1) << (width)) - 1)))

/* One walk from an entry point. */
struct walk {
    struct lint_context *context;
    const struct isa_layout *layout;
    const struct gpucode_target *target;
    const struct hwsq_chip *chip;
    uint8_t *seen; /* per byte: a walk has come here */
    uint32_t at;
    unsigned size;
    uint32_t address, data;
    bool address_full, data_full; /* the upper half comes from this script */
    bool data_any;
    bool asked;  /* FB_PAUSE is set */
    bool paused; /* and FB_PAUSED was waited for */
    uint32_t asked_at;
    uint64_t paused_units;
    int last_event, last_value; /* of the opcode before, -1: it was not an ewait */
};

static void find_at_insn(const struct walk *walk, message_id message, const char *reference)
{
    lint_find(walk->context, 0, walk->at, walk->size, message, reference);
}

static void find_number(const struct walk *walk, message_id message, const char *reference, uint64_t number)
{
    lint_find(walk->context, 0, walk->at, walk->size, message, reference, (unsigned long long)number);
}

/* --- opcodes ----------------------------------------------------------------------------------------- */

static void check_wait(struct walk *walk, unsigned opcode)
{
    uint64_t units = hwsq_wait_units(opcode);
    if (walk->asked)
        walk->paused_units += units;
    if (opcode && !units)
        find_at_insn(walk, MSG_LINT_HWSQ_ZERO_WAIT, NOTES "PTIMER wait opcodes");
    if (units > lint_limit(walk->context, "hwsq-long-wait"))
        find_number(walk, MSG_LINT_HWSQ_LONG_WAIT, NOTES "PTIMER wait opcodes", units);
}

static void check_ewait(struct walk *walk, uint64_t bits)
{
    unsigned event = BITS(bits, 8, 5), value = BITS(bits, 16, 1);
    bool vblank = event == 1 || event == 3, hblank = event == 2 || event == 4;
    if (bits & hwsq_rows.rows[HWSQ_EWAIT].facts.ignored)
        find_at_insn(walk, MSG_LINT_HWSQ_RESERVED, "envytools' disassembler: five bits of event, one of value");
    if (event == 0 && value && !walk->asked)
        find_at_insn(walk, MSG_LINT_HWSQ_NEVER_PAUSED, NOTES "Framebuffer pause feature");
    if (event == 0 && !value && walk->asked)
        find_at_insn(walk, MSG_LINT_HWSQ_NEVER_RELEASED, NOTES "Framebuffer pause feature");
    if (event == 0)
        walk->paused = value;
    if (event > 4)
        find_number(walk, MSG_LINT_HWSQ_EVENT, NOTES "Events", event);
    if ((vblank || hblank) && walk->asked)
        find_at_insn(walk, MSG_LINT_HWSQ_BLANK_PAUSED, NOTES "Framebuffer pause feature");
    if (hblank)
        find_at_insn(walk, MSG_LINT_HWSQ_HBLANK,
                     "Linux 3.3 to 3.12 passed a mask of heads as the event: mask 2 became HBLANK of head 0");
    if (vblank && value && !(walk->last_event == (int)event && walk->last_value == 0))
        find_at_insn(walk, MSG_LINT_HWSQ_MID_BLANK, "nouveau waits for the value 0 first");
    walk->last_event = (int)event;
    walk->last_value = (int)value;
}

static void check_flag(struct walk *walk, enum hwsq_row row, unsigned flag)
{
    char name[GPUCODE_NAME_MAX];
    if (isa_name_of(walk->target->names, NULL, GPUCODE_SPACE_FLAG, flag, name) == name)
        find_number(walk, MSG_LINT_HWSQ_FLAG, NOTES "Flags", flag);
    if (flag != FB_PAUSE || walk->target->generation == HWSQ_NV17)
        return;
    if (row == HWSQ_SET1 && !walk->asked) {
        walk->asked_at = walk->at;
        walk->paused_units = 0;
    }
    if (row != HWSQ_SET1 && walk->asked) {
        uint64_t budget = lint_limit(walk->context, "hwsq-pause-budget");
        if (walk->paused_units > budget)
            lint_find(walk->context, 0, walk->asked_at, 1, MSG_LINT_HWSQ_PAUSE_LONG, NOTES "Framebuffer pause feature",
                      (unsigned long long)walk->paused_units, (unsigned long long)budget);
    }
    walk->asked = row == HWSQ_SET1;
    walk->paused = walk->paused && walk->asked;
}

static void check_poke(struct walk *walk, enum hwsq_row row, uint32_t value)
{
    bool full = row == HWSQ_ADDR;
    if (!full && !walk->address_full)
        find_at_insn(walk, MSG_LINT_HWSQ_SHORT_ADDRESS, NOTES "MMIO poke opcodes");
    if (!walk->data_any)
        find_at_insn(walk, MSG_LINT_HWSQ_NO_DATA, NOTES "MMIO poke opcodes");
    walk->address = full ? value : (walk->address & 0xffff0000) | value;
    walk->address_full |= full;
    if (walk->address & 3)
        find_at_insn(walk, MSG_LINT_HWSQ_UNALIGNED, NOTES "MMIO poke opcodes: MMIO_WR32");
    if (walk->address_full && walk->address >= MMIO_END)
        find_number(walk, MSG_LINT_HWSQ_OUTSIDE, "the register space, BAR0, has 16 MiB", walk->address);
    if (walk->asked && !walk->paused)
        find_at_insn(walk, MSG_LINT_HWSQ_PAUSE_EARLY, NOTES "Framebuffer pause feature");
    if (!walk->address_full)
        return;
    if (walk->asked && walk->address >= HWSQ_PRAMIN && walk->address < HWSQ_PRAMIN_END)
        find_number(walk, MSG_LINT_HWSQ_MEMORY_PAUSED, NOTES "Framebuffer pause feature", walk->address);
    uint32_t window_end = walk->chip->window + walk->chip->code_bytes;
    if (walk->address == 0x1098)
        find_at_insn(walk, MSG_LINT_HWSQ_OWN_ENABLE, NOTES "Flags: HWSQ_ENABLE");
    else if (walk->address == 0x130c)
        find_at_insn(walk, MSG_LINT_HWSQ_OWN_TRIGGER, NOTES "Script execution");
    else if ((walk->address >= 0x1304 && walk->address <= 0x1318) ||
             (walk->address >= 0x1400 &&
              walk->address < 0x1400 + (walk->chip->code_bytes < 0x100 ? walk->chip->code_bytes : 0x100)) ||
             (walk->address >= walk->chip->window && walk->address < window_end))
        find_at_insn(walk, MSG_LINT_HWSQ_OWN, NOTES "MMIO registers");
}

static void check_insn(struct walk *walk, enum hwsq_row row, uint64_t bits)
{
    if (row != HWSQ_EWAIT && row != HWSQ_NOP)
        walk->last_event = -1;
    switch (row) {
    case HWSQ_NOP:
    case HWSQ_WAIT:
        check_wait(walk, (unsigned)bits & 0x3f);
        break;
    case HWSQ_EWAIT:
        check_ewait(walk, bits);
        break;
    case HWSQ_UNSET:
    case HWSQ_SET1:
    case HWSQ_SET0:
        check_flag(walk, row, (unsigned)bits & 31);
        break;
    case HWSQ_DATA:
        walk->data_full = walk->data_any = true;
        break;
    case HWSQ_DATALO:
        if (!walk->data_full)
            find_at_insn(walk, MSG_LINT_HWSQ_SHORT_DATA, NOTES "MMIO poke opcodes");
        walk->data_any = true;
        break;
    case HWSQ_ADDR:
    case HWSQ_ADDRLO:
        check_poke(walk, row, (uint32_t)(bits >> 8));
        break;
    case HWSQ_EXIT:
        if (walk->asked)
            find_at_insn(walk, MSG_LINT_HWSQ_EXIT_PAUSED, NOTES "Framebuffer pause feature");
        break;
    default:
        break;
    }
}

/* --- walks --------------------------------------------------------------------------------------------- */

/* A byte that is not an opcode of the variant. */
static void check_unknown(struct walk *walk, unsigned byte)
{
    int elsewhere = isa_decode_row(&hwsq_rows, HWSQ_NV50, byte);
    if (elsewhere >= 0)
        lint_find(walk->context, 0, walk->at, hwsq_rows.rows[elsewhere].facts.size, MSG_LINT_HWSQ_NV41_OPCODE,
                  NOTES "Opcodes", hwsq_rows.rows[elsewhere].facts.mnemonic);
    else
        find_number(walk, walk->chip->unknown_hangs ? MSG_LINT_HWSQ_HANGS : MSG_LINT_HWSQ_SKIPPED,
                    NOTES "Script execution", byte);
}

static void follow_walk(struct walk *walk)
{
    const unsigned char *bytes = walk->layout->bytes;
    while (walk->at < walk->layout->size) {
        struct gpucode_insn insn;
        walk->seen[walk->at] = 1;
        walk->size = 1;
        enum gpucode_status status =
            gpucode_decode(walk->target, bytes + walk->at, walk->layout->size - walk->at, walk->at, &insn);
        if (status == GPUCODE_ERROR_TRUNCATED) {
            walk->size = (unsigned)(walk->layout->size - walk->at);
            find_at_insn(walk, MSG_LINT_HWSQ_CUT_OFF, NOTES "Opcodes");
            memset(walk->seen + walk->at, 1, walk->size);
            return;
        }
        if (status != GPUCODE_OK) {
            check_unknown(walk, bytes[walk->at]);
            walk->last_event = -1;
            if (walk->chip->unknown_hangs) { /* the slot hangs here, but the code after was meant to run too */
                memset(walk->seen + walk->at, 1, walk->layout->size - walk->at);
                return;
            }
            walk->at++;
            continue;
        }
        walk->size = insn.size;
        for (unsigned i = 1; i < insn.size; i++)
            walk->seen[walk->at + i] = 1;
        check_insn(walk, insn.row, insn.bits);
        if (hwsq_rows.rows[insn.row].flow == GPUCODE_FLOW_STOP)
            return;
        walk->at += insn.size;
    }
    walk->size = 1;
    walk->at = walk->layout->size ? (uint32_t)walk->layout->size - 1 : 0;
    find_at_insn(walk, MSG_LINT_HWSQ_NO_EXIT, NOTES "Script execution");
    if (walk->asked)
        find_at_insn(walk, MSG_LINT_HWSQ_EXIT_PAUSED, NOTES "Framebuffer pause feature");
}

/* Bytes that no walk comes to and that are not padding: one finding per run. */
static void check_unreached(struct walk *walk)
{
    size_t size = walk->layout->size;
    for (size_t i = 0; i < size;) {
        size_t end = i;
        bool code = false;
        while (end < size && !walk->seen[end]) {
            code |= walk->layout->bytes[end] != EXIT_OPCODE && walk->layout->bytes[end] != 0;
            end++;
        }
        if (code) {
            walk->at = (uint32_t)i;
            walk->size = (unsigned)(end - i);
            find_number(walk, MSG_LINT_HWSQ_UNREACHED, NOTES "Script execution", end - i);
        }
        i = end + 1;
    }
}

static bool check_script(struct lint_context *context, const struct isa_layout *layout)
{
    const struct gpucode_target *target = layout->info.target;
    struct walk walk = {.context = context, .layout = layout, .target = target, .chip = hwsq_chip_of(target)};
    walk.seen = lint_memory(context, layout->size + 1, 1);
    if (!walk.seen)
        return false;
    if (layout->size > walk.chip->code_bytes)
        lint_find(context, 0, walk.chip->code_bytes, (unsigned)(layout->size - walk.chip->code_bytes),
                  MSG_LINT_HWSQ_LARGE, NOTES "Code space", (unsigned long long)layout->size,
                  (unsigned long long)walk.chip->code_bytes);
    uint64_t entry = 0;
    unsigned count = 0;
    do {
        bool given = lint_entry(context, count++, &entry);
        if (!given && count > 1)
            break;
        struct walk one = {.context = context,
                           .layout = layout,
                           .target = target,
                           .chip = walk.chip,
                           .seen = walk.seen,
                           .last_event = -1,
                           .at = (uint32_t)(entry < layout->size ? entry : layout->size)};
        follow_walk(&one);
    } while (count < 64);
    check_unreached(&walk);
    return true;
}

static const struct gpucode_lint_limit limits[] = {{"hwsq-pause-budget", 1000}, {"hwsq-long-wait", 1000000}, {NULL, 0}};
static const char *const limit_docs[] = {"units that waits may take while memory is paused",
                                         "units above which a single wait is questioned"};

const struct isa_lint hwsq_lint = {.limits = limits, .limit_docs = limit_docs, .check = check_script};
