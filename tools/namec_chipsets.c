/* SPDX-License-Identifier: MIT */
/*
 * The table of chipsets as rows for src/isa/hwsq/hwsq.c: CHIPSET(symbol, "NAME", "name", id, variant, code
 * bytes, window, slots, unknown) each; NAMESAKE for a chipset whose variant has its name, NO_HWSQ for one without the
 * sequencer.
 */
#include "tsv.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NAME, ID, VARIANT, CODE_BYTES, WINDOW, SLOTS, UNKNOWN, COLUMNS };

static void write_chipset(FILE *out, const struct tsv *tsv, const struct tsv_row *row)
{
    char *const *cell = row->cell, lower[32];
    size_t length = strlen(cell[NAME]);
    if (length == 0 || length >= sizeof lower)
        tsv_fail(tsv, row, "a chipset's name has 1 to 31 characters");
    for (size_t i = 0; i <= length; i++) {
        lower[i] = (char)tolower((unsigned char)cell[NAME][i]);
        if (lower[i] && !isalnum((unsigned char)lower[i]))
            tsv_fail(tsv, row, "a chipset's name has letters and digits");
    }
    if (strcmp(cell[VARIANT], "-") == 0)
        fprintf(out, "NO_HWSQ(%s, \"%s\", \"%s\", %s)\n", cell[NAME], cell[NAME], lower, cell[ID]);
    else
        fprintf(out, "%s(%s, \"%s\", \"%s\", %s, %s, %s, %s, %s, %s)\n",
                strcmp(cell[NAME], cell[VARIANT]) == 0 ? "NAMESAKE" : "CHIPSET", cell[NAME], cell[NAME], lower,
                cell[ID], cell[VARIANT], cell[CODE_BYTES], cell[WINDOW], cell[SLOTS], cell[UNKNOWN]);
}

int namec_chipsets(const char *output, const char *table)
{
    struct tsv tsv;
    tsv_load(&tsv, table, COLUMNS, COLUMNS);
    FILE *out = fopen(output, "w");
    if (!out)
        tsv_fail(NULL, NULL, "%s: %s", output, strerror(errno));
    for (unsigned i = 0; i < tsv.count; i++)
        write_chipset(out, &tsv, &tsv.rows[i]);
    if (fclose(out) != 0)
        tsv_fail(NULL, NULL, "%s: %s", output, strerror(errno));
    return 0;
}
