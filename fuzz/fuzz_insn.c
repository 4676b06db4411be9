/* SPDX-License-Identifier: MIT */
/*
 * One instruction, both ways. The first byte picks the target, the second the address and the way: the rest is bytes
 * of an instruction, or its text. What comes back must be what went in.
 */
#include "given.h"

struct told {
    unsigned errors;
};

static void count_error(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct told *told = user;
    told->errors++;
    check(diagnostic->severity == GPUCODE_ERROR && diagnostic->message && gpucode_explain(diagnostic->code));
    check(!diagnostic->source || diagnostic->column <= diagnostic->source_length + 1);
}

static bool parse_text(const struct gpucode_target *target, const char *text, size_t length, uint64_t address,
                       struct gpucode_insn *insn)
{
    struct told told = {0};
    struct gpucode_parse_options options = {.on_diagnostic = {count_error, &told}, .address = address};
    enum gpucode_status status = gpucode_parse(target, text, length, &options, insn);
    check(status == (told.errors ? GPUCODE_ERROR_INPUT : GPUCODE_OK) && told.errors <= 1);
    return status == GPUCODE_OK;
}

/* Prints into room that is too small, too, and reads the text again where it can be read. */
static void print_and_parse(const struct gpucode_insn *insn)
{
    char text[GPUCODE_TEXT_MAX], *tight;
    for (unsigned comments = 0; comments < 2; comments++) {
        struct gpucode_format_options options = {.comments = comments};
        size_t needed, again;
        check(gpucode_format(insn, &options, text, sizeof text, &needed) == GPUCODE_OK);
        check(needed > 0 && strlen(text) == needed);
        check(gpucode_format(insn, &options, NULL, 0, &again) == GPUCODE_ERROR_SPACE && again == needed);
        check((tight = malloc(needed)) != NULL);
        check(gpucode_format(insn, &options, tight, needed, NULL) == GPUCODE_ERROR_SPACE);
        memcpy(tight, text, needed); /* no zero after it */
        struct gpucode_insn back;
        struct gpucode_row row;
        check(gpucode_row(insn->target, insn->row, &row));
        if (parse_text(insn->target, tight, needed, insn->address, &back))
            /* a text may leave ignored bits out or bring them back, as the set has it */
            check((back.bits == (insn->bits & ~row.ignored) || back.bits == insn->bits) && back.row == insn->row &&
                  back.size == insn->size);
        free(tight);
    }
}

static void take_bytes(const struct gpucode_target *target, const uint8_t *bytes, size_t size, uint64_t address)
{
    struct gpucode_insn insn;
    if (gpucode_decode(target, bytes, size, address, &insn) != GPUCODE_OK)
        return;
    uint8_t back[16];
    size_t needed;
    check(gpucode_encode(&insn, back, sizeof back, &needed) == GPUCODE_OK && needed == insn.size && needed <= size);
    check(memcmp(back, bytes, needed) == 0);
    check(gpucode_encode(&insn, back, needed - 1, NULL) == GPUCODE_ERROR_SPACE);
    struct gpucode_field field;
    for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++) {
        struct gpucode_insn same = insn;
        check(field.width == 0 ||
              (gpucode_insn_set(&same, field.letter, field.value) == GPUCODE_OK && same.bits == insn.bits));
    }
    print_and_parse(&insn);
}

static void take_text(const struct gpucode_target *target, const uint8_t *text, size_t size, uint64_t address)
{
    struct gpucode_insn insn, again;
    if (!parse_text(target, (const char *)text, size, address, &insn))
        return;
    uint8_t bytes[16];
    size_t needed;
    check(gpucode_encode(&insn, bytes, sizeof bytes, &needed) == GPUCODE_OK);
    /* operands of older texts can make words that are not instructions */
    if (gpucode_decode(target, bytes, needed, address, &again) != GPUCODE_OK)
        return;
    check(again.row == insn.row && again.bits == insn.bits);
    print_and_parse(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    const struct gpucode_target *target = given_target(bytes[0]);
    uint64_t address = (uint64_t)(bytes[1] >> 1) * 600;
    if (bytes[1] & 1)
        take_text(target, bytes + 2, size - 2, address);
    else
        take_bytes(target, bytes + 2, size - 2, address);
    return 0;
}
