/* SPDX-License-Identifier: MIT */
/*
 * Where control goes from an instruction, what its operands are, and what it reads and writes: from the effects of its
 * row and the classes of its operands.
 */
#include "isa/isa.h"

#include "base/text.h"

#include <string.h>

static const struct isa_row *row_of(const struct gpucode_insn *insn)
{
    return insn && insn->target && insn->row < insn->target->isa->text.rows->row_count
               ? &insn->target->isa->text.rows->rows[insn->row]
               : NULL;
}

static bool effect_holds(const struct isa_row *row, const struct isa_effect *effect, uint64_t bits)
{
    return !effect->when || (isa_field_get(&row->fields[effect->when - 1], bits) == 0) == effect->unless;
}

static struct gpucode_operand operand_of(const struct gpucode_insn *insn, const struct isa_field *field)
{
    const struct isa_operand_class *class = &insn->target->isa->text.operand_classes[field->kind];
    uint64_t value = isa_field_get(field, insn->bits);
    struct gpucode_operand operand = {
        .type = class->type,
        .letter = field->letter,
        .kind = class->name,
        .use = class->use,
        .space = class->space,
        .number = (uint32_t)value,
        .count = 1,
        .known = true,
        .value = (int64_t)value,
    };
    if (class->resolve)
        class->resolve(insn, field, &operand);
    return operand;
}

/* What the row's effects add to the use of an operand. */
static unsigned added_use(const struct gpucode_insn *insn, const struct isa_row *row, const struct isa_field *field)
{
    unsigned use = 0;
    for (unsigned i = 0; i < row->effect_count; i++) {
        const struct isa_effect *effect = &row->effects[i];
        if (effect->verb == ISA_EFFECT_OPERAND && &row->fields[effect->field - 1] == field &&
            effect_holds(row, effect, insn->bits))
            use |= effect->use;
    }
    return use;
}

int isa_operand_index(const struct gpucode_insn *insn, char letter)
{
    const struct isa_row *row = row_of(insn);
    int index = 0;
    for (unsigned e = 0; e < row->element_count; e++) {
        if (!row->elements[e].is_field)
            continue;
        const struct isa_field *f = &row->fields[row->elements[e].index];
        if (insn->target->isa->text.operand_classes[f->kind].type == GPUCODE_OPERAND_MODIFIER)
            continue;
        if (f->letter == letter)
            return index;
        index++;
    }
    return -1;
}

/* The field that says where control goes, 1 + its index; 0: there is none. */
static unsigned target_field(const struct isa_row *row, uint64_t bits)
{
    if (row->steady.known)
        return row->steady.field;
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_FLOW && row->effects[i].field &&
            effect_holds(row, &row->effects[i], bits))
            return row->effects[i].field;
    return 0;
}

bool isa_target_of(const struct gpucode_insn *insn, uint64_t *target)
{
    const struct isa_row *row = &insn->target->isa->text.rows->rows[insn->row];
    unsigned number = row->flows ? target_field(row, insn->bits) : 0;
    if (!number)
        return false;
    const struct isa_field *field = &row->fields[number - 1];
    const struct isa_operand_class *class = &insn->target->isa->text.operand_classes[field->kind];
    if (class->type != GPUCODE_OPERAND_TARGET)
        return false;
    struct gpucode_operand operand = {.value = (int64_t)isa_field_get(field, insn->bits)};
    if (class->resolve)
        class->resolve(insn, field, &operand);
    *target = (uint64_t)operand.value;
    return true;
}

/* The flow that the effects tell, and the field that says where to: 1 + its index, or 0. */
static unsigned flow_of_effects(const struct isa_row *row, uint64_t bits, struct gpucode_flow *flow)
{
    unsigned field = 0;
    bool void_end = false; /* what always goes elsewhere does not come to its end, nor to the slots of that */
    for (unsigned i = 0; i < row->effect_count; i++) {
        const struct isa_effect *effect = &row->effects[i];
        if (effect->verb > ISA_EFFECT_SLOTS || !effect_holds(row, effect, bits))
            continue;
        if (effect->verb == ISA_EFFECT_SLOTS) {
            if (!void_end)
                *(flow->ends ? &flow->ending_slots : &flow->delay_slots) = effect->count;
        } else if (effect->use == GPUCODE_FLOW_STOP && flow->kind != GPUCODE_FLOW_NEXT) {
            flow->ends = flow->kind == GPUCODE_FLOW_BRANCH;
            void_end = !flow->ends;
        } else {
            flow->kind = effect->use;
            field = effect->field;
        }
    }
    return field;
}

