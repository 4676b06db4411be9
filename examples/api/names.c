/* SPDX-License-Identifier: MIT */
/* A register by its number and back, with a name of our own ahead of the built-in ones. */
#include <gpucode/names.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static size_t own_name(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    const char *name = user;
    size_t length = strlen(name);
    if (space != GPUCODE_SPACE_GPU || number != 0x831 || length > size)
        return 0;
    memcpy(text, name, length);
    return length;
}

int main(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    char own[] = "MY_REGISTER", name[GPUCODE_NAME_MAX];
    const struct gpucode_names names = {.name = own_name, .user = own};
    uint32_t number;
    if (gpucode_name_of(target, NULL, GPUCODE_SPACE_GPU, 0x830, name, sizeof name))
        printf("0x830 is %s\n", name);
    if (gpucode_name_of(target, &names, GPUCODE_SPACE_GPU, 0x831, name, sizeof name))
        printf("0x831 is %s\n", name);
    if (gpucode_number_of(target, NULL, GPUCODE_SPACE_PACKET, "CP_NOP", strlen("CP_NOP"), &number))
        printf("CP_NOP is 0x%02" PRIx32 "\n", number);
    return 0;
}
