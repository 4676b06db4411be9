/* SPDX-License-Identifier: MIT */
#include "isa/afuc/afuc.h"

static const struct afuc_chip chips[AFUC_TARGET_COUNT] = {
#define CHIP(symbol, text, number, generation_, names_, features_, strap_, register_, value_, files, description_)     \
    [AFUC_TARGET_##symbol] = {.name = text,                                                                            \
                              .firmware = files,                                                                       \
                              .id = number,                                                                            \
                              .features = features_,                                                                   \
                              .strap = strap_,                                                                         \
                              .preset = register_,                                                                     \
                              .preset_value = value_},
#define GENERATION(...)
#include "isa/afuc/text/chips.def"
#undef CHIP
#undef GENERATION
};

const struct gpucode_target afuc_targets[AFUC_TARGET_COUNT] = {
#define CHIP(symbol, text, number, generation_, names_, features_, strap_, register_, value_, files, description_)     \
    [AFUC_TARGET_##symbol] = {.name = "afuc:" text,                                                                    \
                              .isa = &afuc_isa,                                                                        \
                              .description = description_,                                                             \
                              .generation = AFUC_##generation_,                                                        \
                              .names = &afuc_names_##names_,                                                           \
                              .chip = &chips[AFUC_TARGET_##symbol]},
#define GENERATION(symbol, text, generation_, names_, description_)                                                    \
    [AFUC_TARGET_##symbol] = {.name = "afuc:" text,                                                                    \
                              .isa = &afuc_isa,                                                                        \
                              .description = description_,                                                             \
                              .generation = AFUC_##generation_,                                                        \
                              .is_generation = true,                                                                   \
                              .names = &afuc_names_##names_},
#include "isa/afuc/text/chips.def"
#undef CHIP
#undef GENERATION
};

const struct gpucode_target *afuc_target_of_id(uint32_t id)
{
    for (unsigned i = 0; i < AFUC_TARGET_COUNT; i++) {
        const struct afuc_chip *chip = afuc_targets[i].chip;
        if (chip && chip->id == id)
            return &afuc_targets[i];
    }
    return NULL;
}
