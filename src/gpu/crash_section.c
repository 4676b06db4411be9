/* SPDX-License-Identifier: MIT */
/* One section of the file, with names of registers and words instead of their encoding. */
#include "front/session.h"
#include "front/terminal.h"
#include "gpu/crash_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096 /* of a line; longer ones are data */

struct printer {
    const struct crash_file *file;
    struct gpucode_crash_block block; /* the memory whose words come next */
    bool all;                         /* firmware too */
};

static void print_words(const struct printer *printer, const uint32_t *words, size_t count)
{
    bool hidden = false;
    for (size_t i = 0; i < count; i += 8) {
        if (!printer->all && !gpucode_crash_is_open(&printer->block, i)) {
            if (!hidden)
                printf("      %05zx  firmware, or words nobody knows; --ucode-cache shows them\n", i);
            hidden = true;
            continue;
        }
        hidden = false;
        printf("      %05zx ", i);
        for (size_t k = i; k < count && k < i + 8; k++)
            printf(" %08" PRIx32, words[k]);
        putchar('\n');
    }
}

static int print_data(const struct printer *printer, const char *text, size_t length)
{
    uint32_t *words = calloc(length + 1, sizeof *words);
    if (!words)
        return out_of_memory(&printer->file->session->diagnostics);
    while (length && *text == ' ') {
        text++;
        length--;
    }
    print_words(printer, words, gpucode_crash_ascii85(text, length, words, length));
    free(words);
    return EXIT_DONE;
}

/* The hexadecimal number behind `key` in a line; false: there is none. */
static bool find_number(const char *line, size_t length, const char *key, uint32_t *number)
{
    const char *at = memmem(line, length, key, strlen(key));
    char digits[24] = ""; /* what was decompressed has no zero behind it */
    if (!at)
        return false;
    size_t left = (size_t)(line + length - at) - strlen(key);
    memcpy(digits, at + strlen(key), left < sizeof digits - 1 ? left : sizeof digits - 1);
    *number = (uint32_t)strtoull(digits, NULL, 16);
    return true;
}

/* The register that a line is about: "  - { offset: 0x002000, value: ... }" */
static void print_register(const struct printer *printer, const char *line, size_t length)
{
    char name[GPUCODE_NAME_MAX], text[CRASH_TEXT_MAX];
    uint32_t offset, value;
    if (!find_number(line, length, "offset: 0x", &offset))
        return;
    const char *found = crash_file_name(printer->file, GPUCODE_SPACE_GPU, offset / 4, name);
    if (found)
        printf("  %s", found);
    if (found && find_number(line, length, "value: 0x", &value))
        printf(" = %s", crash_file_value(printer->file, offset / 4, value, text));
}

/* The name that a line gives to the words behind it; other sections than indexed registers have none of code. */
static void note_name(struct printer *printer, const char *line, size_t length, char *name, size_t size)
{
    const char *at = memmem(line, length, "regs-name: ", 11);
    if (!at)
        return;
    size_t rest = (size_t)(line + length - at) - 11;
    snprintf(name, size, "%.*s", (int)(rest < size ? rest : size - 1), at + 11);
    printer->block.name = name;
}

static int print_lines(struct printer *printer, const struct gpucode_crash_section *section)
{
    const char *at = section->text, *end = at + section->length;
    bool registers = strncmp(section->name, "registers", 9) == 0 && strcmp(section->name, "registers-gmu") != 0;
    char name[128];
    int code = EXIT_DONE;
    bool data = false;
    /* where no line says whose words come next they may be anyone's */
    printer->block.name = strcmp(section->name, "indexed-registers") == 0 ? "UCODE" : "words";
    while (at < end && !code) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        if (data) {
            code = print_data(printer, at, length);
            if (strcmp(section->name, "indexed-registers") == 0)
                printer->block.name = "UCODE";
        } else if (length < LONGEST) {
            note_name(printer, at, length, name, sizeof name);
            excerpt_text(stdout, at, length);
            if (registers || strcmp(section->name, "clusters") == 0)
                print_register(printer, at, length);
            putchar('\n');
        }
        data = length < LONGEST && memmem(at, length, "data: !!ascii85", 15);
        at += length + 1;
    }
    return code;
}

/* A section of a snapshot: its bytes as words; memories of processors by their name. */
static int print_part(struct printer *printer, const struct gpucode_crash_section *section)
{
    size_t count = section->length / 4;
    uint32_t *words = calloc(count + 1, sizeof *words);
    bool block = strcmp(section->name, "0x0501") == 0 || strcmp(section->name, "0x0502") == 0;
    printf("section %s, %zu bytes\n", section->name, section->length);
    if (!words)
        return out_of_memory(&printer->file->session->diagnostics);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)section->text + 4 * i;
        words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    printer->block.name = "words";
    if (!block)
        print_words(printer, words, count);
    free(words);
    return EXIT_DONE;
}

/* Of snapshots the memories of processors have their own list. */
static void print_blocks(struct printer *printer)
{
    for (size_t i = 0; gpucode_crash_block(printer->file->crash, i, &printer->block); i++) {
        printf("%s, %" PRIu64 " words\n", printer->block.name, printer->block.data.size);
        print_words(printer, printer->block.data.words, printer->block.data.count);
    }
}

int crash_print_section(const struct crash_file *file, const char *name)
{
    struct printer printer = {.file = file, .all = arguments_have(&file->session->arguments, OPTION_GPU_UCODE_CACHE)};
    struct gpucode_crash_section section;
    char names[512] = "the dump has ";
    unsigned found = 0;
    int code = EXIT_DONE;
    for (size_t i = 0; !code && gpucode_crash_section(file->crash, i, &section); i++) {
        size_t length = strlen(names);
        if (!strstr(names, section.name) && length < sizeof names - 64)
            snprintf(names + length, sizeof names - length, "%s%.40s", i ? ", " : "", section.name);
        if (strcmp(section.name, name) != 0)
            continue;
        code =
            file->head->format == GPUCODE_CRASH_KGSL ? print_part(&printer, &section) : print_lines(&printer, &section);
        found++;
    }
    if (found && file->head->format == GPUCODE_CRASH_KGSL &&
        (strcmp(name, "0x0501") == 0 || strcmp(name, "0x0502") == 0))
        print_blocks(&printer);
    return found || code ? code
                         : complain(&file->session->diagnostics, CLI_GPU_CRASH_SECTION, file->file.name, names, name);
}
