/* SPDX-License-Identifier: MIT */
/* What `info` says of scripts. */
#include "front/session.h"
#include "kit/hwsq/kit.h"

#include <gpucode/answer.h>
#include <gpucode/hwsq.h>
#include <gpucode/insn.h>

#include <string.h>

#define ANSWER_ROWS "kit/hwsq/answer.def"
#define ANSWER_PART_INFO
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table script_info_answer_table = {"info", "What a script is.", fields,
                                                              sizeof fields / sizeof *fields};

/* Read from the first byte on, as a listing does; not from the entry points. */
struct counts {
    uint64_t instructions, unknown_bytes, wait_units, register_writes, event_waits, flag_changes;
};

static bool count_insns(const struct gpucode_image *image, struct counts *counts)
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

int script_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part)
{
    struct counts counts;
    (void)session;
    if (part != INFO_BODY || !count_insns(view->image, &counts))
        return EXIT_DONE;
    gpucode_answer_number(answer, &fields[INSTRUCTIONS], counts.instructions);
    gpucode_answer_number(answer, &fields[UNKNOWN], counts.unknown_bytes);
    gpucode_answer_number(answer, &fields[WAITS], counts.wait_units);
    gpucode_answer_number(answer, &fields[WRITES], counts.register_writes);
    gpucode_answer_number(answer, &fields[FLAGS], counts.flag_changes);
    gpucode_answer_number(answer, &fields[EVENT_WAITS], counts.event_waits);
    return EXIT_DONE;
}
