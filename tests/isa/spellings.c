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

/* --- what may stand there ------------------------------------------------------------------------------------------
 */

struct wish {
    enum gpucode_expected_kind kind;
    uint32_t row;
    char letter;
    unsigned operand;
    size_t from;
    bool found;
};

static void look_for(void *user, const struct gpucode_expected *expected)
{
    struct wish *wish = user;
    bool place =
        wish->kind == GPUCODE_EXPECTED_END ||
        (expected->letter == wish->letter && expected->operand == wish->operand && expected->from == wish->from);
    wish->found |= expected->kind == wish->kind && expected->row == wish->row && place;
}

static bool is_expected(const struct gpucode_target *target, const char *text, size_t length, struct wish wish)
{
    assert_int_equal(gpucode_expect(target, NULL, text, length, look_for, &wish), GPUCODE_OK);
    return wish.found;
}

/* Where an operand stands, that of the row may stand; and where the text is over, the row may end. */
static void check_operands(const struct gpucode_target *target, const struct gpucode_insn *insn, uint32_t row)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    char text[GPUCODE_TEXT_MAX];
    size_t length;
    unsigned before = 0, count = gpucode_insn_operands(insn, NULL, operands, GPUCODE_OPERANDS_MAX);
    assert_int_equal(gpucode_format(insn, NULL, text, sizeof text, &length), GPUCODE_OK);
    /* a label that a listing makes up is none that is known */
    if (!strchr(text, '#') &&
        !is_expected(target, text, length, (struct wish){.kind = GPUCODE_EXPECTED_END, .row = row}))
        fail_msg("%s: no end after '%s'", gpucode_target_name(target), text);
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_operand *operand = &operands[i];
        struct wish wish = {GPUCODE_EXPECTED_OPERAND, row, operand->letter, before, operand->start, false};
        before += operand->type != GPUCODE_OPERAND_MODIFIER;
        bool goes_on = strspn(text + operand->start, " <") > 0; /* the number before it goes on */
        if (operand->length && operand->type != GPUCODE_OPERAND_MODIFIER && !goes_on &&
            !is_expected(target, text, operand->start, wish))
            fail_msg("%s: operand %u of '%s'", gpucode_target_name(target), i, text);
    }
}

/* Is it read as a whole? Operands of textures are, and those of MME, whose order is free. */
static bool is_whole(const struct gpucode_target *target, const struct gpucode_insn *insn)
{
    const char *set = gpucode_target_isa(target);
    bool shader = strcmp(set, "a3xx") == 0 || strcmp(set, "ir3") == 0;
    return strcmp(set, "mme") == 0 || strcmp(set, "hwsq") == 0 || (shader && insn->bits >> 61 == 5);
}

static void operands_are_expected(void)
{
    uint64_t random = 11;
    const struct gpucode_target *target;
    for (unsigned at = 0; (target = gpucode_target_at(at)); at++)
        for (unsigned i = 0; target->is_generation && i < 3 * gpucode_row_count(target); i++) {
            struct gpucode_row row;
            struct gpucode_insn insn;
            unsigned char bytes[8];
            unsigned number = i / 3;
            if (!gpucode_row_on_target(target, number) || !gpucode_row(target, number, &row))
                continue;
            uint64_t word = (uint64_t)next_random(&random) << 32 | next_random(&random);
            word &= i % 3 ? (uint64_t)next_random(&random) << 32 | next_random(&random) : 0;
            word = (word & ~row.mask & ~row.ignored) | row.match;
            for (unsigned k = 0; k < row.size; k++)
                bytes[k] = (unsigned char)(word >> 8 * k);
            assert_int_equal(gpucode_decode(target, bytes, row.size, 0, &insn), GPUCODE_OK);
            if (insn.exact && !is_whole(target, &insn))
                check_operands(target, &insn, insn.row);
        }
}

TESTS(spellings, both_ways_agree, operands_are_expected)
