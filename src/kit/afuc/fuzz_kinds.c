/* SPDX-License-Identifier: MIT */
/*
 * Kinds of records: the packets that the firmware has handlers for, and one of those that it has none for. How many
 * words a handler takes at least is tried out.
 */
#include "kit/afuc/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_MAX 16u /* words that are tried */
#define MORE 16u      /* a packet of no fixed length gets so many more at most */

/* The handler that most opcodes have: that of packets which the firmware does not know. */
static uint32_t common_handler(const uint32_t *table)
{
    uint32_t best = table[0];
    unsigned most = 0;
    for (unsigned i = 0; i < FUZZ_OPCODES; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < FUZZ_OPCODES; k++)
            count += table[k] == table[i];
        if (count > most) {
            most = count;
            best = table[i];
        }
    }
    return most > 1 ? best : UINT32_MAX;
}

struct probe {
    unsigned opcode, taken;
    bool handled;
};

static bool watch_probe(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct probe *probe = user;
    (void)machine;
    if (event->address != probe->opcode || !event->value)
        return false;
    probe->handled = true;
    probe->taken = (unsigned)event->old;
    return true;
}

/* Does the handler take a packet of so many words, all of them 0, as a whole? */
static bool takes(struct fuzzed *fuzzed, unsigned opcode, unsigned count)
{
    uint32_t words[1 + LEAST_MAX + MORE] = {gpucode_packet_type7(opcode, count)};
    struct probe probe = {opcode, 0, false};
    gpucode_machine_restore(fuzzed->machine, fuzzed->start);
    gpucode_machine_hook(fuzzed->machine, GPUCODE_EVENT_HANDLED, watch_probe, &probe);
    gpucode_machine_feed(fuzzed->machine, fuzzed->processor, words, 1 + count);
    fuzz_run_machine(fuzzed, fuzzed->limit);
    return probe.handled && probe.taken == 1 + count;
}

/* The words that it takes at least, and at most: the same where one more is not taken. */
static void find_lengths(struct fuzzed *fuzzed, unsigned opcode, struct gpucode_fuzz_kind *kind)
{
    unsigned least = 0;
    while (least <= LEAST_MAX && !takes(fuzzed, opcode, least))
        least++;
    if (least > LEAST_MAX) /* it stops whatever it gets */
        least = 0;
    bool more = takes(fuzzed, opcode, least + 1) || takes(fuzzed, opcode, least + 2);
    kind->least = least;
    kind->most = more || !least ? least + MORE : least;
    if (!more && takes(fuzzed, opcode, 0))
        kind->most = 0;
}

static void name_packet(struct fuzzed *fuzzed, unsigned opcode)
{
    char *name = fuzzed->names[opcode];
    if (!gpucode_name_of(fuzzed->input->target, input_names(fuzzed->input), GPUCODE_SPACE_PACKET, opcode, name,
                         GPUCODE_NAME_MAX) ||
        strpbrk(name, " \t,;#"))
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", opcode);
}

static int opcode_named(const struct fuzzed *fuzzed, const char *name, const uint32_t *table, uint32_t common)
{
    uint32_t opcode;
    return gpucode_number_of(fuzzed->input->target, input_names(fuzzed->input), GPUCODE_SPACE_PACKET, name,
                             strlen(name), &opcode) &&
                   opcode < FUZZ_OPCODES && table[opcode] != common
               ? (int)opcode
               : -1;
}

