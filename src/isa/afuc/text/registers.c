/* SPDX-License-Identifier: MIT */
/* Names that general registers have by themselves: some mean one thing as sources and another as destinations. */
#include "isa/afuc/afuc.h"

#include "base/text.h"

#include <string.h>

#define NAME(name, number) [number] = name,
#define LENGTH(name, number) [number] = sizeof name - 1,
#define NOTHING(name, number)
#define SOURCE_both(entry) entry
#define SOURCE_source(entry) entry
#define SOURCE_destination(entry) NOTHING
#define SOURCE_hidden(entry) NOTHING
#define DESTINATION_both(entry) entry
#define DESTINATION_source(entry) NOTHING
#define DESTINATION_destination(entry) entry
#define DESTINATION_hidden(entry) NOTHING

/* Registers below REG_SP have their numbers, the others names in both roles. */
#define NUMBERED                                                                                                       \
    "$00", "$01", "$02", "$03", "$04", "$05", "$06", "$07", "$08", "$09", "$0a", "$0b", "$0c", "$0d", "$0e", "$0f",    \
        "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17", "$18", "$19",
#define NUMBERED_LENGTHS 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,

#define REGISTER(name, space, number, count, role) SOURCE_##role(NAME)(name, number)
const char afuc_source_texts[32][8] = {NUMBERED ROW_REGISTERS(REGISTER)};
const char afuc_source_names[32][9] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER
#define REGISTER(name, space, number, count, role) SOURCE_##role(LENGTH)(name, number)
const uint8_t afuc_source_text_lengths[32] = {NUMBERED_LENGTHS ROW_REGISTERS(REGISTER)};
const uint8_t afuc_source_lengths[32] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER
#define REGISTER(name, space, number, count, role) DESTINATION_##role(NAME)(name, number)
const char afuc_destination_texts[32][8] = {NUMBERED ROW_REGISTERS(REGISTER)};
const char afuc_destination_names[32][9] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER
#define REGISTER(name, space, number, count, role) DESTINATION_##role(LENGTH)(name, number)
const uint8_t afuc_destination_text_lengths[32] = {NUMBERED_LENGTHS ROW_REGISTERS(REGISTER)};
const uint8_t afuc_destination_lengths[32] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER

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
