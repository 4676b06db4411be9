/* SPDX-License-Identifier: MIT */
/* What all readers of dumps need: lists, texts, warnings. */
#include "pm4/crash/dump.h"

#include <stdarg.h>
#include <string.h>

void *dump_add(struct gpucode_crash *crash, struct list *list, size_t size)
{
    void *item = list_add(list, size);
    crash->no_memory |= !item;
    return item;
}

void dump_warn(struct gpucode_crash *crash, const char *at, message_id message, ...)
{
    struct place place = {.file = crash->loader.file_name};
    va_list args;
    if (crash->warnings++ >= DUMP_WARNINGS_MAX)
        return;
    if (at && crash->head.format == GPUCODE_CRASH_DEVCOREDUMP) {
        place.text = crash->text;
        place.length = crash->size;
        place.at = at;
    }
    va_start(args, message);
    report_v(&crash->loader.on_diagnostic, &place, message, NULL, args);
    va_end(args);
}

const char *dump_text(struct gpucode_crash *crash, const char *text, size_t length)
{
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || !text[length - 1]))
        length--;
    if (!length)
        return NULL;
    const char *copy = arena_copy(&crash->loader.arena, text, length);
    crash->no_memory |= !copy;
    return copy;
}

bool crash_is(const struct gpucode_crash *crash, const char *generation)
{
    return crash->head.generation && strcmp(crash->head.generation, generation) == 0;
}