bool fuzz_find_kinds(struct fuzzed *fuzzed)
{
    uint32_t table[FUZZ_OPCODES];
    for (unsigned i = 0; i < FUZZ_OPCODES; i++) {
        table[i] = fuzz_read(fuzzed, fuzzed->processor, GPUCODE_SPACE_PACKET, i);
        name_packet(fuzzed, i);
    }
    uint32_t common = common_handler(table), registers;
    if (!gpucode_number_of(fuzzed->input->target, NULL, GPUCODE_SPACE_PACKET, "PKT4", 4, &registers))
        registers = 4;
    memcpy(fuzzed->handlers, table, sizeof table);
    fuzzed->packet4 = registers;
    /* of all packets that the firmware does not know one is enough: CP_NOP, if it is among them */
    uint32_t unknown = 0;
    if (!gpucode_number_of(fuzzed->input->target, NULL, GPUCODE_SPACE_PACKET, "CP_NOP", 6, &unknown) ||
        table[unknown % FUZZ_OPCODES] != common)
        for (unknown = 0; unknown < FUZZ_OPCODES - 1 && table[unknown] != common;)
            unknown++;
    for (unsigned i = 0; i < FUZZ_OPCODES; i++) {
        if (i == registers || (table[i] == common && i != unknown))
            continue;
        struct gpucode_fuzz_kind *kind = &fuzzed->kinds[fuzzed->packets];
        fuzzed->opcodes[fuzzed->packets++] = (uint8_t)i;
        kind->name = fuzzed->names[i];
        kind->weight = table[i] == common ? 2 : 8;
        find_lengths(fuzzed, i, kind);
    }
    fuzzed->indirect = opcode_named(fuzzed, "CP_INDIRECT_BUFFER", table, common);
    fuzzed->draw_state = opcode_named(fuzzed, "CP_SET_DRAW_STATE", table, common);
    bool preempts = fuzzed->trigger != GPUCODE_NONE;
    const struct gpucode_fuzz_kind specials[FUZZ_SPECIALS] = {
        [FUZZ_REGISTERS] = {.name = "registers", .weight = 8, .least = 2, .most = 6},
        [FUZZ_BUFFER] = {.name = "buffer", .weight = fuzzed->indirect < 0 ? 0 : 8, .nesting = GPUCODE_FUZZ_OPENS},
        [FUZZ_GROUP] = {.name = "group",
                        .weight = fuzzed->draw_state < 0 ? 0 : 4,
                        .least = 1,
                        .most = 1,
                        .nesting = GPUCODE_FUZZ_OPENS},
        [FUZZ_END] = {.name = "end", .weight = fuzzed->indirect < 0 ? 0 : 4, .nesting = GPUCODE_FUZZ_CLOSES},
        [FUZZ_STORE] = {.name = "memory", .weight = 6, .least = 3, .most = 18},
        [FUZZ_SET] = {.name = "register", .weight = 4, .least = 2, .most = 2},
        [FUZZ_PREEMPT] = {.name = "preempt", .weight = preempts ? 2 : 0},
    };
    memcpy(fuzzed->kinds + fuzzed->packets, specials, sizeof specials);
    fuzzed->kind_count = fuzzed->packets + FUZZ_SPECIALS;
    gpucode_machine_restore(fuzzed->machine, fuzzed->start);
    return true;
}

/* Words worth trying: immediates of the code that a packet leads to, registers that the firmware uses, addresses. */

#define ALL (FUZZ_OPCODES + 1)
#define REGISTERS FUZZ_OPCODES
#define VALUES_MAX 512u /* of one list */

static bool add_value(struct fuzzed *fuzzed, unsigned list, uint32_t value)
{
    size_t *count = &fuzzed->value_counts[list];
    if (!fuzzed->values[list] && !(fuzzed->values[list] = calloc(VALUES_MAX, sizeof **fuzzed->values)))
        return false;
    for (size_t i = 0; i < *count; i++)
        if (fuzzed->values[list][i] == value)
            return true;
    if (*count < VALUES_MAX)
        fuzzed->values[list][(*count)++] = value;
    return true;
}

/* Adds a value to the lists of the packets that lead to the place; of code that none leads to, to the list for all. */
static bool add_at(struct fuzzed *fuzzed, unsigned section, uint32_t unit, uint32_t value)
{
    uint64_t packets[2] = {0};
    bool good = true;
    if (!fuzzed->analysis || !gpucode_analysis_reached_by(fuzzed->analysis, section, unit, packets) ||
        !(packets[0] | packets[1]))
        return add_value(fuzzed, ALL, value);
    for (unsigned i = 0; good && i < fuzzed->packets; i++) {
        unsigned opcode = fuzzed->opcodes[i];
        if (packets[opcode / 64] >> opcode % 64 & 1)
            good = add_value(fuzzed, i, value);
    }
    return good;
}

