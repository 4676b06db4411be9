/* SPDX-License-Identifier: MIT */
/* Which row a word is: rows that overlap, and the decoding tree of a generation. */
#include "rowc.h"

#include <stdio.h>
#include <string.h>

#define ROWS_MAX 2048

static const struct row *rows;

static unsigned bit_count(uint64_t value)
{
    unsigned count = 0;
    for (; value; value &= value - 1)
        count++;
    return count;
}

static bool overlap(unsigned a, unsigned b)
{
    uint64_t both = rows[a].mask & rows[b].mask;
    return ((rows[a].match ^ rows[b].match) & both) == 0;
}

static bool special_case(unsigned a, unsigned b) /* of b */
{
    return overlap(a, b) && (rows[a].mask & rows[b].mask) == rows[b].mask && rows[a].mask != rows[b].mask;
}

void decoder_check(const struct row *all, unsigned count)
{
    rows = all;
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = a + 1; b < count; b++)
            if (rows[a].generations & rows[b].generations && overlap(a, b) && !special_case(a, b) &&
                !special_case(b, a) && rows[a].precedence == rows[b].precedence) {
                fprintf(stderr, "rowc: overlaps %s\n", rows[b].id);
                refuse_row(&rows[a], "overlaps another row and neither is a special case", NULL, 0);
            }
}

/* --- decoding trees --------------------------------------------------------------------------------- */

static struct {
    unsigned shift, width, first;
} nodes[4096];
static int entries[1 << 18];
static unsigned leaves[1 << 15];
static unsigned node_count, entry_count, leaf_count;

/* Can one chain of rows be tested in order: is each pair a special case and its general row? */
static bool is_chain(const unsigned *set, unsigned count)
{
    if (count > 8)
        return false;
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = a + 1; b < count; b++)
            if (!overlap(set[a], set[b]))
                return false;
    return true;
}

/* Those of ROW_FIRST in their order, then the rows with most decided bits. */
static bool goes_before(unsigned a, unsigned b)
{
    size_t place_a = rows[a].precedence, place_b = rows[b].precedence;
    return place_a != place_b ? place_a < place_b : bit_count(rows[a].mask) > bit_count(rows[b].mask);
}

static int make_leaf(const unsigned *set, unsigned count)
{
    unsigned sorted[ROWS_MAX];
    memcpy(sorted, set, count * sizeof *set);
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k > 0 && goes_before(sorted[k], sorted[k - 1]); k--) {
            unsigned swap = sorted[k];
            sorted[k] = sorted[k - 1];
            sorted[k - 1] = swap;
        }
    for (unsigned at = 0; at + count < leaf_count; at++) { /* share equal leaves */
        unsigned i = 0;
        while (i < count && leaves[at + i] == sorted[i] + 1)
            i++;
        if (i == count && leaves[at + count] == 0)
            return (int)at;
    }
    if (leaf_count + count + 1 > sizeof leaves / sizeof *leaves)
        refuse_row(rows, "too many leaves", NULL, 0);
    unsigned first = leaf_count;
    for (unsigned i = 0; i < count; i++)
        leaves[leaf_count++] = sorted[i] + 1;
    leaves[leaf_count++] = 0;
    return (int)first;
}

/* Rows of `set` that words with these bits at shift can still match. */
static unsigned filter(const unsigned *set, unsigned count, unsigned shift, unsigned width, uint64_t value,
                       unsigned *out)
{
    uint64_t window = ((UINT64_C(1) << width) - 1) << shift;
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (((rows[set[i]].match ^ value << shift) & rows[set[i]].mask & window) == 0)
            out[kept++] = set[i];
    return kept;
}

