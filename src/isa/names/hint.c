/* SPDX-License-Identifier: MIT */
/* Hints for misspelt names. */
#include "isa/names/table.h"

#include <string.h>

unsigned text_distance(const char *a, size_t a_length, const char *b, size_t b_length, unsigned limit)
{
    /* Insertions, deletions, changes and swaps of neighbours; rows of the usual matrix, kept three at a time. */
    unsigned rows[3][GPUCODE_NAME_MAX + 1];
    size_t apart = a_length > b_length ? a_length - b_length : b_length - a_length;
    if (apart > limit || b_length > GPUCODE_NAME_MAX)
        return limit + 1;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *before = rows[(i + 1) % 3], *above = rows[(i + 2) % 3], *row = rows[i % 3];
        unsigned least = row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            row[j] = best;
            least = best < least ? best : least;
        }
        if (least > limit)
            return limit + 1;
    }
    unsigned distance = rows[a_length % 3][b_length];
    return distance <= limit ? distance : limit + 1;
}

/* As the rows write it: no number in the last brackets, no '+', upper case when asked. Returns the length, 0: too long.
 */
static size_t plain(char *to, const char *name, size_t length, bool upper)
{
    size_t count = 0;
    bool inside = false;
    for (size_t i = 0; i < length && name[i] != '+'; i++) {
        if (count == GPUCODE_NAME_MAX)
            return 0;
        inside = inside && name[i] != ']';
        if (!inside)
            to[count++] = upper && name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
        inside = inside || name[i] == '[';
    }
    return count;
}

const char *isa_name_nearest(const struct isa_names *builtin, enum gpucode_space space, const char *name, size_t length)
{
    char wanted[2][GPUCODE_NAME_MAX];
    const char *nearest = NULL;
    if (!builtin || (unsigned)space >= GPUCODE_SPACE_COUNT || !builtin->spaces[space])
        return NULL;
    size_t count = plain(wanted[0], name, length, false);
    plain(wanted[1], name, length, true);
    /* a third of the letters may be wrong, but never all of a short name */
    unsigned limit = (unsigned)(count / 3);
    for (const struct isa_name_table *const *table = builtin->spaces[space]; *table; table++)
        for (uint32_t i = 0; i < (*table)->name_count && limit; i++) {
            const struct isa_name *row = &(*table)->names[i];
            const char *text = (*table)->strings + row->text;
            for (int upper = 0; upper < 2; upper++) {
                unsigned distance = text_distance(wanted[upper], count, text, row->length, limit);
                if (distance < limit || (distance == limit && !nearest)) {
                    nearest = text;
                    limit = distance;
                }
            }
        }
    return nearest;
}
