/* SPDX-License-Identifier: MIT */
/* Lines of devcoredumps by their form: what the driver writes, and nothing else. */
#include "pm4/crash/redact.h"

#include <gpucode/crash.h>
#include <string.h>

#define TEXT_LENGTH 4096
#define TEXT_WORD 256 /* of a text without blanks */

#define ADDRESSES GPUCODE_CRASH_WITHOUT_ADDRESSES
#define PROCESS GPUCODE_CRASH_WITHOUT_PROCESS

static const struct section_form scalars[] = {
    {.name = "kernel", .keys = {{"kernel", FORM_TEXT, 0}}},
    {.name = "module", .keys = {{"module", FORM_WORD, 0}}},
    {.name = "time", .keys = {{"time", FORM_TEXT, 0}}},
    {.name = "comm", .keys = {{"comm", FORM_TEXT, PROCESS}}},
    {.name = "cmdline", .keys = {{"cmdline", FORM_TEXT, PROCESS}}},
    {.name = "gpu-initialized", .keys = {{"gpu-initialized", FORM_NUMBER, 0}}},
    {.name = "revision", .keys = {{"revision", FORM_REVISION, 0}}},
    {.name = "rbbm-status", .keys = {{"rbbm-status", FORM_NUMBER, 0}}},
};

static const struct section_form forms[] = {
    {.name = "fault-info",
     .keys = {{"ttbr0", FORM_HEX, ADDRESSES},
              {"iova", FORM_HEX, 0},
              {"far", FORM_HEX, 0},
              {"dir", FORM_WORD, 0},
              {"type", FORM_WORD, 0},
              {"source", FORM_TEXT, 0}}},
    {.name = "pgtable-fault-info",
     .keys = {{"ttbr0", FORM_HEX, 0}, {"asid", FORM_INTEGERS, 0}, {"ptes", FORM_HEX, 0}},
     .without = ADDRESSES},
    {.name = "ringbuffer",
     .keys = {{"iova", FORM_NUMBER, 0},
              {"size", FORM_NUMBER, 0},
              {"id", FORM_NUMBER, 0},
              {"last-fence", FORM_NUMBER, 0},
              {"retired-fence", FORM_NUMBER, 0},
              {"rptr", FORM_NUMBER, 0},
              {"wptr", FORM_NUMBER, 0}},
     .usual = 2,
     .contents = CONTENTS_MEMORY,
     .size = "size"},
    {.name = "bos",
     .keys =
         {{"iova", FORM_NUMBER, 0}, {"size", FORM_NUMBER, 0}, {"flags", FORM_NUMBER, 0}, {"name", FORM_TEXT, PROCESS}},
     .usual = 2,
     .contents = CONTENTS_BUFFER,
     .size = "size"},
    {.name = "gmu-log",
     .keys = {{"iova", FORM_NUMBER, 0}, {"size", FORM_NUMBER, 0}},
     .usual = 2,
     .contents = CONTENTS_MEMORY,
     .size = "size"},
    {.name = "gmu-hfi",
     .keys = {{"iova", FORM_NUMBER, 0},
              {"size", FORM_NUMBER, 0},
              {"queue-history[0]", FORM_INTEGERS, 0},
              {"queue-history[1]", FORM_INTEGERS, 0}},
     .usual = 2,
     .contents = CONTENTS_MEMORY,
     .size = "size"},
    {.name = "registers", .registers = true},
    {.name = "registers-gmu", .registers = true},
    {.name = "registers-hlsq", .registers = true},
    {.name = "indexed-registers",
     .keys = {{"regs-name", FORM_WORD, 0}, {"dwords", FORM_NUMBER, 0}},
     .usual = 2,
     .contents = CONTENTS_BLOCK,
     .size = "dwords"},
    {.name = "shader-blocks",
     .keys = {{"type", FORM_WORD, 0},
              {"pipe", FORM_WORD, 0},
              {"bank", FORM_NUMBER, 0},
              {"location", FORM_NUMBER, 0},
              {"sp", FORM_NUMBER, 0},
              {"usptp", FORM_NUMBER, 0},
              {"size", FORM_NUMBER, 0}},
     .contents = CONTENTS_SHADER,
     .size = "size"},
    {.name = "clusters",
     .keys = {{"cluster-name", FORM_WORD, 0},
              {"pipe", FORM_WORD, 0},
              {"context", FORM_NUMBER, 0},
              {"location", FORM_NUMBER, 0}},
     .registers = true},
    {.name = "debugbus",
     .keys = {{"debugbus-block", FORM_WORD, 0}, {"count", FORM_NUMBER, 0}},
     .usual = 2,
     .contents = CONTENTS_DEBUG,
     .size = "count"},
};

