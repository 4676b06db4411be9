/* SPDX-License-Identifier: MIT */
#include "assembling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void hear(void *user, const struct gpucode_diagnostic *d)
{
    struct heard *heard = user;
    unsigned i = heard->count++;
    heard->errors += d->severity == GPUCODE_ERROR;
    assert_non_null(d->code);
    assert_non_null(gpucode_explain(d->code));
    assert_non_null(d->message);
    assert_true(d->message[0] && d->message[strlen(d->message) - 1] != '.');
    assert_true(!d->line || (d->source && d->column && d->length));
    assert_true(!d->line || !memchr(d->source, '\n', d->source_length));
    /* the caret may stand after the last byte of the line, and a column further where the file's end is meant */
    assert_true(!d->line || d->column <= d->source_length + 2);
    if (i >= HEARD_MAX)
        return;
    heard->said[i].severity = d->severity;
    snprintf(heard->said[i].code, sizeof heard->said[i].code, "%s", d->code);
    snprintf(heard->said[i].message, sizeof heard->said[i].message, "%s", d->message);
    snprintf(heard->said[i].hint, sizeof heard->said[i].hint, "%s", d->hint ? d->hint : "");
    snprintf(heard->said[i].file, sizeof heard->said[i].file, "%s", d->file ? d->file : "");
    snprintf(heard->said[i].source, sizeof heard->said[i].source, "%.*s", (int)d->source_length,
             d->source ? d->source : "");
    heard->said[i].line = d->line;
    heard->said[i].column = d->column;
    heard->said[i].length = d->length;
}

struct gpucode_diagnostic_handler listen(struct heard *heard)
{
    heard->count = heard->errors = 0;
    for (unsigned i = 0; i < HEARD_MAX; i++) { /* the ends of texts alone: all of it is a hundred kilobytes */
        heard->said[i].code[0] = heard->said[i].message[0] = heard->said[i].hint[0] = 0;
        heard->said[i].file[0] = heard->said[i].source[0] = 0;
        heard->said[i].severity = GPUCODE_NOTE;
        heard->said[i].line = heard->said[i].column = heard->said[i].length = 0;
    }
    return (struct gpucode_diagnostic_handler){hear, heard};
}

const char *heard_text(const struct heard *heard)
{
    static char text[HEARD_MAX * 64];
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < heard->count && i < HEARD_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%u:%u", i ? " " : "", heard->said[i].code,
                                 heard->said[i].line, heard->said[i].column);
    return text;
}

const struct gpucode_target *target_named(const char *name)
{
    const struct gpucode_target *target = name ? gpucode_target_find(name) : NULL;
    if (name && !target)
        fail_msg("no target %s", name);
    return target;
}

void assemble_bytes(struct assembled *out, const char *text, size_t length, const struct gpucode_asm_options *options)
{
    struct gpucode_asm_options own = options ? *options : (struct gpucode_asm_options){0};
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    out->program = NULL;
    own.on_diagnostic = listen(&out->heard);
    out->status = gpucode_assemble(copy, length, &own, &out->program);
    free(copy); /* programs outlive their text */
    assert_int_equal(out->status == GPUCODE_OK, out->program != NULL);
    assert_int_equal(out->status == GPUCODE_OK, out->heard.errors == 0);
}

void assemble_text(struct assembled *out, const char *text, const char *target)
{
    assemble_bytes(out, text, strlen(text), &(struct gpucode_asm_options){.target = target_named(target)});
}

void expect_bytes(const char *text, const char *target, const void *bytes, size_t size)
{
    struct assembled got;
    assemble_text(&got, text, target);
    if (got.heard.count)
        fail_msg("'%s' is refused: %s (%s)", text, heard_text(&got.heard), got.heard.said[0].message);
    assert_int_equal(gpucode_program_size(got.program), size);
    assert_memory_equal(gpucode_program_bytes(got.program), bytes, size);
    gpucode_program_free(got.program);
}

struct gpucode_image *image_made(const struct assembled *made, const char *target)
{
    struct gpucode_image_options options = {.target = target_named(target)};
    struct gpucode_image *image;
    assert_int_equal(
        gpucode_image_open(gpucode_program_bytes(made->program), gpucode_program_size(made->program), &options, &image),
        GPUCODE_OK);
    return image;
}

void expect_words(const char *text, const char *target, const uint32_t *words, size_t count)
{
    unsigned char *bytes = calloc(count + 1, 4);
    assert_non_null(bytes);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[4 + i] = (unsigned char)(words[i / 4] >> 8 * (i % 4));
    expect_bytes(text, target, bytes, 4 + 4 * count);
    free(bytes);
}

