/* SPDX-License-Identifier: MIT */
/* The packets of a handler, by their names. */
#include "gpu/crash_page.h"

#include <stdio.h>
#include <string.h>

void crash_handler_names(const struct gpucode_target *target, const struct gpucode_names *names,
                         const uint32_t handlers[128], const struct gpucode_crash_handler *handler, char *text,
                         size_t size)
{
    char name[GPUCODE_NAME_MAX];
    unsigned listed = 0;
    if (handler->unknown) {
        snprintf(text, size, "unknown opcodes");
        return;
    }
    *text = 0;
    for (uint32_t i = 0; i < 128; i++) {
        size_t length = strlen(text);
        if (handlers[i] != handler->start || length + GPUCODE_NAME_MAX + 8 > size)
            continue;
        if (i == 4)
            snprintf(name, sizeof name, "PKT4");
        else if (!target || !gpucode_name_of(target, names, GPUCODE_SPACE_PACKET, i, name, sizeof name))
            continue;
        if (listed++ < 3)
            snprintf(text + length, size - length, "%s%s", listed > 1 ? " and " : "", name);
    }
    if (listed > 3)
        snprintf(text + strlen(text), size - strlen(text), " and %u more", listed - 3);
    if (!listed)
        snprintf(text, size, "an opcode without a name");
}
