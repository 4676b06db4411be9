/* SPDX-License-Identifier: MIT */
/* A constructor of the module: what it matches and, by other files, how it looks and what it does. */
#include "export/sleigh.h"
#include "front/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- what it matches ----------------------------------------------------------------------------- */

/* Bits that decide, in runs; false: none do. */
static bool write_pattern(const struct sleigh_row *row, FILE *out)
{
    const char *between = "";
    for (unsigned low = 0; low < 8u * row->facts->size;) {
        if (!(row->facts->mask >> low & 1)) {
            low++;
            continue;
        }
        unsigned high = low;
        while (high + 1 < 8u * row->facts->size && high + 1 - low < 32 && row->facts->mask >> (high + 1) & 1)
            high++;
        char name[64];
        sleigh_piece(row, 'f', low, high - low + 1, name);
        fprintf(out, "%s%s=0x%" PRIx64, between, name, row->facts->match >> low & ((UINT64_C(2) << (high - low)) - 1));
        between = " & ";
        low = high + 1;
    }
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

void sleigh_write_constructor(const struct sleigh_row *row)
{
    char *display = NULL, *body = NULL;
    size_t length, display_length;
    struct sleigh *sleigh = row->sleigh;
    struct sleigh_operands operands = {.count = 0};
    FILE *out = text_stream_open(&body, &length), *shown = out ? text_stream_open(&display, &display_length) : NULL;
    if (!shown) {
        sleigh->failed = true;
        if (out)
            fclose(out);
        free(body);
        return;
    }
    struct sleigh_code code = {.row = row, .out = out};
    if (!sleigh_code(&code))
        sleigh_function(&code, &operands);
    sleigh_display(&code, shown, &operands);
    sleigh->failed |= !text_stream_close(shown);
    for (unsigned i = 0; i < code.used_count; i++) {
        const struct sleigh_use *used = &code.used[i];
        struct gpucode_row_field field;
        char name[64];
        if (used->kind == 'O' && sleigh_field(row, used->letter, &field))
            sleigh_register_piece(row, &field, 0, name);
        else
            sleigh_table(row, used->kind, used->letter, used->copy, name);
        if (*name != '0')
            sleigh_add_operand(&operands, name);
    }
    sleigh_flow(&code, &operands);
    sleigh->failed |= !text_stream_close(out);
    fprintf(sleigh->rows, "# %s\n%s is ", row->facts->id, display);
    bool decided = write_pattern(row, sleigh->rows);
    for (unsigned i = 0; i < operands.count; i++)
        fprintf(sleigh->rows, "%s%s", decided || i ? " & " : "", operands.name[i]);
    fprintf(sleigh->rows, " {\n%s}\n", body);
    free(display);
    free(body);
}
