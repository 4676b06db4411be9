/* SPDX-License-Identifier: MIT */
/* Names that general registers have by themselves: some mean one thing as sources and another as destinations. */
#include "isa/afuc/afuc.h"

#include "base/text.h"

#include <string.h>

#define NAME(name, number) [number] = name,
#define NO_NAME(name, number)
#define SOURCE_both NAME
#define SOURCE_source NAME
#define SOURCE_destination NO_NAME
#define SOURCE_hidden NO_NAME
#define DESTINATION_both NAME
#define DESTINATION_source NO_NAME
#define DESTINATION_destination NAME
#define DESTINATION_hidden NO_NAME

const char afuc_source_names[32][9] = {
#define REGISTER(name, space, number, count, role) SOURCE_##role(name, number)
    ROW_REGISTERS(REGISTER)
#undef REGISTER
};

const char afuc_destination_names[32][9] = {
#define REGISTER(name, space, number, count, role) DESTINATION_##role(name, number)
    ROW_REGISTERS(REGISTER)
#undef REGISTER
};

bool afuc_own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    if (!length || *text != '$')
        return false;
    *space = GPUCODE_SPACE_GENERAL;
    for (uint32_t i = REG_SP; i < 32; i++)
        if ((strlen(afuc_source_names[i]) == length && memcmp(afuc_source_names[i], text, length) == 0) ||
            (strlen(afuc_destination_names[i]) == length && memcmp(afuc_destination_names[i], text, length) == 0)) {
            *number = i;
            return true;
        }
    if (length != 3 || text_hex_digit(text[1]) < 0 || text_hex_digit(text[2]) < 0)
        return false;
    *number = (uint32_t)(text_hex_digit(text[1]) * 16 + text_hex_digit(text[2]));
    if (*number > 31)
        *number = UINT32_MAX;
    return true;
}