/* Immediates, and bits that are looked at. */
static bool add_immediates(struct fuzzed *fuzzed, unsigned section, const struct gpucode_insn *insn)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    struct gpucode_flow flow;
    unsigned count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    bool branches = gpucode_insn_flow(insn, &flow) && flow.conditional, good = true;
    for (unsigned i = 0; good && i < count; i++) {
        if (operands[i].type != GPUCODE_OPERAND_VALUE)
            continue;
        uint32_t value = (uint32_t)operands[i].value;
        bool bit = branches && operands[i].letter == 'b' && value < 32;
        good = add_at(fuzzed, section, (uint32_t)insn->address, bit ? UINT32_C(1) << value : value);
    }
    return good;
}

struct reference_walk {
    struct fuzzed *fuzzed;
    unsigned section;
    bool good;
};

static bool add_reference(void *user, const struct gpucode_reference *reference)
{
    struct reference_walk *walk = user;
    if (reference->section == walk->section && reference->kind == GPUCODE_REFERENCE_WRITE &&
        reference->space == GPUCODE_SPACE_GPU && reference->exact && reference->unit < walk->fuzzed->constant_count)
        walk->fuzzed->constant[reference->unit] = 1;
    if (reference->section != walk->section || reference->space != GPUCODE_SPACE_GPU || !reference->exact)
        return true;
    walk->good = add_value(walk->fuzzed, REGISTERS, reference->number) &&
                 add_at(walk->fuzzed, walk->section, reference->unit, reference->number);
    return walk->good;
}

bool fuzz_find_values(struct fuzzed *fuzzed)
{
    static const uint32_t addresses[] = {FUZZ_MEMORY, FUZZ_MEMORY + 4, FUZZ_MEMORY + 0x100, FUZZ_MEMORY + 0xffc,
                                         FUZZ_MEMORY + 0x1000};
    const struct gpucode_image_info *info = gpucode_image_info(fuzzed->input->image);
    unsigned section = gpucode_machine_section(fuzzed->machine, fuzzed->processor);
    const struct gpucode_section *code = &info->sections[section];
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(fuzzed->input->image, &size);
    bool good = true;
    for (unsigned i = 0; good && i < sizeof addresses / sizeof *addresses; i++)
        good = add_value(fuzzed, ALL, addresses[i]) && add_value(fuzzed, REGISTERS, 0x883 + i);
    for (uint32_t at = 0; good && at < code->size; at++) {
        struct gpucode_insn insn;
        size_t offset = info->prefix + 4 * ((size_t)code->start + at);
        if (offset + 4 <= size && gpucode_decode(fuzzed->input->target, bytes + offset, 4, at, &insn) == GPUCODE_OK)
            good = add_immediates(fuzzed, section, &insn);
    }
    fuzzed->constant_count = code->size;
    fuzzed->constant = calloc((size_t)code->size + 1, 1);
    good = good && fuzzed->constant;
    struct reference_walk walk = {fuzzed, section, good};
    if (good && fuzzed->analysis)
        good = gpucode_analysis_references(fuzzed->analysis, add_reference, &walk) == GPUCODE_OK && walk.good;
    for (unsigned i = 0; i < fuzzed->packets; i++) {
        fuzzed->kinds[i].values = fuzzed->values[i];
        fuzzed->kinds[i].value_count = fuzzed->value_counts[i];
    }
    static const enum fuzz_special with_registers[] = {FUZZ_REGISTERS, FUZZ_SET};
    for (unsigned i = 0; i < 2; i++) {
        struct gpucode_fuzz_kind *kind = &fuzzed->kinds[fuzzed->packets + with_registers[i]];
        kind->values = fuzzed->values[REGISTERS];
        kind->value_count = fuzzed->value_counts[REGISTERS];
    }
    return good;
}
