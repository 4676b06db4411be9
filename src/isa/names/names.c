/* SPDX-License-Identifier: MIT */
/* Names of a target: the caller's first, then each built-in table of the space in turn. */
#include "isa/names/table.h"

#include "base/text.h"
#include "isa/isa.h"

#include <string.h>

static const struct isa_name_table *const *tables_of(const struct isa_names *builtin, enum gpucode_space space)
{
    static const struct isa_name_table *const none[] = {NULL};
    bool known = builtin && (unsigned)space < GPUCODE_SPACE_COUNT && builtin->spaces[space];
    return known ? builtin->spaces[space] : none;
}

/* The caller's name of a number, or the built-in one. By itself, so that isa_name_of() has no registers to save. */
static __attribute__((noinline)) char *name_of_caller(const struct isa_names *builtin,
                                                      const struct gpucode_names *names, enum gpucode_space space,
                                                      uint32_t number, char *at)
{
    size_t length = names->name(names->user, space, number, at, GPUCODE_NAME_MAX - 1);
    return length && length < GPUCODE_NAME_MAX ? at + length : isa_name_of(builtin, NULL, space, number, at);
}

char *isa_name_of(const struct isa_names *builtin, const struct gpucode_names *names, enum gpucode_space space,
                  uint32_t number, char *at)
{
    if (names && names->name)
        return name_of_caller(builtin, names, space, number, at);
    for (const struct isa_name_table *const *table = tables_of(builtin, space); *table; table++) {
        int row = name_table_row_of(*table, number);
        if (row >= 0)
            return name_table_text(*table, row, number, at);
    }
    return at;
}

/* "CP_SCRATCH_REG[0x2]", as older texts have it, for the caller's "CP_SCRATCH[0x2].REG". */
static bool member_number(const struct gpucode_names *names, enum gpucode_space space, const char *name, size_t length,
                          uint32_t *number)
{
    const char *open = memchr(name, '[', length);
    if (!open || name[length - 1] != ']' || length + 2 > GPUCODE_NAME_MAX)
        return false;
    for (const char *split = open; split-- > name + 1;) {
        char text[GPUCODE_NAME_MAX];
        if (*split != '_')
            continue;
        char *at = text_put(text, name, (size_t)(split - name));
        at = text_put(at, open, (size_t)(name + length - open));
        *at++ = '.';
        at = text_put(at, split + 1, (size_t)(open - split - 1));
        if (names->number(names->user, space, text, (size_t)(at - text), number))
            return true;
    }
    return false;
}

bool isa_number_of(const struct isa_names *builtin, const struct gpucode_names *names, enum gpucode_space space,
                   const char *name, size_t length, uint32_t *number)
{
    if (names && names->number && names->number(names->user, space, name, length, number))
        return true;
    for (const struct isa_name_table *const *table = tables_of(builtin, space); *table; table++)
        if (name_table_number(*table, name, length, number))
            return true;
    return length && names && names->number && member_number(names, space, name, length, number);
}

bool isa_name_is_void(const struct isa_names *builtin, uint32_t pipe)
{
    for (const struct isa_name_table *const *table = tables_of(builtin, GPUCODE_SPACE_PIPE); *table; table++) {
        int row = name_table_row_of(*table, pipe);
        if (row >= 0)
            return (*table)->names[row].flags & NAME_VOID;
    }
    return false;
}

size_t gpucode_name_of(const struct gpucode_target *target, const struct gpucode_names *names, enum gpucode_space space,
                       uint32_t number, char *text, size_t size)
{
    if (!target || !text || size < GPUCODE_NAME_MAX || (unsigned)space >= GPUCODE_SPACE_COUNT)
        return 0;
    char *end = isa_name_of(target->names, names, space, number, text);
    *end = 0;
    return (size_t)(end - text);
}

bool gpucode_number_of(const struct gpucode_target *target, const struct gpucode_names *names, enum gpucode_space space,
                       const char *name, size_t length, uint32_t *number)
{
    if (!target || !name || !number || (unsigned)space >= GPUCODE_SPACE_COUNT)
        return false;
    return isa_number_of(target->names, names, space, name, length, number);
}

bool gpucode_register_of(const struct gpucode_target *target, const struct gpucode_names *names, const char *text,
                         size_t length, unsigned *space, uint32_t *number)
{
    static const struct {
        char mark;
        enum gpucode_space space;
    } marks[] = {{'@', GPUCODE_SPACE_CONTROL}, {'%', GPUCODE_SPACE_SQE}, {'|', GPUCODE_SPACE_PIPE}};
    if (!target || !text || !length || !space || !number)
        return false;
    const struct isa *isa = target->isa;
    if (isa->text.own_register && isa->text.own_register(text, length, space, number))
        return *number != UINT32_MAX;
    *space = GPUCODE_SPACE_GPU;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (*text == marks[i].mark) {
            *space = marks[i].space;
            text++;
            length--;
            break;
        }
    uint64_t value;
    if (length && text_read_number(text, text + length, &value) == text + length && value <= UINT32_MAX) {
        *number = (uint32_t)value;
        return true;
    }
    return isa_number_of(target->names, names, *space, text, length, number);
}

bool gpucode_name_next(const struct gpucode_target *target, enum gpucode_space space, uint32_t *number)
{
    if (!target || !number)
        return false;
    bool found = false;
    uint32_t least = 0;
    for (const struct isa_name_table *const *table = tables_of(target->names, space); *table; table++) {
        uint32_t next = *number;
        if (name_table_next(*table, &next) && (!found || next < least)) {
            found = true;
            least = next;
        }
    }
    if (found)
        *number = least;
    return found;
}

/* Hints for misspelt names. */

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