/* The text with something in front of the end of each line, the last one included. */
static char *with_ends(const char *text, const char *end)
{
    char *result = malloc(strlen(text) * (strlen(end) + 2) + strlen(end) + 1), *to = result;
    assert_non_null(result);
    for (; *text; *to++ = *text++)
        if (*text == '\n')
            to = strcpy(to, end) + strlen(end);
    strcpy(to, end);
    return result;
}

/* "expected:2:28" without its column; changes the text. */
static const char *without_columns(char *text)
{
    char *to = text, *from = text;
    for (unsigned colons = 0; *from; from++) {
        colons = *from == ' ' ? 0 : colons + (*from == ':');
        if (colons < 2)
            *to++ = *from;
    }
    *to = 0;
    return text;
}

/* What is said, and of which lines, does not depend on blanks and comments at their ends. */
void expect_refusal(const char *text, const char *target, const char *diagnostics)
{
    bool semicolon = !target || (strncmp(target, "mme", 3) != 0 && strncmp(target, "hwsq", 4) != 0);
    const char *const ends[] = {" \t", semicolon ? " ; said" : " // said", "\r"};
    struct assembled got;
    assemble_text(&got, text, target);
    if (strcmp(heard_text(&got.heard), diagnostics) != 0)
        fail_msg("'%s' gives '%s' (%s), expected '%s'", text, heard_text(&got.heard), got.heard.said[0].message,
                 diagnostics);
    assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
    char *wanted = strdup(diagnostics);
    assert_non_null(wanted);
    without_columns(wanted);
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        char *ended = with_ends(text, ends[i]);
        assemble_text(&got, ended, target);
        char *said = strdup(heard_text(&got.heard));
        assert_non_null(said);
        if (strcmp(without_columns(said), wanted) != 0)
            fail_msg("'%s' gives '%s' (%s), expected '%s'", ended, said, got.heard.said[0].message, wanted);
        assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
        free(said);
        free(ended);
    }
    free(wanted);
}

/* The text that `how` asks for brings the bytes back; *text is that text. */
static bool text_round_trips(const struct gpucode_image *image, const void *bytes, size_t size,
                             const struct gpucode_disasm_options *how, const char *name, char **text)
{
    char *listing = NULL;
    size_t length = 0;
    assert_int_equal(gpucode_disassemble(image, how, &listing, &length), GPUCODE_OK);
    assert_int_equal(strlen(listing), length);
    struct assembled got;
    assemble_bytes(&got, listing, length, NULL); /* the text says by itself what it is for */
    bool good = got.status == GPUCODE_OK && gpucode_program_size(got.program) == size &&
                (size == 0 || memcmp(gpucode_program_bytes(got.program), bytes, size) == 0) && got.heard.count == 0;
    if (!good && got.heard.count)
        printf("%s: %s: %s\n    %s\n", name, heard_text(&got.heard), got.heard.said[0].message,
               got.heard.said[0].source);
    else if (!good) {
        size_t at = 0, back = gpucode_program_size(got.program);
        const unsigned char *b = gpucode_program_bytes(got.program);
        while (at < size && at < back && b[at] == ((const unsigned char *)bytes)[at])
            at++;
        printf("%s: %zu bytes become %zu, the first difference at %zu\n", name, size, back, at);
    }
    if (text && good)
        *text = listing;
    else
        free(listing);
    gpucode_program_free(got.program);
    return good;
}

bool round_trips(const void *bytes, size_t size, const struct gpucode_target *target, bool raw, const char *name,
                 char **text)
{
    struct gpucode_image *image;
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (text)
        *text = NULL;
    memcpy(copy, bytes, size);
    struct gpucode_image_options options = {.target = target, .file_name = NULL};
    if (gpucode_image_open(copy, size, &options, &image) != GPUCODE_OK) {
        printf("%s: not taken as an image\n", name);
        free(copy);
        return false;
    }
    /* as it is, and with the packets that lead where most do as a comment */
    const struct gpucode_disasm_options plain = {.raw = raw}, gathered = {.raw = raw, .gathered = true};
    bool good = text_round_trips(image, copy, size, &plain, name, text) &&
                (raw || text_round_trips(image, copy, size, &gathered, name, NULL));
    if (!good && text) {
        free(*text);
        *text = NULL;
    }
    gpucode_image_free(image);
    free(copy);
    return good;
}

uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

uint32_t little_endian(uint32_t word)
{
    const unsigned char bytes[] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                   (unsigned char)(word >> 24)};
    memcpy(&word, bytes, sizeof word);
    return word;
}

void little_endian_floats(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = little_endian(bits);
        memcpy(&values[i], &bits, sizeof bits);
    }
}
