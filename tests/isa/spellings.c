/* SPDX-License-Identifier: MIT */
/*
 * Plain lines are read a shorter way than others (src/asm/quick.c), which nobody takes who wants to know of each word.
 * Both ways give the same bytes or the same complaints: for words of all rows as listings have them, and for texts that
 * differ from those in a byte or two.
 */
#include "assembling.h"

#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

/* What came of a text: the bytes, or what was said first. Which of two things that may stand there is told may differ.
 */
struct outcome {
    enum gpucode_status status;
    unsigned said, column;
    char code[32];
    unsigned char bytes[64];
    size_t size;
};

static void hear_first(void *user, const struct gpucode_diagnostic *d)
{
    struct outcome *out = user;
    if (out->said++)
        return;
    out->column = d->column;
    snprintf(out->code, sizeof out->code, "%s", d->code);
}

static struct outcome read_text(const struct gpucode_target *target, const char *text, bool closely)
{
    struct outcome out;
    memset(&out, 0, sizeof out);
    const struct gpucode_asm_options options = {
        .target = target, .on_diagnostic = {hear_first, &out}, .record_tokens = closely};
    struct gpucode_program *program = NULL;
    out.status = gpucode_assemble(text, strlen(text), &options, &program);
    out.size = program ? gpucode_program_size(program) : 0;
    assert_true(out.size <= sizeof out.bytes);
    if (out.size)
        memcpy(out.bytes, gpucode_program_bytes(program), out.size);
    gpucode_program_free(program);
    return out;
}

/* How many texts were taken, and how many refused. */
struct tally {
    unsigned taken, refused;
};

static void compare_ways(const struct gpucode_target *target, const char *line, struct tally *tally)
{
    char text[GPUCODE_TEXT_MAX + 32];
    snprintf(text, sizeof text, "%s\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", line); /* room for lines read quickly */
    struct outcome quick = read_text(target, text, false), slow = read_text(target, text, true);
    /* where a row of MME ends another goes on, and either may be told what is missing */
    if (strcmp(gpucode_target_isa(target), "mme") == 0 && quick.said && slow.said) {
        quick.column = slow.column;
        memcpy(quick.code, slow.code, sizeof quick.code);
    }
    if (memcmp(&quick, &slow, sizeof quick) != 0) {
        print_error("%s: '%s' is read in two ways: %u %s at %u, and %u %s at %u\n", gpucode_target_name(target), line,
                    quick.status, quick.code, quick.column, slow.status, slow.code, slow.column);
        fail();
    }
    *(quick.status == GPUCODE_OK ? &tally->taken : &tally->refused) += 1;
}

/* Puts a byte in, takes one out or puts another in its place. */
static void change_text(char *text, size_t room, uint64_t *random)
{
    static const char bytes[] = " ,.#$@x0123789abcefhprsuvwxyzRX()[]<>{}+-*/!;:&\t\r";
    size_t length = strlen(text), at = next_random(random) % (length + 1);
    char byte = bytes[next_random(random) % (sizeof bytes - 1)];
    unsigned how = next_random(random) % 3;
    if (how == 0 && length + 1 < room) {
        memmove(text + at + 1, text + at, length - at + 1);
        text[at] = byte;
    } else if (how == 1 && at < length) {
        memmove(text + at, text + at + 1, length - at);
    } else if (at < length) {
        text[at] = byte;
    }
}

static void compare_changes(const struct gpucode_target *target, const struct gpucode_row *row, uint64_t *random,
                            struct tally *tally)
{
    uint64_t word = (uint64_t)next_random(random) << 32 | next_random(random);
    if (next_random(random) & 1) /* small numbers */
        word &= (uint64_t)next_random(random) << 32 | next_random(random);
    word = (word & ~row->mask & ~row->ignored) | row->match;
    unsigned char bytes[8];
    for (unsigned i = 0; i < row->size; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX], changed[GPUCODE_TEXT_MAX];
    size_t length;
    const struct gpucode_format_options format = {.comments = next_random(random) & 1};
    assert_int_equal(gpucode_decode(target, bytes, row->size, 0, &insn), GPUCODE_OK);
    assert_int_equal(gpucode_format(&insn, &format, text, sizeof text - 16, &length), GPUCODE_OK);
    compare_ways(target, text, tally);
    for (unsigned i = 0; i < 5; i++) {
        memcpy(changed, text, length + 1);
        change_text(changed, sizeof changed, random);
        if (i & 1)
            change_text(changed, sizeof changed, random);
        compare_ways(target, changed, tally);
    }
}

static void both_ways_agree(void)
{
    uint64_t random = 20261122;
    struct tally tally = {0};
    const struct gpucode_target *target;
    for (unsigned at = 0; (target = gpucode_target_at(at)); at++) {
        if (!target->is_generation)
            continue;
        for (unsigned round = test_rounds(10, 200); round-- > 0;)
            for (unsigned i = 0; i < gpucode_row_count(target); i++) {
                struct gpucode_row row;
                if (gpucode_row_on_target(target, i) && gpucode_row(target, i, &row))
                    compare_changes(target, &row, &random, &tally);
            }
    }
    assert_true(tally.taken > 1000 && tally.refused > 1000);
}

TESTS(spellings, both_ways_agree)