/* How many rows of `set` are left at most when so many bits at shift are known. */
static unsigned most_left(const unsigned *set, unsigned count, unsigned shift, unsigned width)
{
    unsigned left[256] = {0}, window = (1u << width) - 1, most = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct row *row = &rows[set[i]];
        unsigned decided = (unsigned)(row->mask >> shift) & window, fixed = (unsigned)(row->match >> shift) & decided;
        unsigned any = window & ~decided, value = any;
        do { /* all values of the bits that the row leaves open */
            unsigned kept = ++left[fixed | value];
            most = kept > most ? kept : most;
            value = (value - 1) & any;
        } while (value != any);
    }
    return most;
}

static int make_node(const unsigned *set, unsigned count)
{
    unsigned best_shift = 0, best_width = 0, best_score = ~0u;
    for (unsigned width = 1; width <= 8; width++)
        for (unsigned shift = 0; shift + width <= 64; shift++) {
            unsigned worst = most_left(set, count, shift, width);
            unsigned score = worst * 1000 + width; /* fewest rows left, then the smallest table */
            if (worst < count && score < best_score) {
                best_score = score;
                best_shift = shift;
                best_width = width;
            }
        }
    if (!best_width)
        refuse_row(&rows[set[0]], "cannot be told apart from another row", NULL, 0);
    unsigned node = node_count++;
    if (node_count > sizeof nodes / sizeof *nodes)
        refuse_row(rows, "too many nodes", NULL, 0);
    nodes[node].shift = best_shift;
    nodes[node].width = best_width;
    nodes[node].first = entry_count;
    unsigned first = entry_count;
    entry_count += 1u << best_width;
    if (entry_count > sizeof entries / sizeof *entries)
        refuse_row(rows, "decoding tables too large", NULL, 0);
    for (uint64_t value = 0; value < UINT64_C(1) << best_width; value++) {
        unsigned part[ROWS_MAX];
        unsigned kept = filter(set, count, best_shift, best_width, value, part);
        entries[first + value] = is_chain(part, kept) ? make_leaf(part, kept) : ~make_node(part, kept);
    }
    return (int)node;
}

void decoder_print(const struct row *all, unsigned row_count, unsigned generation)
{
    unsigned set[ROWS_MAX], count = 0;
    rows = all;
    if (row_count > ROWS_MAX)
        refuse_row(rows, "too many rows", NULL, 0);
    for (unsigned r = 0; r < row_count; r++)
        if (rows[r].generations >> generation & 1)
            set[count++] = r;
    node_count = entry_count = leaf_count = 0;
    if (count == 0)
        refuse_row(rows, "a generation has no rows", NULL, 0);
    make_node(set, count);
    printf("static const struct isa_node nodes_%u[] = {\n", generation);
    for (unsigned i = 0; i < node_count; i++)
        printf("    {0x%x, %u, %u},\n", (1u << nodes[i].width) - 1, nodes[i].first, nodes[i].shift);
    printf("};\nstatic const struct isa_node second_%u[] = {\n", generation);
    for (unsigned i = 0; i < 1u << nodes[0].width; i++) {
        int entry = entries[nodes[0].first + i];
        if (entry < 0)
            printf("    {0x%x, %u, %u},\n", (1u << nodes[~entry].width) - 1, nodes[~entry].first, nodes[~entry].shift);
        else
            printf("    {0, %u, 0},\n", nodes[0].first + i);
    }
    printf("};\nstatic const int16_t entries_%u[] = {", generation);
    for (unsigned i = 0; i < entry_count; i++)
        printf("%s%d,", i % 16 ? " " : "\n    ", entries[i]);
    printf("\n};\nstatic const struct isa_leaf leaves_%u[] = {\n", generation);
    for (unsigned i = 0; i < leaf_count; i++) {
        const struct row *row = leaves[i] ? &rows[leaves[i] - 1] : NULL;
        printf("    {0x%llx, 0x%llx, %u},\n", row ? (unsigned long long)row->mask : 0,
               row ? (unsigned long long)row->match : 0, leaves[i]);
    }
    printf("};\n");
    if (entry_count > 0xffff || node_count > 0x7fff || leaf_count > 0x7fff)
        refuse_row(rows, "decoding tables too large", NULL, 0);
}
