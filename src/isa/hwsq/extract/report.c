/* SPDX-License-Identifier: MIT */
/* What the readers of all kinds of files share. */
#include "hwsq_messages.h"
#include "isa/hwsq/extract/extract.h"

#define WARNINGS_MAX 20

void extract_give(struct extract *extract, const struct gpucode_hwsq_script *script)
{
    extract->count++;
    if (extract->options->script)
        extract->options->script(extract->options->user, script);
}

void extract_report(struct extract *extract, const void *at, size_t span, message_id message, const char *hint,
                    const char *first, const char *second)
{
    bool warning = message_severity(message) == GPUCODE_WARNING;
    if (warning && extract->warnings++ >= WARNINGS_MAX)
        return;
    extract->errors += !warning;
    struct place place = {extract->options->file_name, (const char *)extract->bytes, extract->size, at, span, 1};
    report(&extract->options->on_diagnostic, &place, message, hint, first, second);
}

void extract_no_target(struct extract *extract)
{
    char hint[ISA_TARGET_LIST_SIZE];
    isa_target_list(hint, sizeof hint, (const struct isa *const[]){&hwsq_isa, NULL});
    extract_report(extract, NULL, 0, MSG_EXTRACT_TARGET, hint, NULL, NULL);
}

size_t extract_length(const struct gpucode_target *target, const unsigned char *code, const bool *known, size_t start,
                      size_t end, bool *complete)
{
    size_t at = start;
    *complete = true;
    while (at < end) {
        struct gpucode_insn insn;
        enum gpucode_status status = gpucode_decode(target, code + at, end - at, at, &insn);
        if (status == GPUCODE_ERROR_TRUNCATED)
            break;
        size_t size = status == GPUCODE_OK ? insn.size : 1;
        for (size_t i = 0; known && i < size; i++) {
            if (!known[at + i]) {
                *complete = false;
                return at - start;
            }
        }
        at += size;
        if (status == GPUCODE_OK && hwsq_rows.rows[insn.row].flow == GPUCODE_FLOW_STOP)
            return at - start;
    }
    *complete = false;
    return end - start;
}
