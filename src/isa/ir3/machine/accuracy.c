/* SPDX-License-Identifier: MIT */
/* How near the result of a row is to what it says: by the names in its action, so that neither says what the other does
 * not. */
#include "isa/ir3/set.h"

#include <stdbool.h>
#include <string.h>

static const char *const exact[] = {
#define EXACT(names) " " names " ",
#define ROUNDS(name, text)
#include "isa/ir3/machine/accuracy.def"
};

static const struct {
    const char *name, *text;
} rounds[] = {
#define EXACT(names)
#define ROUNDS(name, text) {name, text},
#include "isa/ir3/machine/accuracy.def"
};
#define ROUNDS_COUNT (sizeof rounds / sizeof *rounds)

static bool starts_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool goes_on(char c)
{
    return starts_name(c) || (c >= '0' && c <= '9');
}

static bool is_exact(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        for (const char *at = exact[i]; (at = strchr(at, ' ')) && at[1]; at++)
            if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ')
                return true;
    return false;
}

/* The row of a name; ROUNDS_COUNT: it has none. */
static size_t find_row(const char *name, size_t length)
{
    size_t i = 0;
    while (i < ROUNDS_COUNT && (strlen(rounds[i].name) != length || memcmp(rounds[i].name, name, length) != 0))
        i++;
    return i;
}

const char *a3xx_accuracy(const char *action)
{
    size_t found = ROUNDS_COUNT;
    for (const char *at = action; *at;) {
        size_t length = 0;
        while (goes_on(at[length]))
            length++;
        if (!length) {
            at++;
            continue;
        }
        if (starts_name(*at) && !is_exact(at, length)) {
            size_t row_of = find_row(at, length);
            if (row_of == ROUNDS_COUNT)
                return NULL; /* a name that is not in the table */
            found = row_of < found ? row_of : found;
        }
        at += length;
    }
    return found < ROUNDS_COUNT ? rounds[found].text : "exact, by what the operation is";
}
