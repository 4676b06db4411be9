/* SPDX-License-Identifier: MIT */
/* Words worth trying: immediates of the code that a packet leads to, registers that the firmware uses, addresses. */
#include "kit/afuc/fuzz.h"

#include <stdlib.h>

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
