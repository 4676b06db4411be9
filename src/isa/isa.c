/* SPDX-License-Identifier: MIT */
/* The list of instruction sets, and targets by name. A new set adds one line to each list. */
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

extern const struct isa afuc_isa, hwsq_isa, a3xx_isa, data_isa;

const struct isa *const isa_all[] = {&afuc_isa, &hwsq_isa, &a3xx_isa, &data_isa, NULL};

const struct gpucode_target *gpucode_target_find(const char *name)
{
    if (!name)
        return NULL;
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    for (const struct isa *const *set = isa_all; *set; set++) {
        bool is_alias = (*set)->alias && strlen((*set)->alias) == length && memcmp((*set)->alias, name, length) == 0;
        if (!is_alias && (strlen((*set)->name) != length || memcmp((*set)->name, name, length) != 0))
            continue;
        for (unsigned i = 0; i < (*set)->target_count; i++) {
            const struct gpucode_target *target = &(*set)->targets[i];
            const char *rest = strchr(target->name, ':');
            if (colon ? rest && strcmp(rest, colon) == 0 : !rest)
                return target;
        }
        if (colon && (*set)->find)
            return (*set)->find(colon + 1);
    }
    return NULL;
}

const struct gpucode_target *gpucode_target_at(unsigned index)
{
    for (const struct isa *const *set = isa_all; *set; set++) {
        if (index < (*set)->target_count)
            return &(*set)->targets[index];
        index -= (*set)->target_count;
    }
    return NULL;
}

const char *gpucode_target_name(const struct gpucode_target *target)
{
    return target->name;
}

const char *gpucode_target_isa(const struct gpucode_target *target)
{
    return target->isa->name;
}

const char *gpucode_target_generation(const struct gpucode_target *target)
{
    return target->isa->generations[target->generation];
}

const char *gpucode_target_description(const struct gpucode_target *target)
{
    return target->description;
}

const struct gpucode_facts *gpucode_target_facts(const struct gpucode_target *target)
{
    return &target->isa->facts;
}

unsigned gpucode_target_unit_bytes(const struct gpucode_target *target)
{
    return target->isa->unit_bytes;
}

void isa_target_list(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "use -t TARGET; targets:");
    const struct gpucode_target *target;
    /* generations first: chips may be many, and a list that is cut should have named every set */
    for (unsigned chips = 0; chips < 2; chips++)
        for (unsigned i = 0; (target = gpucode_target_at(i)) && used < size; i++)
            if (target->is_generation == !chips)
                used += (size_t)snprintf(text + used, size - used, " %s", target->name);
    /* a list that does not fit ends in a whole name */
    if (used >= size && size > 4) {
        char *space = strrchr(text, ' ');
        if (space && (size_t)(space - text) + 5 <= size)
            memcpy(space, " ...", 5);
    }
}

void isa_target_hint(char *text, size_t size, const char *name, size_t length)
{
    const char *nearest = NULL;
    const struct gpucode_target *target;
    unsigned best = (unsigned)(length < 30 ? length : 30) / 3 + 1;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        unsigned distance = text_distance(name, length, target->name, strlen(target->name), best);
        if (distance < best) {
            best = distance;
            nearest = target->name;
        }
    }
    if (nearest)
        snprintf(text, size, "did you mean %s? `gpucode targets` lists all", nearest);
    else
        snprintf(text, size, "`gpucode targets` lists them");
}
