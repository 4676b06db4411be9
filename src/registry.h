/* SPDX-License-Identifier: MIT */
/* All instruction sets. Rooms above the sets look here; no set does. */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "isa/isa.h"

/* In the order of `sets` in src/meson.build, ended by null. */
extern const struct isa *const registry_sets[];

/* isa_target_list() of all sets. */
void registry_target_list(char *text, size_t size);

/* "did you mean SET:a730? `gpucode targets` lists all", for hints to a name that is not a target's. */
void registry_target_hint(char *text, size_t size, const char *name, size_t length);
/* The target whose name is nearest to one that is not a target's; null: none is near. */
const struct gpucode_target *registry_nearest_target(const char *name, size_t length);

/* As isa_elsewhere. */
bool registry_mnemonic_elsewhere(const struct isa *set, const char *word, size_t length);

#endif
