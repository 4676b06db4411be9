/* SPDX-License-Identifier: MIT */
/* What all parts of an explanation need: the rows of the answer, what is known, and what words and places are called.
 */
#define EXPLAIN_MAKES_ROWS
#include "pm4/crash/explain.h"
#include "pm4/crash/walk.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct gpucode_answer_field *const crash_rows = fields;

const struct gpucode_answer_table *gpucode_crash_answer_table(void)
{
    static const struct gpucode_answer_table table = {"crash", "A crash of a GPU, explained.", fields,
                                                      sizeof fields / sizeof *fields};
    return &table;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

const char *explain_name(const struct explanation *e, enum gpucode_space space, uint32_t number,
                         char name[GPUCODE_NAME_MAX])
{
    if (e->target)
        return gpucode_name_of(e->target, e->names, space, number, name, GPUCODE_NAME_MAX) ? name : NULL;
    size_t length = e->names ? e->names->name(e->names->user, space, number, name, GPUCODE_NAME_MAX - 1) : 0;
    name[length] = 0;
    if (length)
        return name;
    if (space == GPUCODE_SPACE_PACKET)
        return gpucode_packet_name(e->family, number);
    return space == GPUCODE_SPACE_GPU && gpucode_register_name(e->family, number, name, GPUCODE_NAME_MAX) ? name : NULL;
}

/* What the second word's name has after that of the first: "_HI", "+0x1"; null: it is another register. */
static const char *second_word(const struct explanation *e, enum gpucode_space space, uint32_t number,
                               char name[GPUCODE_NAME_MAX])
{
    char next[GPUCODE_NAME_MAX];
    if (!explain_name(e, space, number, name) || !explain_name(e, space, number + 1, next))
        return NULL;
    size_t length = strlen(name);
    const char *rest = next + length;
    if (strncmp(next, name, length) != 0)
        return NULL;
    return strcmp(rest, "_HI") == 0 ? "_HI" : strcmp(rest, "+0x1") == 0 ? "+0x1" : NULL;
}

bool explain_is_wide(const struct explanation *e, enum gpucode_space space, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    return second_word(e, space, number, name) != NULL;
}

const char *explain_word_name(const struct explanation *e, enum gpucode_space space, uint32_t number,
                              char name[GPUCODE_NAME_MAX])
{
    const char *rest = second_word(e, space, number, name);
    if (!rest)
        return explain_name(e, space, number, name);
    size_t length = strlen(name);
    snprintf(name + length, GPUCODE_NAME_MAX - length, "%s", *rest == '_' ? "_LO" : "+0");
    return name;
}

const char *explain_value(const struct explanation *e, uint32_t number, uint64_t value, char text[EXPLAIN_TEXT_MAX])
{
    *text = 0;
    gpucode_meanings_text(e->meanings, e->family, number, value, text, EXPLAIN_TEXT_MAX);
    return text;
}

const char *explain_packet(const struct explanation *e, uint32_t header, char name[GPUCODE_NAME_MAX])
{
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    if (!walk_packet_words(header))
        return NULL;
    return parts.type == 4 ? "PKT4" : explain_name(e, GPUCODE_SPACE_PACKET, parts.number, name);
}

const char *explain_level(enum gpucode_crash_level level)
{
    static const char *const names[] = {"RB", "IB1", "IB2", "IB3", "SDS"};
    return names[level];
}

void explain_handler(const struct gpucode_target *target, const struct gpucode_names *names,
                     const uint32_t handlers[128], const struct gpucode_crash_handler *handler, char *text, size_t size)
{
    char name[GPUCODE_NAME_MAX];
    unsigned listed = 0;
    if (handler->unknown) {
        snprintf(text, size, "unknown opcodes");
        return;
    }
    *text = 0;
    for (uint32_t i = 0; i < 128; i++) {
        size_t length = strlen(text);
        if (handlers[i] != handler->start || length + GPUCODE_NAME_MAX + 8 > size)
            continue;
        if (i == 4)
            snprintf(name, sizeof name, "PKT4");
        else if (!target || !gpucode_name_of(target, names, GPUCODE_SPACE_PACKET, i, name, sizeof name))
            continue;
        if (listed++ < 3)
            snprintf(text + length, size - length, "%s%s", listed > 1 ? " and " : "", name);
    }
    if (listed > 3)
        snprintf(text + strlen(text), size - strlen(text), " and %u more", listed - 3);
    if (!listed)
        snprintf(text, size, "an opcode without a name");
}

bool explain_own_handler(const struct explanation *e, char *text, size_t size)
{
    uint32_t handlers[128];
    if (!e->located || !e->position.has_handler || !gpucode_crash_table(e->crash, handlers))
        return false;
    const struct gpucode_crash_handler handler = {e->position.handler, e->position.unknown};
    explain_handler(e->target, e->names, handlers, &handler, text, size);
    return true;
}

const char *explain_busy(const struct explanation *e, uint32_t status, char text[EXPLAIN_TEXT_MAX])
{
    static const char name[] = "RBBM_STATUS";
    uint32_t number;
    *text = 0;
    if (e->family && gpucode_register_find(e->family, name, sizeof name - 1, &number))
        explain_value(e, number, status, text);
    return text;
}

void put_sentences(const struct explanation *e, unsigned row, struct buffer *text)
{
    if (text->failed)
        gpucode_answer_fail(e->answer, GPUCODE_ERROR_MEMORY);
    else
        gpucode_answer_bytes(e->answer, &crash_rows[row], text->length ? text->bytes : "", text->length);
    buffer_free(text);
}

void put_refusal(const struct explanation *e, unsigned row, bool write, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    put_begin(e, row);
    put_text(e, row + NEW_ACCESS - NEW_REFUSED, write ? "write" : "read");
    put_number(e, row + NEW_ADDRESS - NEW_REFUSED, number);
    put_text(e, row + NEW_REGISTER - NEW_REFUSED, explain_name(e, GPUCODE_SPACE_GPU, number, name));
    put_end(e);
}

void explain_refusal(const struct explanation *e, struct buffer *text, bool write, uint32_t number)
{
    char name[GPUCODE_NAME_MAX];
    const char *found = explain_name(e, GPUCODE_SPACE_GPU, number, name);
    buffer_format(text, " A %s of the protected register %s%s0x%" PRIx32 "%s was refused.", write ? "write" : "read",
                  found ? found : "", found ? " (" : "", number, found ? ")" : "");
}

/* --- what is known ------------------------------------------------------------------------------------------------ */

void explain_begin(struct explanation *e, const struct gpucode_crash *crash,
                   const struct gpucode_crash_explain_options *options, struct gpucode_answer *answer)
{
    static const struct gpucode_crash_explain_options usual;
    const struct gpucode_crash_explain_options *how = options ? options : &usual;
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    struct gpucode_chip chip;
    *e = (struct explanation){.answer = answer,
                              .crash = crash,
                              .head = head,
                              .target = how->target ? how->target
                                        : head      ? head->target
                                                    : NULL,
                              .names = how->names,
                              .meanings = how->meanings,
                              .verbose = how->verbose,
                              .ucode = how->ucode};
    if (e->target)
        e->family = gpucode_target_family(e->target);
    else if (head && gpucode_chip_find(head->gpu_id, head->chip_id, &chip))
        e->family = chip.family;
    e->has_states = head && gpucode_target_family(head->target) >= 6;
    e->located = gpucode_crash_position(crash, &e->position);
    e->has_fault = gpucode_crash_fault(crash, &e->fault);
    if (e->has_fault)
        fault_classify(crash, e->fault.iova, &e->fault_place);
    e->dump = how->dump;
}
