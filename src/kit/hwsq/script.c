/* SPDX-License-Identifier: MIT */
#include "kit/hwsq/script.h"

#include "front/json.h"
#include <gpucode/hwsq.h>
#include <gpucode/insn.h>

#include <inttypes.h>
#include <string.h>

/* Read from the first byte on, as a listing does; not from the entry points. */
struct counts {
    uint64_t instructions, unknown_bytes, wait_units, register_writes, event_waits, flag_changes;
};

static bool count(const struct gpucode_image *image, struct counts *counts)
{
    const struct gpucode_target *target = gpucode_image_info(image)->target;
    struct gpucode_hwsq_facts facts;
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(image, &size);
    if (!gpucode_hwsq_facts(target, &facts))
        return false;
    *counts = (struct counts){0};
    for (size_t at = 0; at < size;) {
        struct gpucode_insn insn;
        struct gpucode_row row;
        if (gpucode_decode(target, bytes + at, size - at, at, &insn) != GPUCODE_OK ||
            !gpucode_row(target, insn.row, &row)) {
            counts->unknown_bytes++;
            at++;
            continue;
        }
        counts->instructions++;
        counts->wait_units += gpucode_hwsq_wait_units(bytes[at]);
        counts->register_writes += strncmp(row.mnemonic, "addr", 4) == 0;
        counts->event_waits += strcmp(row.mnemonic, "ewait") == 0;
        counts->flag_changes += strstr(row.mnemonic, "set") != NULL;
        at += insn.size;
    }
    return true;
}

void script_put_json(struct json *json, const struct gpucode_image *image)
{
    struct counts counts;
    if (!count(image, &counts))
        return;
    json_number(json, "instructions", counts.instructions);
    json_number(json, "unknown_bytes", counts.unknown_bytes);
    json_number(json, "wait_units", counts.wait_units);
    json_number(json, "register_writes", counts.register_writes);
    json_number(json, "event_waits", counts.event_waits);
    json_number(json, "flag_changes", counts.flag_changes);
}

void script_put_text(const struct gpucode_image *image)
{
    struct counts counts;
    if (!count(image, &counts))
        return;
    printf("  instructions  %" PRIu64 ", %" PRIu64 " bytes of none\n", counts.instructions, counts.unknown_bytes);
    printf("  waits         %" PRIu64 " units\n", counts.wait_units);
    printf("  writes        %" PRIu64 " of registers, %" PRIu64 " of flags\n", counts.register_writes,
           counts.flag_changes);
    printf("  event waits   %" PRIu64 "\n", counts.event_waits);
}
