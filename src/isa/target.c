/* SPDX-License-Identifier: MIT */
/* What a target tells of itself, and the targets of a set by name. */
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

const char *gpucode_target_name(const struct gpucode_target *target)
{
    if (!target)
        return NULL;
    return target->name;
}

const char *gpucode_target_isa(const struct gpucode_target *target)
{
    if (!target)
        return NULL;
    return target->isa->name;
}

const char *gpucode_target_generation(const struct gpucode_target *target)
{
    if (!target)
        return NULL;
    return target->isa->targets.generations[target->generation];
}

const char *gpucode_target_manual(const struct gpucode_target *target)
{
    return target ? target->isa->manual : NULL;
}

const char *gpucode_target_description(const struct gpucode_target *target)
{
    if (!target)
        return NULL;
    return target->description;
}

const struct gpucode_facts *gpucode_target_facts(const struct gpucode_target *target)
{
    if (!target)
        return NULL;
    return &target->isa->facts;
}

const struct gpucode_syntax *gpucode_target_syntax(const struct gpucode_target *target)
{
    return target ? &target->isa->text.syntax : NULL;
}

unsigned gpucode_target_unit_bytes(const struct gpucode_target *target)
{
    if (!target)
        return 0;
    return target->isa->unit_bytes;
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

const struct gpucode_target *isa_find_target(const struct isa *set, const char *name)
{
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    if (!is_name(set->name, name, length) && !is_name(set->alias, name, length))
        return NULL;
    for (unsigned i = 0; i < set->targets.count; i++) {
        const char *rest = strchr(set->targets.list[i].name, ':');
        if (colon ? rest && strcmp(rest, colon) == 0 : !rest)
            return &set->targets.list[i];
    }
    return colon && set->targets.find ? set->targets.find(set, colon + 1) : NULL;
}

void isa_target_list(char *text, size_t size, const struct isa *const *sets)
{
    static const char more[] = "; `gpucode targets` lists chips";
    size_t used = (size_t)snprintf(text, size, "use -t TARGET:"), room = size > sizeof more ? size - sizeof more : 0;
    for (const struct isa *const *set = sets; *set; set++)
        for (unsigned i = 0; i < (*set)->targets.count; i++) {
            const char *name = (*set)->targets.list[i].name;
            if ((*set)->targets.list[i].is_generation && used + strlen(name) + 1 < room)
                used += (size_t)snprintf(text + used, size - used, " %s", name);
        }
    if (used < room)
        memcpy(text + used, more, sizeof more);
}
