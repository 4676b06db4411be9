/* SPDX-License-Identifier: MIT */
/* A constructor of the module: what it matches and, by other files, how it looks and what it does. */
#include "export/sleigh_shown.h"
#include "front/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- what it matches ----------------------------------------------------------------------------- */

/* Bits that decide, in runs; false: none do. */
static bool write_pattern(const struct sleigh_row *row, FILE *out)
{
    const char *between = sleigh_write_bits(row, row->facts->mask, row->facts->match, out) ? " & " : "";
    struct gpucode_row_field field;
    for (unsigned i = 0; gpucode_row_field(row->sleigh->target, row->row, i, &field); i++) {
        char name[64];
        bool present = strchr(row->present, field.letter) != NULL;
        if (!present && !strchr(row->absent, field.letter))
            continue;
        for (unsigned k = 0; k < field.piece_count; k++) {
            sleigh_piece(row, 'f', field.pieces[k].shift, field.pieces[k].width, name);
            unsigned value = sleigh_chosen(row, field.letter);
            if (value)
                fprintf(out, "%s%s=%u", between, name, value);
            else
                fprintf(out, "%s%s%s", between, name, present ? "!=0" : "=0");
            between = " & ";
        }
    }
    return *between != 0;
}

/* --- whole constructors ------------------------------------------------------------------------------------------- */

/*
 * Where the instruction may stand. A delay slot has no delay slot of its own in p-code: one that has follows in a
 * constructor without when it stands in a delay slot itself, as branches in a row do.
 */
enum standing { ANYWHERE, FREE, IN_SLOT };

/* Is it one of those that may have a delay slot? All of them have two constructors: some are special cases of others.
 */
static bool branches(const struct sleigh_row *row)
{
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    return gpucode_target_facts(row->sleigh->target)->delay_slots &&
           gpucode_insn_init(row->sleigh->target, row->row, &insn) == GPUCODE_OK && gpucode_insn_flow(&insn, &flow) &&
           flow.kind != GPUCODE_FLOW_NEXT;
}

/* What a constructor has beside what it matches. */
struct parts {
    struct sleigh_operands operands;
    char *display, *body;
};

/* `way`: "brief=0" or "brief=1"; "": both. */
static void write_whole(const struct sleigh_row *row, const struct parts *parts, const char *way,
                        enum standing standing)
{
    FILE *out = row->sleigh->rows;
    const struct sleigh_operands *operands = &parts->operands;
    fprintf(out, "# %s%s\n%s is ", row->facts->id,
            row->sleigh->learned.differs ? ": some words look otherwise in listings" : "", parts->display);
    bool decided = write_pattern(row, out);
    if (*way) {
        fprintf(out, "%s%s", decided ? " & " : "", way);
        decided = true;
    }
    if (standing != ANYWHERE) {
        fprintf(out, "%sin_slot=%d", decided ? " & " : "", standing == IN_SLOT);
        decided = true;
        row->sleigh->has_slots = true;
    }
    for (unsigned i = 0; i < operands->count; i++)
        fprintf(out, "%s%s", decided || i ? " & " : "", operands->name[i]);
    bool begins_slot = strstr(parts->body, SLEIGH_DELAY_SLOT) != NULL;
    fprintf(out, "%s {\n%s}\n", begins_slot ? " [ in_slot = 1; globalset(inst_next, in_slot); ]" : "", parts->body);
}

/* Tables that the code has used stand in the pattern. */
static void add_used(const struct sleigh_code *code, struct sleigh_operands *operands)
{
    for (unsigned i = 0; i < code->used_count; i++) {
        const struct sleigh_use *used = &code->used[i];
        struct gpucode_row_field field;
        char name[64];
        if (used->kind == 'O' && sleigh_field(code->row, used->letter, &field))
            sleigh_register_piece(code->row, &field, 0, name);
        else
            sleigh_table(code->row, used->kind, used->letter, used->copy, name);
        if (*name != '0')
            sleigh_add_operand(operands, name);
    }
}

static bool make_parts(const struct sleigh_row *row, struct parts *parts)
{
    size_t length, display_length;
    *parts = (struct parts){.display = NULL};
    FILE *out = text_stream_open(&parts->body, &length),
         *shown = out ? text_stream_open(&parts->display, &display_length) : NULL;
    bool whole = shown != NULL;
    if (shown) {
        struct sleigh_code code = {.row = row, .out = out};
        if (!sleigh_code(&code))
            sleigh_function(&code, &parts->operands);
        sleigh_display(&code, shown, &parts->operands);
        whole = text_stream_close(shown);
        add_used(&code, &parts->operands);
        sleigh_flow(&code, &parts->operands);
        whole &= text_stream_close(out);
    } else if (out) {
        fclose(out);
    }
    row->sleigh->failed |= !whole;
    return whole;
}

static void write_parts(const struct sleigh_row *row, struct parts *parts, const char *way)
{
    char *slot = strstr(parts->body, SLEIGH_DELAY_SLOT);
    bool alike = !slot && !branches(row);
    write_whole(row, parts, way, alike ? ANYWHERE : FREE);
    if (slot)
        memmove(slot, slot + strlen(SLEIGH_DELAY_SLOT), strlen(slot + strlen(SLEIGH_DELAY_SLOT)) + 1);
    if (!alike)
        write_whole(row, parts, way, IN_SLOT);
}

void sleigh_write_constructor(const struct sleigh_row *row)
{
    struct parts whole, brief = {.display = NULL};
    struct sleigh *sleigh = row->sleigh;
    bool made = make_parts(row, &whole), two = false;
    if (made && sleigh->has_brief) {
        sleigh->brief = true;
        two = make_parts(row, &brief) && strcmp(whole.body, brief.body) != 0;
        sleigh->brief = false;
    }
    if (made)
        write_parts(row, &whole, two ? "brief=0" : "");
    if (two)
        write_parts(row, &brief, "brief=1");
    free(whole.display);
    free(whole.body);
    free(brief.display);
    free(brief.body);
}
