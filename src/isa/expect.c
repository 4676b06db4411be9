/* SPDX-License-Identifier: MIT */
/* What may stand after the beginning of an instruction: the rows that its text agrees with say it. */
#include "isa/scan.h"
#include <gpucode/source.h>

#include <string.h>

struct asker {
    const struct gpucode_target *target;
    const char *text;
    void (*found)(void *user, const struct gpucode_expected *expected);
    void *user;
};

static void ignore_name(void *user, enum gpucode_space space, const char *at, size_t length, uint32_t number)
{
    (void)user, (void)space, (void)at, (void)length, (void)number;
}

static void ignore_number(void *user, const char *at, size_t length)
{
    (void)user, (void)at, (void)length;
}

static void ignore_retry(void *user)
{
    (void)user;
}

/* Operands in front of an element of a row. */
static unsigned operands_before(const struct gpucode_target *target, const struct isa_row *row, unsigned element)
{
    unsigned count = 0;
    for (unsigned i = 0; i < element; i++) {
        const struct isa_field *field = row->elements[i].is_field ? &row->fields[row->elements[i].index] : NULL;
        count += field && target->isa->text.operand_classes[field->kind].type != GPUCODE_OPERAND_MODIFIER;
    }
    return count;
}

static void tell_expected(void *user, const struct isa_row *row, unsigned element, const char *start, bool inside)
{
    const struct asker *asker = user;
    struct gpucode_expected expected = {.kind = GPUCODE_EXPECTED_MNEMONIC, .row = GPUCODE_NONE};
    if (!row) {
        asker->found(asker->user, &expected);
        return;
    }
    expected.row = (uint32_t)(row - asker->target->isa->text.rows->rows);
    expected.operand = operands_before(asker->target, row, element);
    expected.from = (size_t)(start - asker->text);
    const struct isa_element *next = element < row->element_count ? &row->elements[element] : NULL;
    if (!next) {
        expected.kind = GPUCODE_EXPECTED_END;
    } else if (next->is_field) {
        const struct isa_field *field = &row->fields[next->index];
        const struct isa_operand_class *kind = &asker->target->isa->text.operand_classes[field->kind];
        expected.kind = inside ? GPUCODE_EXPECTED_INSIDE : GPUCODE_EXPECTED_OPERAND;
        expected.letter = field->letter;
        expected.name = kind->name;
        expected.length = strlen(kind->name);
        expected.type = kind->type;
        expected.space = kind->space;
    } else {
        expected.kind = GPUCODE_EXPECTED_TEXT;
        expected.name = next->literal;
        expected.length = next->length;
    }
    asker->found(asker->user, &expected);
}

enum gpucode_status gpucode_expect(const struct gpucode_target *target, const struct gpucode_names *names,
                                   const char *text, size_t length,
                                   void (*found)(void *user, const struct gpucode_expected *expected), void *user)
{
    if (!target || (!text && length) || !found)
        return GPUCODE_ERROR_ARGUMENT;
    static const struct isa_listener listener = {
        .name = ignore_name, .number = ignore_number, .retry = ignore_retry, .expected = tell_expected};
    struct asker asker = {target, text ? text : "", found, user};
    struct isa_scan scan = {.at = asker.text,
                            .end = asker.text + length,
                            .isa = target->isa,
                            .target = target,
                            .names = names,
                            .symbol = NULL,
                            .listener = &listener,
                            .user = &asker};
    struct isa_build build;
    isa_parse(&scan, &build);
    return GPUCODE_OK;
}

size_t gpucode_choice(const struct gpucode_target *target, uint32_t row, char letter, unsigned index, char *text,
                      size_t size)
{
    if (!target || !text || size < GPUCODE_TEXT_MAX || row >= gpucode_row_count(target))
        return 0;
    const struct isa_row *of = &target->isa->text.rows->rows[row];
    for (unsigned i = 0; i < of->field_count; i++) {
        const struct isa_field *field = &of->fields[i];
        const struct isa_operand_class *kind = &target->isa->text.operand_classes[field->kind];
        bool names = kind->type == GPUCODE_OPERAND_REGISTER || kind->type == GPUCODE_OPERAND_MODIFIER;
        if (field->letter != letter || !names || !field->pieces || field->width > 8 || index >> field->width)
            continue;
        static const struct gpucode_format_options plain;
        struct gpucode_insn insn = {.target = target, .row = (uint16_t)row, .size = of->facts.size, .exact = true};
        insn.bits = isa_field_set(field, of->facts.match, index);
        char *end = kind->print(text, &insn, field, &plain);
        *end = 0;
        return (size_t)(end - text);
    }
    return 0;
}
