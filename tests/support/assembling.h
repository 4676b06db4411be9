/* SPDX-License-Identifier: MIT */
/* Assembling and disassembling in tests: diagnostics are collected, and copies have exactly their size. */
#ifndef TESTS_SUPPORT_ASSEMBLING_H
#define TESTS_SUPPORT_ASSEMBLING_H

#include "files.h"
#include "group.h"

#include <gpucode/gpucode.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEARD_MAX 24

/* What a diagnostic handler was told; `count` goes on after HEARD_MAX. */
struct heard {
    unsigned count, errors;
    struct {
        enum gpucode_severity severity;
        char code[32], message[256], hint[4096], file[64], source[128];
        unsigned line, column, length;
    } said[HEARD_MAX];
};

struct gpucode_diagnostic_handler listen(struct heard *heard);
/* "unknown-mnemonic:3:1 undefined:4:6": codes and places of all diagnostics, in a static buffer. */
const char *heard_text(const struct heard *heard);

/* The target of that name; fails the test when there is none. Null gives null. */
const struct gpucode_target *target_named(const char *name);

struct assembled {
    enum gpucode_status status;
    struct gpucode_program *program;
    struct heard heard;
};

/* Assembles a copy that has exactly `length` bytes. `options` may be null; its on_diagnostic is replaced. */
void assemble_bytes(struct assembled *out, const char *text, size_t length, const struct gpucode_asm_options *options);
void assemble_text(struct assembled *out, const char *text, const char *target);

/* The image of what was assembled; fails the test when it does not open. `target` may be null. */
struct gpucode_image *image_made(const struct assembled *made, const char *target);

/* Assembles; fails the test unless the words after the zero word are these and nothing was said. */
void expect_words(const char *text, const char *target, const uint32_t *words, size_t count);
#define EXPECT_WORDS(text, target, ...)                                                                                \
    expect_words(text, target, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / 4)
/* The same for whole files. */
void expect_bytes(const char *text, const char *target, const void *bytes, size_t size);
/* Assembles; fails the test unless it is refused with exactly these diagnostics, written as heard_text() does. */
void expect_refusal(const char *text, const char *target, const char *diagnostics);

/*
 * Disassembles the bytes and assembles the text again, which must give the bytes. `target` may be null, and the image
 * unknown then. False, with the place printed, when it does not; never fails the test itself. The text is malloc'ed
 * into *text when text is not null.
 */
bool round_trips(const void *bytes, size_t size, const struct gpucode_target *target, bool raw, const char *name,
                 char **text);

/* The number that lies in memory as the word lies in a file, whatever comes first on this computer. */
uint32_t little_endian(uint32_t word);
/* The same of floats, in both directions. */
void little_endian_floats(float *values, size_t count);

/* Steps a small generator of random numbers; any state but 0. */
uint32_t next_random(uint64_t *state);

#endif
