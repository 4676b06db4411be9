/* SPDX-License-Identifier: MIT */
/* Bytes to instruction and back. */
#include "isa/isa.h"

#include "base/text.h"

static bool on_target(const struct gpucode_target *target, unsigned row)
{
    const struct isa_row_set *set = target->isa->text.rows;
    return row < set->row_count && set->rows[row].generations >> target->generation & 1;
}

enum gpucode_status gpucode_decode(const struct gpucode_target *target, const void *bytes, size_t size,
                                   uint64_t address, struct gpucode_insn *insn)
{
    if (!target || !insn || (!bytes && size))
        return GPUCODE_ERROR_ARGUMENT;
    if (size == 0)
        return GPUCODE_ERROR_TRUNCATED;
    const unsigned char *at = bytes;
    size_t count = size < 8 ? size : 8;
    uint64_t bits = count == 8 ? text_load64(at) : 0;
    for (size_t i = 0; count < 8 && i < count; i++)
        bits |= (uint64_t)at[i] << 8 * i;
    const struct isa_row_set *set = target->isa->text.rows;
    if (size < target->isa->unit_bytes)
        return GPUCODE_ERROR_TRUNCATED;
    int row = isa_row_of(target, bits);
    if (row < 0)
        return GPUCODE_ERROR_NO_INSN;
    const struct isa_row_facts *facts = &set->rows[row].facts;
    if (facts->size > size)
        return GPUCODE_ERROR_TRUNCATED;
    bits &= ~UINT64_C(0) >> (64 - 8 * facts->size);
    *insn = (struct gpucode_insn){
        .target = target,
        .bits = bits,
        .address = address,
        .row = (uint16_t)row,
        .size = facts->size,
        .exact = target->isa->text.whole || (bits & facts->ignored) == 0,
    };
    return GPUCODE_OK;
}

enum gpucode_status gpucode_encode(const struct gpucode_insn *insn, void *bytes, size_t size, size_t *needed)
{
    if (!insn || !insn->target || !on_target(insn->target, insn->row) || (!bytes && size))
        return GPUCODE_ERROR_ARGUMENT;
    unsigned length = insn->target->isa->text.rows->rows[insn->row].facts.size;
    if (needed)
        *needed = length;
    if (size < length)
        return GPUCODE_ERROR_SPACE;
    for (unsigned i = 0; i < length; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)(insn->bits >> 8 * i);
    return GPUCODE_OK;
}

unsigned gpucode_row_count(const struct gpucode_target *target)
{
    return target ? target->isa->text.rows->row_count : 0;
}

bool gpucode_row(const struct gpucode_target *target, unsigned row, struct gpucode_row *out)
{
    if (!target || !out || row >= target->isa->text.rows->row_count)
        return false;
    const struct isa_row_set *set = target->isa->text.rows;
    const struct isa_row_facts *facts = &set->rows[row].facts;
    const struct isa_row_texts *texts = &set->texts[row];
    *out = (struct gpucode_row){.id = set->strings + texts->id,
                                .mnemonic = facts->mnemonic,
                                .bits = set->strings + texts->bits,
                                .text = set->strings + texts->text,
                                .effects = set->strings + texts->effects,
                                .doc = set->strings + texts->doc,
                                .source = set->strings + texts->source,
                                .action = set->strings + texts->action,
                                .evidence = facts->evidence,
                                .mask = facts->mask,
                                .match = facts->match,
                                .ignored = facts->ignored,
                                .size = facts->size};
    return true;
}

bool gpucode_row_on_target(const struct gpucode_target *target, unsigned row)
{
    return target && on_target(target, row);
}

const char *gpucode_row_accuracy(const struct gpucode_target *target, unsigned row)
{
    struct gpucode_row found;
    return gpucode_row(target, row, &found) && target->isa->accuracy ? target->isa->accuracy(found.action) : NULL;
}

