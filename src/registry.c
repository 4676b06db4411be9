/* SPDX-License-Identifier: MIT */
/* Targets by name, over the list of instruction sets, which the build makes (`sets` in src/meson.build). */
#include "registry.h"

#include "isa/scan.h"

#include <stdio.h>
#include <string.h>

/* A program that brings its own sets builds this file with a list of its own. */
#ifndef SETS_DEF
#define SETS_DEF "sets.def"
#endif
#define SET(name) extern const struct isa name##_isa;
#include SETS_DEF
#undef SET
extern const struct isa data_isa;

const struct isa *const registry_sets[] = {
#define SET(name) &name##_isa,
#include SETS_DEF
#undef SET
    &data_isa, /* takes what nobody else does */
    NULL,
};

/*
 * The target of one set that has the name after its colon: chips and generations are known by it. `shared`: of a set
 * that leaves names to others.
 */
static const struct gpucode_target *find_alone(const char *name, bool shared)
{
    const struct gpucode_target *found = NULL, *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        const char *colon = strchr(target->name, ':');
        if (!colon || strcmp(colon + 1, name) != 0 || target->isa->targets.shared_names != shared)
            continue;
        if (found)
            return NULL;
        found = target;
    }
    return found || shared ? found : find_alone(name, true);
}

/* A target of a set by the name of its family in place of the set's. */
static const struct gpucode_target *find_in_family(const char *name)
{
    const char *colon = strchr(name, ':');
    for (const struct isa *const *set = registry_sets; colon && *set; set++) {
        const char *family = (*set)->targets.family;
        if (!family || strlen(family) != (size_t)(colon - name) || memcmp(family, name, strlen(family)) != 0)
            continue;
        for (unsigned i = 0; i < (*set)->targets.count; i++) {
            const char *own = (*set)->targets.list[i].name, *rest = strchr(own, ':');
            if (strcmp(rest ? rest + 1 : own, colon + 1) == 0)
                return &(*set)->targets.list[i];
        }
    }
    return NULL;
}

const struct gpucode_target *gpucode_target_find(const char *name)
{
    const struct gpucode_target *found = NULL;
    for (const struct isa *const *set = registry_sets; name && !found && *set; set++)
        found = isa_find_target(*set, name);
    if (found || !name)
        return found;
    return strchr(name, ':') ? find_in_family(name) : find_alone(name, false);
}

const struct gpucode_target *gpucode_target_at(unsigned index)
{
    for (const struct isa *const *set = registry_sets; *set; set++) {
        if (index < (*set)->targets.count)
            return &(*set)->targets.list[index];
        index -= (*set)->targets.count;
    }
    return NULL;
}

void registry_target_list(char *text, size_t size)
{
    isa_target_list(text, size, registry_sets);
}

const struct gpucode_target *registry_nearest_target(const char *name, size_t length)
{
    const struct gpucode_target *target, *nearest = NULL;
    unsigned best = (unsigned)(length < 30 ? length : 30) / 3 + 1;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        const char *colon = strchr(target->name, ':');
        const char *other = colon && !memchr(name, ':', length) ? colon + 1 : target->name;
        unsigned distance = text_distance(name, length, other, strlen(other), best);
        if (distance < best) {
            best = distance;
            nearest = target;
        }
    }
    return nearest;
}

void registry_target_hint(char *text, size_t size, const char *name, size_t length)
{
    const struct gpucode_target *nearest = registry_nearest_target(name, length);
    if (nearest)
        snprintf(text, size, "did you mean %s? `gpucode targets` lists all", nearest->name);
    else
        snprintf(text, size, "`gpucode targets` lists them");
}

bool registry_mnemonic_elsewhere(const struct isa *set, const char *word, size_t length)
{
    for (const struct isa *const *other = registry_sets; *other; other++)
        if (*other != set && !(*other)->targets.shared_names && isa_find_mnemonic(*other, word, length))
            return true;
    return false;
}