/* --- forms ------------------------------------------------------------------------------------------------------- */

/* Is it all numbers, at most as long as numbers of 64 bits and `most` of them? */
static bool are_numbers(const char *at, const char *end, bool hex, bool negative, unsigned most)
{
    unsigned count = 0;
    while (at < end) {
        bool marked = end - at > 2 && at[0] == '0' && at[1] == 'x';
        at += marked ? 2 : negative && *at == '-';
        const char *start = at;
        while (at < end && (marked || hex ? is_hex_digit(*at) : is_digit(*at)))
            at++;
        if (at == start || at - start > 20 || ++count > most || (at < end && *at != ' '))
            return false;
        while (at < end && *at == ' ')
            at++;
    }
    return count != 0;
}

static bool is_text(const char *at, const char *end)
{
    size_t run = 0;
    if (end - at > TEXT_LENGTH)
        return false;
    for (; at < end; at++) {
        run = *at == ' ' ? 0 : run + 1;
        if ((unsigned char)*at < ' ' || run > TEXT_WORD)
            return false;
    }
    return true;
}

bool redact_has_form(enum form form, const char *at, const char *end)
{
    while (end > at && end[-1] == ' ')
        end--;
    switch (form) {
    case FORM_NUMBER:
        return are_numbers(at, end, false, false, 1);
    case FORM_HEX:
        return are_numbers(at, end, true, false, 4);
    case FORM_INTEGERS:
        return are_numbers(at, end, false, true, DUMP_HISTORY);
    case FORM_REVISION:
        for (; at < end && (is_digit(*at) || *at == ' ' || *at == '(' || *at == ')' || *at == '.'); at++)
            continue;
        return at == end;
    case FORM_WORD:
        if (end - at > 63)
            return false;
        for (; at < end && is_word_byte(*at); at++)
            continue;
        return at == end;
    case FORM_TEXT:
        return is_text(at, end);
    }
    return false;
}

bool redact_next(const char **at, const char *end, struct piece *piece)
{
    if (*at == end)
        return false;
    const char *start = *at, *newline = memchr(start, '\n', (size_t)(end - start));
    *piece = (struct piece){.text = start, .end = newline ? newline : end, .next = newline ? newline + 1 : end};
    *at = piece->next;
    if (piece->end > start && piece->end[-1] == '\r')
        piece->end--;
    const char *from = start;
    while (from < piece->end && *from == ' ')
        from++;
    piece->indent = (size_t)(from - start);
    piece->item = piece->end - from >= 2 && from[0] == '-' && from[1] == ' ';
    from += piece->item ? 2 : 0;
    piece->key = piece->key_end = from;
    while (piece->key_end < piece->end && *piece->key_end != ':' && *piece->key_end != '=')
        piece->key_end++;
    piece->value = piece->key_end < piece->end ? piece->key_end + 1 : piece->end;
    while (piece->value < piece->end && *piece->value == ' ')
        piece->value++;
    return true;
}

bool redact_has_key(const struct piece *piece, const char *key)
{
    size_t length = strlen(key);
    return (size_t)(piece->key_end - piece->key) == length && memcmp(piece->key, key, length) == 0;
}

const struct section_form *redact_scalar_form(const struct piece *head)
{
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (redact_has_key(head, scalars[i].name))
            return &scalars[i];
    return NULL;
}

const struct section_form *redact_list_form(const struct piece *head)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (redact_has_key(head, forms[i].name))
            return &forms[i];
    return NULL;
}
