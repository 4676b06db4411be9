/* SPDX-License-Identifier: MIT */
/* One section of the file, with names of registers and words instead of their encoding. */
#include "pm4/crash/explain.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096 /* of a line; longer ones are data */

struct printer {
    struct explanation e;
    struct gpucode_crash_block block; /* the memory whose words come next */
    struct buffer line;
};

static void end_line(struct printer *printer)
{
    if (printer->line.failed)
        gpucode_answer_fail(printer->e.answer, GPUCODE_ERROR_MEMORY);
    else
        gpucode_answer_bytes(printer->e.answer, &crash_rows[LINE], printer->line.length ? printer->line.bytes : "",
                             printer->line.length);
    printer->line.length = 0;
}

static void put_words(struct printer *printer, const uint32_t *words, size_t count)
{
    bool hidden = false;
    for (size_t i = 0; i < count; i += 8) {
        bool shown = printer->e.ucode || gpucode_crash_is_open(&printer->block, i);
        if (!shown && hidden)
            continue;
        hidden = !shown;
        buffer_format(&printer->line, "      %05zx ", i);
        if (hidden)
            buffer_text(&printer->line, " firmware, or words nobody knows; --ucode-cache shows them");
        for (size_t k = i; shown && k < count && k < i + 8; k++)
            buffer_format(&printer->line, " %08" PRIx32, words[k]);
        end_line(printer);
    }
}

static void put_data(struct printer *printer, const char *text, size_t length)
{
    uint32_t *words = calloc(length + 1, sizeof *words);
    if (!words) {
        gpucode_answer_fail(printer->e.answer, GPUCODE_ERROR_MEMORY);
        return;
    }
    while (length && *text == ' ') {
        text++;
        length--;
    }
    put_words(printer, words, gpucode_crash_ascii85(text, length, words, length));
    free(words);
}

/* The hexadecimal number after `key` in a line; false: there is none. */
static bool find_number(const char *line, size_t length, const char *key, uint32_t *number)
{
    const char *at = memmem(line, length, key, strlen(key));
    char digits[24] = ""; /* what was decompressed has no zero after it */
    if (!at)
        return false;
    size_t left = (size_t)(line + length - at) - strlen(key);
    memcpy(digits, at + strlen(key), left < sizeof digits - 1 ? left : sizeof digits - 1);
    *number = (uint32_t)strtoull(digits, NULL, 16);
    return true;
}

/* A line "  - { offset: 0x002000, value: ... }" of a GPU register; false: it is not one. */
static bool read_register(const char *line, size_t length, uint32_t *number, uint32_t *value)
{
    if (!find_number(line, length, "offset: 0x", number) || !find_number(line, length, "value: 0x", value))
        return false;
    *number /= 4;
    return true;
}

/* The register that a line is about. Of a register of two words the first line has the value of both. */
static void tell_register(struct printer *printer, const char *line, size_t length, const char *end)
{
    const struct explanation *e = &printer->e;
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX];
    const char *next = line + length + 1, *newline = next < end ? memchr(next, '\n', (size_t)(end - next)) : NULL;
    uint32_t number, low, second = 0, high = 0;
    if (!read_register(line, length, &number, &low))
        return;
    bool wide = newline && newline - next < LONGEST && read_register(next, (size_t)(newline - next), &second, &high) &&
                second == number + 1 && explain_is_wide(e, GPUCODE_SPACE_GPU, number);
    uint64_t value = wide ? (uint64_t)high << 32 | low : low;
    const char *found =
        wide ? explain_name(e, GPUCODE_SPACE_GPU, number, name) : explain_word_name(e, GPUCODE_SPACE_GPU, number, name);
    if (found)
        buffer_format(&printer->line, "  %s = %s", found, explain_value(e, number, value, text));
}

static void tell_gmu_register(struct printer *printer, const char *line, size_t length)
{
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX];
    unsigned family = printer->e.family;
    uint32_t number, value;
    if (!read_register(line, length, &number, &value) || !gpucode_gmu_register_name(family, number, name, sizeof name))
        return;
    gpucode_gmu_register_text(family, number, value, text, sizeof text);
    buffer_format(&printer->line, "  %s = %s", name, text);
}