unsigned isa_flow(const struct gpucode_insn *insn, const struct isa_row *row, struct gpucode_flow *flow)
{
    unsigned field = row->steady.field;
    *flow = (struct gpucode_flow){.kind = row->steady.known ? row->flow : GPUCODE_FLOW_NEXT,
                                  .ends = row->steady.ends,
                                  .delay_slots = row->steady.delay_slots,
                                  .ending_slots = row->steady.ending_slots,
                                  .operand = -1};
    if (!row->steady.known)
        field = flow_of_effects(row, insn->bits, flow);
    flow->known = isa_target_of(insn, &flow->target);
    flow->conditional = flow->kind == GPUCODE_FLOW_BRANCH;
    if (insn->target->isa->text.refine_flow)
        insn->target->isa->text.refine_flow(insn, flow);
    return field;
}

bool gpucode_insn_flow(const struct gpucode_insn *insn, struct gpucode_flow *flow)
{
    const struct isa_row *row = row_of(insn);
    if (!row || !flow)
        return false;
    if (!row->flows) {
        *flow = (struct gpucode_flow){.kind = GPUCODE_FLOW_NEXT, .operand = -1};
        return true;
    }
    unsigned field = isa_flow(insn, row, flow);
    if (field)
        flow->operand = (int8_t)isa_operand_index(insn, row->fields[field - 1].letter);
    return true;
}

/* The operands in the order of the text, but for where they stand in it. */
static unsigned list_operands(const struct gpucode_insn *insn, const struct isa_row *row,
                              struct gpucode_operand operands[GPUCODE_OPERANDS_MAX])
{
    const struct isa_text *text = &insn->target->isa->text;
    const struct isa_field *fields[GPUCODE_OPERANDS_MAX];
    unsigned count = 0;
    for (unsigned e = 0; e < row->element_count; e++) {
        if (!row->elements[e].is_field)
            continue;
        const struct isa_field *field = &row->fields[row->elements[e].index];
        if (text->operand_classes[field->kind].type != GPUCODE_OPERAND_MODIFIER) {
            operands[count] = operand_of(insn, field);
            fields[count++] = field;
        }
    }
    if (text->refine_operands)
        text->refine_operands(insn, operands, count);
    for (unsigned i = 0; i < count; i++)
        operands[i].use |= added_use(insn, row, fields[i]);
    return count;
}

unsigned gpucode_insn_operands(const struct gpucode_insn *insn, const struct gpucode_format_options *options,
                               struct gpucode_operand *operands, unsigned room)
{
    static const struct gpucode_format_options defaults;
    const struct isa_row *row = row_of(insn);
    if (!row || (!operands && room))
        return 0;
    const struct isa *isa = insn->target->isa;
    struct gpucode_operand all[GPUCODE_OPERANDS_MAX];
    char line[2 * GPUCODE_TEXT_MAX], *at = line;
    unsigned count = list_operands(insn, row, all), index = 0;
    for (unsigned e = 0; e < row->element_count; e++) {
        if (!row->elements[e].is_field) {
            at += row->elements[e].length;
            continue;
        }
        const struct isa_field *field = &row->fields[row->elements[e].index];
        char *start = at;
        at = isa->text.operand_classes[field->kind].print(at, insn, field, options ? options : &defaults);
        if (isa->text.operand_classes[field->kind].type == GPUCODE_OPERAND_MODIFIER)
            continue;
        while (start < at && (*start == ' ' || *start == ',')) /* an operand that may be left out brings its comma */
            start++;
        all[index].start = (uint32_t)(start - line);
        all[index++].length = (uint32_t)(at - start);
    }
    if (room)
        memcpy(operands, all, (count < room ? count : room) * sizeof *operands);
    return count;
}

bool gpucode_insn_part(const struct gpucode_insn *insn, const struct gpucode_format_options *options, unsigned index,
                       char text[GPUCODE_TEXT_MAX], char *letter)
{
    static const struct gpucode_format_options defaults;
    const struct isa_row *row = row_of(insn);
    if (!row || !text || index >= row->element_count)
        return false;
    const struct isa *isa = insn->target->isa;
    const struct isa_element *element = &row->elements[index];
    const struct isa_field *field = element->is_field ? &row->fields[element->index] : NULL;
    char line[2 * GPUCODE_TEXT_MAX];
    char *end = field ? isa->text.operand_classes[field->kind].print(line, insn, field, options ? options : &defaults)
                      : text_put(line, element->literal, element->length);
    size_t length = (size_t)(end - line);
    if (length >= GPUCODE_TEXT_MAX)
        return false;
    memcpy(text, line, length);
    text[length] = 0;
    if (letter)
        *letter = field ? field->letter : 0;
    return true;
}

