/* SPDX-License-Identifier: MIT */
/* What a register's value means on a chip, by its id. */
#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <stdio.h>

int main(void)
{
    struct gpucode_chip chip;
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    char name[GPUCODE_NAME_MAX], text[256];
    if (!gpucode_chip_find(0, 0x43050a01, &chip))
        return 1;
    printf("%s: a%uxx\n", chip.name, chip.family);
    gpucode_register_name(chip.family, 0x8820, name, sizeof name);
    gpucode_register_text(chip.family, 0x8820, 0x7e0, text, sizeof text);
    printf("%s = %s\n", name, text);
    size_t count = gpucode_register_fields(chip.family, 0x8820, 0x7e0, fields, GPUCODE_FIELD_VALUES_MAX);
    for (size_t i = 0; i < count; i++)
        printf("bits %u to %u: %s is %s\n", fields[i].low, fields[i].high, fields[i].name, fields[i].text);
    return 0;
}