/* The name that a line gives to the words after it; other sections than indexed registers have none of code. */
static void note_name(struct printer *printer, const char *line, size_t length, char *name, size_t size)
{
    const char *at = memmem(line, length, "regs-name: ", 11);
    if (!at)
        return;
    size_t rest = (size_t)(line + length - at) - 11, part = rest < size ? rest : size - 1;
    memcpy(name, at + 11, part);
    name[part] = 0;
    printer->block.name = name;
}

static void put_lines(struct printer *printer, const struct gpucode_crash_section *section)
{
    const char *at = section->text, *end = at + section->length;
    bool gmu = strcmp(section->name, "registers-gmu") == 0;
    bool registers = !gmu && strncmp(section->name, "registers", 9) == 0;
    bool indexed = strcmp(section->name, "indexed-registers") == 0, data = false;
    char name[128];
    /* where no line says whose words come next they may be anyone's */
    printer->block.name = indexed ? "UCODE" : "words";
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        if (data) {
            put_data(printer, at, length);
            if (indexed)
                printer->block.name = "UCODE";
        } else if (length < LONGEST) {
            note_name(printer, at, length, name, sizeof name);
            buffer_append(&printer->line, at, length);
            if (registers || strcmp(section->name, "clusters") == 0)
                tell_register(printer, at, length, end);
            if (gmu)
                tell_gmu_register(printer, at, length);
            end_line(printer);
        }
        data = length < LONGEST && memmem(at, length, "data: !!ascii85", 15);
        at += length + 1;
    }
}

/* A section of a snapshot that has memories of processors: these have their own list. */
static bool is_memory(const char *name)
{
    return strcmp(name, "0x0501") == 0 || strcmp(name, "0x0502") == 0;
}

/* A section of a snapshot: its bytes as words; memories of processors by their name. */
static void put_part(struct printer *printer, const struct gpucode_crash_section *section)
{
    size_t count = section->length / 4;
    uint32_t *words = calloc(count + 1, sizeof *words);
    buffer_format(&printer->line, "section %s, %zu bytes", section->name, section->length);
    end_line(printer);
    if (!words) {
        gpucode_answer_fail(printer->e.answer, GPUCODE_ERROR_MEMORY);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)section->text + 4 * i;
        words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    printer->block.name = "words";
    if (!is_memory(section->name))
        put_words(printer, words, count);
    free(words);
}

static void put_blocks(struct printer *printer)
{
    for (size_t i = 0; gpucode_crash_block(printer->e.crash, i, &printer->block); i++) {
        buffer_format(&printer->line, "%s, %" PRIu64 " words", printer->block.name, printer->block.data.size);
        end_line(printer);
        put_words(printer, printer->block.data.words, printer->block.data.count);
    }
}

static bool has_section(const struct gpucode_crash *crash, const char *name)
{
    struct gpucode_crash_section section;
    for (size_t i = 0; name && gpucode_crash_section(crash, i, &section); i++)
        if (strcmp(section.name, name) == 0)
            return true;
    return false;
}

enum gpucode_status gpucode_crash_explain_section(const struct gpucode_crash *crash, const char *name,
                                                  const struct gpucode_crash_explain_options *options,
                                                  struct gpucode_answer *answer)
{
    struct printer printer = {0};
    struct gpucode_crash_section section;
    if (!crash || !name)
        return GPUCODE_ERROR_ARGUMENT;
    if (!has_section(crash, name))
        return GPUCODE_ERROR_INPUT;
    explain_begin(&printer.e, crash, options, answer);
    bool snapshot = printer.e.head->format == GPUCODE_CRASH_KGSL;
    put_begin(&printer.e, SECTION);
    put_text(&printer.e, SECTION_NAME, name);
    put_begin(&printer.e, LINES);
    for (size_t i = 0; gpucode_crash_section(crash, i, &section); i++)
        if (strcmp(section.name, name) == 0 && snapshot)
            put_part(&printer, &section);
        else if (strcmp(section.name, name) == 0)
            put_lines(&printer, &section);
    if (snapshot && is_memory(name))
        put_blocks(&printer);
    put_end(&printer.e);
    put_end(&printer.e);
    buffer_free(&printer.line);
    return gpucode_answer_status(answer);
}
