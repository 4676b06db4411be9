/* SPDX-License-Identifier: MIT */
/* Fields of descriptors and registers by their names. */
#include "kit/ir3/kit.h"

#include <string.h>

const struct gpucode_field_value *ir3_named_field(const struct ir3_fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->list[i].name, name) == 0)
            return &fields->list[i];
    return NULL;
}

uint64_t ir3_number_field(const struct ir3_fields *fields, const char *name)
{
    const struct gpucode_field_value *found = ir3_named_field(fields, name);
    return found ? found->value : 0;
}

const char *ir3_text_field(const struct ir3_fields *fields, const char *name)
{
    const struct gpucode_field_value *found = ir3_named_field(fields, name);
    return found ? found->text : "";
}
