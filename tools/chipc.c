/* SPDX-License-Identifier: MIT */
/*
 * chipc CHIPSETS.TSV: turns the table of chipsets into X-macro rows for src/isa/hwsq/text/targets.c, one
 * CHIPSET(symbol, "NAME", "name", id, variant, code bytes, window, slots, unknown) each; NAMESAKE for a chipset whose
 * variant has its name, NO_HWSQ for one without the sequencer. Runs on the build machine.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME, ID, VARIANT, CODE_BYTES, WINDOW, SLOTS, UNKNOWN, COLUMNS };

static _Noreturn void fail(const char *path, unsigned line, const char *why)
{
    fprintf(stderr, "%s:%u: error: %s\n", path, line, why);
    exit(1);
}

/* Cuts a line at its tabs; returns how many columns there are. */
static unsigned split(char *line, char *columns[COLUMNS])
{
    unsigned count = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *at = line; at; count++) {
        char *tab = strchr(at, '\t');
        if (tab)
            *tab++ = 0;
        if (count < COLUMNS)
            columns[count] = at;
        at = tab;
    }
    return count;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file)
        fail(argc > 1 ? argv[1] : "chipc", 0, "cannot read the table");
    char line[512];
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        char *column[COLUMNS], lower[32];
        if (split(line, column) != COLUMNS)
            fail(argv[1], number, "a chipset has seven columns");
        size_t length = strlen(column[NAME]);
        if (length == 0 || length >= sizeof lower)
            fail(argv[1], number, "a chipset's name has 1 to 31 characters");
        for (size_t i = 0; i <= length; i++) {
            lower[i] = (char)tolower((unsigned char)column[NAME][i]);
            if (lower[i] && !isalnum((unsigned char)lower[i]))
                fail(argv[1], number, "a chipset's name has letters and digits");
        }
        if (strcmp(column[VARIANT], "-") == 0)
            printf("NO_HWSQ(%s, \"%s\", \"%s\", %s)\n", column[NAME], column[NAME], lower, column[ID]);
        else
            printf("%s(%s, \"%s\", \"%s\", %s, %s, %s, %s, %s, %s)\n",
                   strcmp(column[NAME], column[VARIANT]) == 0 ? "NAMESAKE" : "CHIPSET", column[NAME], column[NAME],
                   lower, column[ID], column[VARIANT], column[CODE_BYTES], column[WINDOW], column[SLOTS],
                   column[UNKNOWN]);
    }
    if (ferror(file) || fclose(file) || fflush(stdout) || ferror(stdout))
        fail(argv[1], 0, "cannot be read or written");
    return 0;
}
