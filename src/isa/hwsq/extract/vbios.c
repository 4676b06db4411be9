/* SPDX-License-Identifier: MIT */
/* The HWSQ table of a BMP VBIOS (NV17 to NV3x): the tag, number and size of entries, entries of ENTRY_POINT and code.
 */
#include "hwsq_messages.h"
#include "isa/hwsq/extract/extract.h"

#include <stdio.h>

#define HEADER 6 /* tag, count, size */
#define ENTRY_HEADER 4

static const unsigned char *find_bytes(const unsigned char *bytes, size_t size, const void *what, size_t length)
{
    return memmem(bytes, size, what, length);
}

/* BMP VBIOSes exist up to NV3x, and all chipsets with HWSQ among those are of one variant. */
static const struct gpucode_target *target_of(const struct extract *extract)
{
    if (extract->options->target)
        return extract->options->target;
    return find_bytes(extract->bytes, extract->size, "\377\177NV\0", 5) ? &hwsq_targets[0] : NULL;
}

static void give_entries(struct extract *extract, const struct gpucode_target *target, const unsigned char *table,
                         unsigned count)
{
    unsigned size = table[5];
    for (unsigned i = 0; i < count; i++) {
        const unsigned char *entry = table + HEADER + (size_t)i * size;
        struct gpucode_hwsq_script script = {
            .origin = GPUCODE_HWSQ_VBIOS,
            .target = target,
            .bytes = entry + ENTRY_HEADER,
            .size = size - ENTRY_HEADER,
            .line = (uint64_t)(entry - extract->bytes),
            .entry = i,
            .entry_points = entry[0] | (uint32_t)entry[1] << 8 | (uint32_t)entry[2] << 16 | (uint32_t)entry[3] << 24,
        };
        bool complete;
        unsigned first = entry[0] < script.size ? entry[0] : 0;
        extract_length(target, script.bytes, NULL, first, script.size, &complete);
        script.complete = complete && first == entry[0];
        extract_give(extract, &script);
    }
}

/* How many entries there are, which are fewer than the table says when the file ends before them. */
static unsigned count_entries(struct extract *extract, const unsigned char *table, size_t rest)
{
    char place[24], number[16];
    snprintf(place, sizeof place, "%zx", (size_t)(table - extract->bytes));
    if (rest < HEADER || table[5] <= ENTRY_HEADER) {
        snprintf(number, sizeof number, "%u", rest < HEADER ? 0u : table[5]);
        extract_report(extract, NULL, 0, rest < HEADER ? MSG_EXTRACT_TABLE : MSG_EXTRACT_TABLE_SIZE, NULL, place,
                       number);
        return 0;
    }
    size_t whole = (rest - HEADER) / table[5];
    if (whole >= table[4])
        return table[4];
    snprintf(number, sizeof number, "%zu of %u", whole, table[4]);
    extract_report(extract, NULL, 0, MSG_EXTRACT_TABLE, NULL, place, number);
    return (unsigned)whole;
}

bool extract_vbios(struct extract *extract)
{
    const unsigned char *end = extract->bytes + extract->size;
    const unsigned char *table = find_bytes(extract->bytes, extract->size, "HWSQ", 4);
    /* text that mentions HWSQ is a log */
    if (!table || !memchr(extract->bytes, 0, extract->size))
        return false;
    for (; table; table = find_bytes(table + 4, (size_t)(end - table) - 4, "HWSQ", 4)) {
        unsigned count = count_entries(extract, table, (size_t)(end - table));
        if (!count)
            continue;
        const struct gpucode_target *target = target_of(extract);
        if (!target) {
            extract_no_target(extract);
            return true;
        }
        give_entries(extract, target, table, count);
    }
    return true;
}