bool gpucode_row_field(const struct gpucode_target *target, unsigned row, unsigned index,
                       struct gpucode_row_field *field)
{
    const struct isa_row_set *set = target ? target->isa->text.rows : NULL;
    if (!set || !field || row >= set->row_count || index >= set->rows[row].field_count)
        return false;
    const struct isa_field *from = &set->rows[row].fields[index];
    const struct isa_operand_class *class = &target->isa->text.operand_classes[from->kind];
    *field = (struct gpucode_row_field){.letter = from->letter,
                                        .kind = class->name,
                                        .type = class->type,
                                        .use = class->use,
                                        .space = class->space,
                                        .width = from->width,
                                        .piece_count = from->pieces};
    for (unsigned i = 0; i < from->pieces; i++) {
        field->pieces[i].shift = from->piece[i].shift;
        field->pieces[i].width = from->piece[i].width;
    }
    return true;
}

bool gpucode_insn_field(const struct gpucode_insn *insn, unsigned index, struct gpucode_field *field)
{
    if (!insn || !insn->target || !field || insn->row >= insn->target->isa->text.rows->row_count)
        return false;
    const struct isa_row *row = &insn->target->isa->text.rows->rows[insn->row];
    for (unsigned e = 0; e < row->element_count; e++) {
        if (!row->elements[e].is_field || index-- > 0)
            continue;
        const struct isa_field *f = &row->fields[row->elements[e].index];
        *field = (struct gpucode_field){f->letter, insn->target->isa->text.operand_classes[f->kind].name, f->width,
                                        isa_field_get(f, insn->bits)};
        return true;
    }
    return false;
}

enum gpucode_status gpucode_insn_set(struct gpucode_insn *insn, char letter, uint64_t value)
{
    if (!insn || !insn->target || !on_target(insn->target, insn->row))
        return GPUCODE_ERROR_ARGUMENT;
    const struct isa_row *row = &insn->target->isa->text.rows->rows[insn->row];
    for (unsigned i = 0; i < row->field_count; i++) {
        const struct isa_field *field = &row->fields[i];
        if (field->letter != letter)
            continue;
        if (field->width < 64 && value >> field->width)
            return GPUCODE_ERROR_RANGE;
        insn->bits = isa_field_set(field, insn->bits, value);
        return GPUCODE_OK;
    }
    return GPUCODE_ERROR_ARGUMENT;
}

enum gpucode_status gpucode_insn_init(const struct gpucode_target *target, unsigned row, struct gpucode_insn *insn)
{
    if (!target || !insn || !on_target(target, row))
        return GPUCODE_ERROR_ARGUMENT;
    const struct isa_row_facts *facts = &target->isa->text.rows->rows[row].facts;
    *insn = (struct gpucode_insn){
        .target = target, .bits = facts->match, .row = (uint16_t)row, .size = facts->size, .exact = true};
    return GPUCODE_OK;
}

/* Instruction to text: the row's text with its fields filled in. */

char *isa_format(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    const struct isa *isa = insn->target->isa;
    if (isa->text.print)
        return isa->text.print[insn->row](at, insn, options);
    const struct isa_row *row = &isa->text.rows->rows[insn->row];
    for (unsigned e = 0; e < row->element_count; e++) {
        const struct isa_element *element = &row->elements[e];
        if (element->is_field) {
            const struct isa_field *field = &row->fields[element->index];
            at = isa->text.operand_classes[field->kind].print(at, insn, field, options);
        } else {
            at = text_put(at, element->literal, element->length);
        }
    }
    return at;
}

/* With the comment. */
static char *isa_format_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    at = isa_format(at, insn, options);
    return insn->target->isa->text.comment ? insn->target->isa->text.comment(at, insn, options) : at;
}

enum gpucode_status gpucode_format(const struct gpucode_insn *insn, const struct gpucode_format_options *options,
                                   char *text, size_t size, size_t *needed)
{
    static const struct gpucode_format_options defaults;
    if (!insn || !insn->target || (!text && size) || !gpucode_row_on_target(insn->target, insn->row))
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &defaults;
    char line[2 * GPUCODE_TEXT_MAX];
    char *end = options->comments ? isa_format_comment(line, insn, options) : isa_format(line, insn, options);
    size_t length = (size_t)(end - line);
    if (needed)
        *needed = length;
    if (length >= size)
        return GPUCODE_ERROR_SPACE;
    memcpy(text, line, length);
    text[length] = 0;
    return GPUCODE_OK;
}