void isa_add_effect(struct isa_effects *list, struct gpucode_effect effect)
{
    for (unsigned i = 0; i < list->count && effect.operand < 0; i++) {
        struct gpucode_effect *same = &list->effects[i];
        if (same->operand < 0 && same->kind == effect.kind && same->space == effect.space &&
            same->number == effect.number && same->count == effect.count && same->mask == effect.mask) {
            same->use |= effect.use;
            same->maybe &= effect.maybe;
            return;
        }
    }
    if (list->count < GPUCODE_EFFECTS_MAX)
        list->effects[list->count++] = effect;
}

static void add_operand_effects(const struct gpucode_insn *insn, const struct isa_row *row, struct isa_effects *list)
{
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    const unsigned count = list_operands(insn, row, operands);
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_operand *operand = &operands[i];
        if (operand->type == GPUCODE_OPERAND_REGISTER && operand->use && operand->count)
            isa_add_effect(list, (struct gpucode_effect){.use = operand->use,
                                                         .space = operand->space,
                                                         .number = operand->number,
                                                         .count = operand->known ? operand->count : 0,
                                                         .mask = operand->mask,
                                                         .known = operand->known,
                                                         .operand = (int8_t)i});
    }
}

unsigned gpucode_insn_effects(const struct gpucode_insn *insn, struct gpucode_effect *effects, unsigned room)
{
    const struct isa_row *row = row_of(insn);
    if (!row || (!effects && room))
        return 0;
    struct gpucode_effect all[GPUCODE_EFFECTS_MAX];
    struct isa_effects list = {all, 0};
    add_operand_effects(insn, row, &list);
    for (unsigned i = 0; i < row->effect_count; i++) {
        const struct isa_effect *effect = &row->effects[i];
        if (effect->verb < ISA_EFFECT_REGISTER || !effect_holds(row, effect, insn->bits))
            continue;
        bool memory = effect->verb == ISA_EFFECT_MEMORY;
        isa_add_effect(&list, (struct gpucode_effect){
                                  .kind = memory ? GPUCODE_EFFECT_MEMORY : GPUCODE_EFFECT_REGISTER,
                                  .use = effect->use,
                                  .space = effect->space,
                                  .number = effect->number,
                                  .count = effect->count,
                                  .known = !memory && effect->count == 1,
                                  .operand = -1,
                              });
    }
    if (insn->target->isa->text.refine_effects)
        insn->target->isa->text.refine_effects(insn, &list);
    if (room)
        memcpy(effects, all, (list.count < room ? list.count : room) * sizeof *effects);
    return list.count;
}

const char *gpucode_space_name(const struct gpucode_target *target, unsigned space)
{
    static const char *const names[GPUCODE_SPACE_COUNT] = {
        [GPUCODE_SPACE_GENERAL] = "general", [GPUCODE_SPACE_CONTROL] = "control", [GPUCODE_SPACE_SQE] = "sqe",
        [GPUCODE_SPACE_PIPE] = "pipe",       [GPUCODE_SPACE_GPU] = "gpu",         [GPUCODE_SPACE_PACKET] = "packet",
        [GPUCODE_SPACE_FLAG] = "flag",       [GPUCODE_SPACE_EVENT] = "event",
    };
    if (!target || space < GPUCODE_SPACE_COUNT)
        return target ? names[space] : NULL;
    const char *const *own = target->isa->text.space_names;
    for (unsigned i = GPUCODE_SPACE_COUNT; own && *own; i++, own++)
        if (i == space)
            return *own;
    return NULL;
}

bool gpucode_insn_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost)
{
    return insn && cost && insn->target && insn->target->isa->timing.cost && insn->target->isa->timing.cost(insn, cost);
}

/* --- actions taken apart, as rowc has made them ------------------------------------------------------------------- */

static const struct gpucode_action *nodes_of(const struct isa_row_set *set, const struct isa_action *action,
                                             unsigned *count)
{
    if (action->count && count)
        *count = action->count;
    return action->count ? &set->action_nodes[action->first] : NULL;
}

const struct gpucode_action *gpucode_row_action(const struct gpucode_target *target, unsigned row, unsigned *count)
{
    const struct isa_row_set *set = target ? target->isa->text.rows : NULL;
    return set && row < set->row_count ? nodes_of(set, &set->actions[row], count) : NULL;
}

const struct gpucode_action *gpucode_place_action(const struct gpucode_target *target, enum gpucode_action_place place,
                                                  unsigned number, unsigned *count)
{
    const struct isa_row_set *set = target ? target->isa->text.rows : NULL;
    for (const struct isa_place *at = set ? set->places : NULL; at && at->action.count; at++)
        if (at->place == place && at->number == number)
            return nodes_of(set, &at->action, count);
    return NULL;
}
