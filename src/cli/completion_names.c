/* SPDX-License-Identifier: MIT */
/* Names that completion offers behind options and as operands, from the library's tables. */
#include "cli/completion.h"

#include <gpucode/insn.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <string.h>

/* The first target of each set, number `index` of them; null behind the last. */
static const struct gpucode_target *set_at(unsigned index)
{
    const struct gpucode_target *target, *before = NULL;
    for (unsigned i = 0; (target = gpucode_target_at(i)); before = target, i++)
        if ((!before || strcmp(gpucode_target_isa(before), gpucode_target_isa(target)) != 0) && index-- == 0)
            return target;
    return NULL;
}

void completion_write_sets(FILE *out)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = set_at(i)); i++)
        fprintf(out, "%s%s", i ? " " : "", gpucode_target_isa(target));
}

static bool is_mnemonic_before(const struct gpucode_target *target, unsigned row, const char *mnemonic)
{
    struct gpucode_row other;
    for (unsigned i = 0; i < row; i++)
        if (gpucode_row(target, i, &other) && strcmp(other.mnemonic, mnemonic) == 0)
            return true;
    return false;
}

bool completion_write_mnemonics(FILE *out, unsigned index, const char *before, const char *behind)
{
    struct gpucode_row row;
    const struct gpucode_target *target = set_at(index);
    if (!target)
        return false;
    fprintf(out, "%s%s)", before, gpucode_target_isa(target));
    fputs(behind, out);
    for (unsigned i = 0; i < gpucode_row_count(target); i++)
        if (gpucode_row(target, i, &row) && *row.mnemonic && !is_mnemonic_before(target, i, row.mnemonic))
            fprintf(out, " %s", row.mnemonic);
    return true;
}

void completion_write_policies(FILE *out)
{
    struct gpucode_policy policy;
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = set_at(i)); i++)
        for (unsigned k = 0; gpucode_policy_at(target, k, &policy); k++)
            fprintf(out, " %s=", policy.name);
}

/* Has a target in front of number `index` the same name for the packet? */
static bool is_packet_before(unsigned index, uint32_t packet, const char *name)
{
    char other[GPUCODE_NAME_MAX];
    for (unsigned i = 0; i < index; i++)
        if (gpucode_name_of(gpucode_target_at(i), NULL, GPUCODE_SPACE_PACKET, packet, other, sizeof other) &&
            strcmp(name, other) == 0)
            return true;
    return false;
}

void completion_write_packets(FILE *out)
{
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_target *target;
    for (uint32_t packet = 0; packet <= GPUCODE_PACKET_OPCODE_MAX; packet++)
        for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
            if (gpucode_name_of(target, NULL, GPUCODE_SPACE_PACKET, packet, name, sizeof name) &&
                !is_packet_before(i, packet, name))
                fprintf(out, " %s", name);
}
