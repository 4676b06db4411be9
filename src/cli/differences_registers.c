/* SPDX-License-Identifier: MIT */
/* Which registers a changed function reads and writes that it did not before, and the other way round. */
#include "cli/differences.h"

#include <stdlib.h>
#include <string.h>

/* General registers that outlive a handler. */
#define GLOBAL_FIRST 0x12
#define GLOBAL_LAST 0x19

struct use {
    uint32_t unit;
    uint16_t section;
    struct difference_register what;
};

struct uses {
    struct use *list;
    size_t count, room;
    bool failed;
};

static bool counts(const struct gpucode_reference *reference)
{
    if (reference->in_table || reference->kind > GPUCODE_REFERENCE_WRITE)
        return false;
    switch (reference->space) {
    case GPUCODE_SPACE_GENERAL:
        return reference->number >= GLOBAL_FIRST && reference->number <= GLOBAL_LAST;
    case GPUCODE_SPACE_CONTROL:
    case GPUCODE_SPACE_SQE:
    case GPUCODE_SPACE_GPU:
    case GPUCODE_SPACE_PIPE:
    case GPUCODE_SPACE_MEMORY:
        return true;
    default:
        return false;
    }
}

static bool take(void *user, const struct gpucode_reference *reference)
{
    struct uses *uses = user;
    if (!counts(reference))
        return true;
    if (uses->count == uses->room) {
        size_t room = uses->room ? 2 * uses->room : 256;
        struct use *larger = realloc(uses->list, room * sizeof *larger);
        uses->failed = !larger;
        if (!larger)
            return false;
        uses->list = larger;
        uses->room = room;
    }
    uses->list[uses->count++] = (struct use){
        reference->unit,
        (uint16_t)reference->section,
        {reference->kind == GPUCODE_REFERENCE_WRITE, reference->exact, reference->space, reference->number, false}};
    return true;
}

static int compare_what(const void *a, const void *b)
{
    const struct difference_register *left = a, *right = b;
    if (left->space != right->space)
        return left->space < right->space ? -1 : 1;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    if (left->writes != right->writes)
        return left->writes ? 1 : -1;
    return (left->exact > right->exact) - (left->exact < right->exact);
}

static size_t first_use(const struct uses *uses, unsigned section, uint32_t unit)
{
    size_t low = 0, high = uses->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct use *use = &uses->list[middle];
        if (use->section < section || (use->section == section && use->unit < unit))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What a function uses, sorted, each once; *count is how many. Null: out of memory. */
static struct difference_register *of_function(const struct gpucode_analysis *analysis, const struct uses *uses,
                                               unsigned section, uint32_t index, size_t *count)
{
    const struct gpucode_function *function = gpucode_analysis_function(analysis, section, index);
    size_t all = 0, kept = 0;
    struct difference_register *list = NULL;
    for (unsigned pass = 0; pass < 2; pass++) {
        all = 0;
        for (uint32_t i = 0; function && i < function->block_count; i++) {
            const struct gpucode_block *block = gpucode_analysis_block(analysis, section, function->blocks[i]);
            for (size_t k = first_use(uses, section, block->start);
                 k < uses->count && uses->list[k].section == section && uses->list[k].unit < block->end; k++, all++)
                if (list)
                    list[all] = uses->list[k].what;
        }
        if (!pass && !(list = calloc(all + 1, sizeof *list)))
            return NULL;
    }
    if (all)
        qsort(list, all, sizeof *list, compare_what);
    for (size_t i = 0; i < all; i++)
        if (!kept || compare_what(&list[kept - 1], &list[i]) != 0)
            list[kept++] = list[i];
    *count = kept;
    return list;
}

struct difference_uses {
    struct uses side[2];
};

struct difference_uses *difference_uses_begin(const struct differences *differences)
{
    struct difference_uses *uses = calloc(1, sizeof *uses);
    for (unsigned i = 0; uses && i < 2; i++) {
        enum gpucode_status status =
            gpucode_analysis_references(differences->understood[i]->analysis, take, &uses->side[i]);
        if (status != GPUCODE_OK || uses->side[i].failed) {
            difference_uses_end(uses);
            return NULL;
        }
    }
    return uses;
}

void difference_uses_end(struct difference_uses *uses)
{
    if (!uses)
        return;
    free(uses->side[0].list);
    free(uses->side[1].list);
    free(uses);
}

void difference_registers(const struct differences *differences, const struct difference_uses *uses,
                          const struct gpucode_compared_section *section,
                          const struct gpucode_compared_function *function,
                          void (*found)(void *user, const struct difference_register *what), void *user)
{
    struct difference_register *list[2];
    size_t count[2] = {0, 0}, at[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++)
        list[i] = of_function(differences->understood[i]->analysis, &uses->side[i], section->section[i],
                              function->function[i], &count[i]);
    while (list[0] && list[1] && (at[0] < count[0] || at[1] < count[1])) {
        int order = at[0] == count[0] ? 1 : at[1] == count[1] ? -1 : compare_what(&list[0][at[0]], &list[1][at[1]]);
        if (order) {
            struct difference_register what = order < 0 ? list[0][at[0]] : list[1][at[1]];
            what.added = order > 0;
            found(user, &what);
        }
        at[0] += order <= 0;
        at[1] += order >= 0;
    }
    free(list[0]);
    free(list[1]);
}

void difference_register_name(const struct differences *differences, const struct difference_register *what,
                              char name[DIFFERENCE_NAME_MAX])
{
    const struct gpucode_reference reference = {.kind = what->writes ? GPUCODE_REFERENCE_WRITE : GPUCODE_REFERENCE_READ,
                                                .space = what->space,
                                                .number = what->number,
                                                .exact = true};
    const struct understood *side = differences->understood[what->added ? GPUCODE_NEW : GPUCODE_OLD];
    const char *space = gpucode_space_name(side->input->target, what->space);
    if (what->space == GPUCODE_SPACE_MEMORY)
        snprintf(name, DIFFERENCE_NAME_MAX, "memory");
    else if (!gpucode_analysis_reference_name(side->analysis, &reference, name, GPUCODE_NAME_MAX + 1))
        snprintf(name, DIFFERENCE_NAME_MAX, "%s 0x%x", space ? space : "register", (unsigned)what->number);
    if (!what->exact && strlen(name) + 9 < DIFFERENCE_NAME_MAX)
        strcat(name, " and more");
}
