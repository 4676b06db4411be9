/* SPDX-License-Identifier: MIT */
/*
 * The instruction memories of the shader processors (section shader-blocks), and the shaders in them. Form: a6xx_show()
 * of the kernel's driver.
 */
#include "pm4/crash/explain.h"

#include <gpucode/fields.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    char memory[64], place[128]; /* "A6XX_SP_INST_DATA", "bank 0" */
    bool (*take)(void *user, const struct gpucode_crash_shader *shader);
    void *user;
    bool ended, no_memory;
};

/* Instructions have two words; those that fill up are zero. */
static void take_shaders(struct reader *reader, const uint32_t *words, size_t count)
{
    for (size_t at = 0; at < count && !reader->ended;) {
        if (!words[at] && (at + 1 == count || !words[at + 1])) {
            at += 2;
            continue;
        }
        size_t used = gpucode_shader_words(words + at, count - at);
        struct gpucode_crash_shader shader = {reader->memory, reader->place, at, words + at, used};
        reader->ended = !reader->take(reader->user, &shader);
        at += used + (used & 1);
    }
}

static void take_data(struct reader *reader, const char *text, size_t length)
{
    uint32_t *words = calloc(length + 1, sizeof *words);
    reader->no_memory |= !words;
    while (length && *text == ' ') {
        text++;
        length--;
    }
    if (words)
        take_shaders(reader, words, gpucode_crash_ascii85(text, length, words, length));
    free(words);
}

/* "    - bank: 0" is the place of the data that comes next; it takes away what stood at its depth or deeper. */
static void take_key(struct reader *reader, const char *line, size_t length)
{
    static const char *const keys[] = {"type", "pipe", "location", "sp", "usptp", "bank"};
    size_t at = 0;
    while (at < length && (line[at] == ' ' || line[at] == '-'))
        at++;
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t size = strlen(keys[i]);
        if (length - at <= size + 1 || memcmp(line + at, keys[i], size) != 0 || line[at + size] != ':')
            continue;
        const char *value = line + at + size + 1;
        int rest = (int)(length - at - size - 1 < 60 ? length - at - size - 1 : 60);
        while (rest && *value == ' ') {
            value++;
            rest--;
        }
        if (!i) {
            snprintf(reader->memory, sizeof reader->memory, "%.*s", rest, value);
            *reader->place = 0;
            return;
        }
        char *old = strstr(reader->place, keys[i]);
        if (old)
            old[old > reader->place ? -1 : 0] = 0;
        size_t used = strlen(reader->place);
        snprintf(reader->place + used, sizeof reader->place - used, "%s%s %.*s", used ? " " : "", keys[i], rest, value);
        return;
    }
}

static void take_section(struct reader *reader, const struct gpucode_crash_section *section)
{
    const char *at = section->text, *end = at + section->length;
    bool data = false;
    while (at < end && !reader->ended && !reader->no_memory) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        if (data && strstr(reader->memory, "INST") && !strstr(reader->memory, "TAG"))
            take_data(reader, at, length);
        else if (!data)
            take_key(reader, at, length);
        data = !data && memmem(at, length, "data: !!ascii85", 15);
        at += length + 1;
    }
}

enum gpucode_status gpucode_crash_shaders(const struct gpucode_crash *crash,
                                          bool (*take)(void *user, const struct gpucode_crash_shader *shader),
                                          void *user)
{
    struct reader reader = {.take = take, .user = user};
    struct gpucode_crash_section section;
    if (!crash || !take)
        return GPUCODE_ERROR_ARGUMENT;
    for (size_t i = 0; gpucode_crash_section(crash, i, &section); i++)
        if (strcmp(section.name, "shader-blocks") == 0)
            take_section(&reader, &section);
    return reader.no_memory ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

/* --- as members --------------------------------------------------------------------------------------------------- */

struct listing {
    const struct explanation *e;
    size_t shown, left;
};
#define FEW 8

/* The stage of the draw that has this shader; null: none. */
static const char *stage_of(const struct explanation *e, uint64_t hash)
{
    const struct draw *draw = &e->found.draw;
    for (unsigned i = 0; i < draw->shader_count; i++)
        if (draw->shaders[i].bytes && draw->shaders[i].hash == hash)
            return draw->shaders[i].stage;
    return NULL;
}

static bool put_shader(void *user, const struct gpucode_crash_shader *shader)
{
    struct listing *listing = user;
    const struct explanation *e = listing->e;
    uint64_t hash = gpucode_shader_hash(shader->words, shader->count);
    const char *stage = stage_of(e, hash);
    bool ends = gpucode_shader_ends(shader->words, shader->count),
         quiet = !stage && !e->verbose && listing->shown >= FEW;
    if (!listing->shown) {
        put_begin(e, MEMORIES_PART);
        put_begin(e, MEMORIES);
    }
    listing->shown += !quiet;
    listing->left += quiet;
    if (quiet)
        gpucode_answer_quiet(e->answer);
    put_begin(e, CODE_PIECE);
    put_text(e, CODE_MEMORY, shader->memory);
    put_text(e, CODE_WHICH, *shader->place ? shader->place : NULL);
    put_number(e, CODE_AT, 4 * shader->offset);
    if (shader->offset)
        put_format(e, CODE_AT_TEXT, "0x%zx", 4 * shader->offset);
    put_number(e, CODE_BYTES, 4 * shader->count);
    put_number(e, CODE_HASH, hash);
    put_flag(e, CODE_ENDS, ends);
    put_text(e, CODE_OPEN, ends ? NULL : "without an end");
    put_text(e, CODE_STAGE, stage);
    put_end(e);
    return gpucode_answer_status(e->answer) == GPUCODE_OK;
}

void put_memories(const struct explanation *e)
{
    struct listing listing = {.e = e};
    if (gpucode_crash_shaders(e->crash, put_shader, &listing) == GPUCODE_ERROR_MEMORY)
        gpucode_answer_fail(e->answer, GPUCODE_ERROR_MEMORY);
    if (!listing.shown)
        return;
    put_end(e);
    if (listing.left)
        put_format(e, MEMORIES_LEFT, "%zu other%s; --verbose lists them", listing.left, listing.left == 1 ? "" : "s");
    put_end(e);
}
