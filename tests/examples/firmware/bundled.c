/* SPDX-License-Identifier: MIT */
#include "bundled.h"

#include <gpucode/analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct bundled bundled[BUNDLED_COUNT + 1] = {
    {"a6xx", 0x6ee, 0x002, "afuc:a630", "plain", 1, {"SQE"}},
    {"a7xx", 0x730, 0x001, "afuc:a730", "a7xx header", 3, {"BR", "BV", "LPAC"}},
    {"a5xx", 0x5ff, 0x001, "afuc:a530", "a5xx pair", 2, {"PFP", "PM4"}},
};

char *bundled_text(const char *name, const char *suffix, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, SOURCE_ROOT "/examples/firmware/%s%s", name, suffix);
    char *text = read_whole(path, size);
    if (!text)
        fail_msg("cannot read %s", path);
    return text;
}

bool bundled_include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user;
    (void)from;
    *text = bundled_text(name, "", length);
    return true;
}

static void open_image(struct opened *opened)
{
    struct heard heard = {0};
    struct gpucode_image_options image_options = {.on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(opened->program), gpucode_program_size(opened->program),
                                        &image_options, &opened->image),
                     GPUCODE_OK);
    assert_string_equal(heard_text(&heard), "");
    opened->info = gpucode_image_info(opened->image);
}

void open_bundled(struct opened *opened, unsigned index)
{
    *opened = (struct opened){.firmware = &bundled[index]};
    struct assembled assembled;
    struct gpucode_asm_options options = {.file = opened->firmware->name, .include = bundled_include};
    size_t size;
    char *text = bundled_text(opened->firmware->name, ".asm", &size);
    assemble_bytes(&assembled, text, size, &options);
    free(text);
    assert_string_equal(heard_text(&assembled.heard), "");
    assert_int_equal(assembled.status, GPUCODE_OK);
    opened->program = assembled.program;
    open_image(opened);
}

/* Does what stands on the line need the next word where it is? Branches have slots, setsecure skips two words. */
static bool holds_next(const char *line, size_t length)
{
    static const char *const words[] = {"br", "jump", "call", "bl ", "ret", "iret", "sret", "waitin", "setsecure"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length >= strlen(words[i]) && strncmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* Puts `nop` after some lines that are plain instructions, outside of slots. */
static char *with_nops(const char *text, unsigned seed, unsigned *added)
{
    char *edited = malloc(2 * strlen(text) + 1), *to = edited;
    bool slot = false;
    assert_non_null(edited);
    *added = 0;
    for (const char *at = text, *next; *at; at = next) {
        size_t length = strcspn(at, "\n");
        next = at + length + (at[length] == '\n');
        memcpy(to, at, (size_t)(next - at));
        to += next - at;
        bool instruction = length && strchr("abcdefghijklmnopqrstuvwxyz(", *at) && !memchr(at, ':', length);
        bool holds = instruction && holds_next(at, length);
        seed = seed * 1664525 + 1013904223;
        if (instruction && !holds && !slot && seed >> 28 == 0) {
            to += sprintf(to, "nop\n");
            ++*added;
        }
        slot = instruction ? holds : slot;
    }
    *to = 0;
    return edited;
}

void open_edited(struct opened *opened, unsigned index, unsigned seed)
{
    struct opened plain;
    struct gpucode_analysis *analysis;
    struct gpucode_disasm_options how = {0};
    struct assembled assembled;
    unsigned added;
    char *text;
    size_t length;
    open_bundled(&plain, index);
    assert_int_equal(gpucode_analyse(plain.image, NULL, &analysis), GPUCODE_OK);
    how.constants_complete = true;
    how.constants = gpucode_analysis_constants(analysis, &how.constant_count);
    assert_int_equal(gpucode_disassemble(plain.image, &how, &text, &length), GPUCODE_OK);
    char *edited = with_nops(text, seed, &added);
    struct gpucode_asm_options options = {.file = "edited"};
    assemble_bytes(&assembled, edited, strlen(edited), &options);
    assert_string_equal(heard_text(&assembled.heard), "");
    assert_true(added > 20);
    *opened = (struct opened){.firmware = &bundled[index], .program = assembled.program};
    open_image(opened);
    assert_true(opened->info->units >= plain.info->units + added);
    free(edited);
    free(text);
    gpucode_analysis_free(analysis);
    close_bundled(&plain);
}

void close_bundled(struct opened *opened)
{
    gpucode_image_free(opened->image);
    gpucode_program_free(opened->program);
}

uint32_t image_word(const struct opened *opened, uint32_t unit)
{
    assert_true(unit < opened->info->units);
    const unsigned char *b = gpucode_program_bytes(opened->program);
    b += opened->info->prefix + 4 * (size_t)unit;
    return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
}

bool section_label(const struct opened *opened, unsigned section, const char *name, uint32_t *value)
{
    struct gpucode_symbol symbol;
    for (unsigned i = 0; gpucode_program_symbol(opened->program, i, &symbol); i++) {
        if (!symbol.section || strcmp(symbol.name, name) != 0)
            continue;
        bool here = section == 0
                        ? *symbol.section == '\0' || strcmp(symbol.section, opened->info->sections[0].name) == 0
                        : strcmp(symbol.section, opened->info->sections[section].name) == 0;
        if (!here)
            continue;
        *value = (uint32_t)symbol.value;
        return true;
    }
    return false;
}
