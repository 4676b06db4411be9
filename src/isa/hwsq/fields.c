/* SPDX-License-Identifier: MIT */
/* The registers that scripts are driven by, field by field. */
#include "isa/fields.h"
#include "isa/hwsq/hwsq.h"

#include <gpucode/names.h>
#include <stdio.h>
#include <string.h>

#define BIT(generation) (1u << HWSQ_##generation)
#define OLD (BIT(NV17) | BIT(NV41) | BIT(NV50)) /* with two slots */
#define HANGS (BIT(NV41) | BIT(NV50))
#define NEW BIT(NV92)

static const struct register_field {
    uint16_t number;
    uint8_t generations, low, high;
    const char *name;
} table[] = {
    {0x1098, ALL, 3, 3, "HWSQ_ENABLE"},
    {0x1098, ALL, 4, 4, "HWSQ_OVERRIDE_MODE"},
    {0x1304, ALL, 0, 7, "ENTRY_0"},
    {0x1304, ALL, 8, 15, "ENTRY_1"},
    {0x1304, ALL, 16, 23, "ENTRY_2"},
    {0x1304, ALL, 24, 31, "ENTRY_3"},
    {0x1308, ALL, 0, 7, "A_IP"},
    {0x1308, ALL, 8, 8, "A_RUNNING"},
    {0x1308, HANGS, 9, 9, "A_ILLEGAL"},
    {0x1308, NEW, 10, 10, "A_IP_HIGH"},
    {0x1308, OLD, 16, 23, "B_IP"},
    {0x1308, OLD, 24, 24, "B_RUNNING"},
    {0x1308, HANGS, 25, 25, "B_ILLEGAL"},
    {0x130c, ALL, 0, 0, "START"},
    {0x130c, OLD, 1, 1, "SLOT_A"},
    {0x130c, ALL, 2, 3, "ENTRY"},
    {0x1318, NEW, 0, 0, "ENTRY_0_HIGH"},
    {0x1318, NEW, 8, 8, "ENTRY_1_HIGH"},
    {0x1318, NEW, 16, 16, "ENTRY_2_HIGH"},
    {0x1318, NEW, 24, 24, "ENTRY_3_HIGH"},
    {0x1578, NV41_UP, 0, 0, "FB_PAUSED"},
    {0x1578, NV41_UP, 1, 1, "HEAD0_VBLANK"},
    {0x1578, NV41_UP, 2, 2, "HEAD0_HBLANK"},
    {0x1578, NV41_UP, 3, 3, "HEAD1_VBLANK"},
    {0x1578, NV41_UP, 4, 4, "HEAD1_HBLANK"},
};

/* Names of fields are constants, and those of flags differ from chip to chip: a flag's own name is in the text. */
#define NUMBERED(prefix)                                                                                               \
    {                                                                                                                  \
        prefix "0", prefix "1", prefix "2", prefix "3", prefix "4", prefix "5", prefix "6", prefix "7", prefix "8",    \
            prefix "9", prefix "10", prefix "11", prefix "12", prefix "13", prefix "14", prefix "15", prefix "16",     \
            prefix "17", prefix "18", prefix "19", prefix "20", prefix "21", prefix "22", prefix "23", prefix "24",    \
            prefix "25", prefix "26", prefix "27", prefix "28", prefix "29", prefix "30", prefix "31"                  \
    }

static void add_flags(struct isa_field_list *list, const struct gpucode_target *target, unsigned first)
{
    static const char *const values[] = NUMBERED("FLAG_"), *const enables[] = NUMBERED("OVERRIDE_FLAG_");
    char name[GPUCODE_NAME_MAX];
    for (unsigned i = 0; i < 32; i++) {
        unsigned flag = first + i % 16;
        if (!isa_add_field(list, (i < 16 ? values : enables)[flag], i, i, NULL, 0) ||
            !gpucode_name_of(target, NULL, GPUCODE_SPACE_FLAG, flag, name, sizeof name))
            continue;
        char *text = list->fields[list->count - 1].text;
        size_t length = strlen(text);
        snprintf(text + length, GPUCODE_FIELD_TEXT_MAX - length, " (%.60s)", name);
    }
}

size_t hwsq_register_fields(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value,
                            struct gpucode_field_value *fields, size_t size)
{
    struct isa_field_list list = {.fields = fields, .size = fields ? size : 0, .value = (uint32_t)value};
    if (space != GPUCODE_SPACE_GPU)
        return 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].number == number && table[i].generations >> target->generation & 1)
            isa_add_field(&list, table[i].name, table[i].low, table[i].high, NULL, 0);
    if (number == 0x1310 || number == 0x1314)
        add_flags(&list, target, number == 0x1314 ? 16 : 0);
    return list.count;
}
