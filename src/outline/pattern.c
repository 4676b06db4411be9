/* SPDX-License-Identifier: MIT */
/* Reading patterns, and comparing one of their steps with an instruction, word by word. */
#include "outline/outline.h"

#include "base/diagnostics.h"
#include "base/text.h"
#include "isa/isa.h"
#include "isa/scan.h"

#include <gpucode/insn.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 128
#define GAP_MOST 64 /* instructions of a gap that does not say how many */

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr("_.$@%|#?*~", c));
}

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* The word at `at`, which is not white space; `end` is after it. */
static struct pattern_word take_word(const char *at, const char *end)
{
    struct pattern_word word = {.at = at, .length = 1, .kind = *at};
    const char *digits = at + (*at == '-' && at + 1 < end && at[1] >= '0' && at[1] <= '9'), *stop = digits;
    while (stop < end && is_word_byte(*stop))
        stop++;
    if (stop == at)
        return word;
    word.kind = PATTERN_WORD;
    word.length = (uint32_t)(stop - at);
    word.number = text_read_number(digits, stop, &word.value) == stop;
    if (digits > at)
        word.value = 0 - word.value;
    return word;
}

/* Words of a text; false: there are too many. */
static bool take_words(const char *at, const char *end, struct pattern_word *words, uint32_t *count)
{
    const char *last = NULL;
    for (*count = 0;; at = last) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at >= end)
            return true;
        if (*count == WORDS_MAX)
            return false;
        words[*count] = take_word(at, end);
        words[*count].glued = at == last;
        last = at + words[*count].length;
        ++*count;
    }
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

struct reading {
    struct gpucode_pattern *pattern;
    struct gpucode_diagnostic_handler on_diagnostic;
    struct place place;
    bool wrong, failed;
};

static void refuse_with(struct reading *reading, const char *at, size_t length, message_id message, const char *hint)
{
    reading->place.at = at;
    reading->place.span = length;
    report(&reading->on_diagnostic, &reading->place, message, hint, (int)(length < 200 ? length : 200), at);
    reading->wrong = true;
}

static void refuse(struct reading *reading, const char *at, size_t length, message_id message)
{
    refuse_with(reading, at, length, message, NULL);
}

/* The number of a bound name. */
static uint8_t name_of(struct reading *reading, const struct pattern_word *word)
{
    struct gpucode_pattern *pattern = reading->pattern;
    for (unsigned i = 0; i < pattern->bound_count; i++)
        if (strlen(pattern->bound[i]) == word->length && memcmp(pattern->bound[i], word->at, word->length) == 0)
            return (uint8_t)i;
    if (pattern->bound_count == PATTERN_NAMES_MAX) {
        refuse(reading, word->at, word->length, MSG_PATTERN_NAMES);
        return 0;
    }
    char *copy = arena_copy(&pattern->arena, word->at, word->length);
    reading->failed |= !copy;
    pattern->bound[pattern->bound_count] = copy ? copy : "";
    return (uint8_t)pattern->bound_count++;
}

/* What a word of a pattern stands for. */
static void understand_word(struct reading *reading, struct pattern_word *word)
{
    const struct gpucode_pattern *pattern = reading->pattern;
    uint32_t number;
    unsigned space;
    if (word->kind != PATTERN_WORD)
        return;
    if (word->length == 1 && (*word->at == '*' || *word->at == '?')) {
        word->kind = PATTERN_ANY;
    } else if (*word->at == '?') {
        bool good = true;
        for (uint32_t i = 1; i < word->length; i++)
            good &= isa_name_byte(word->at[i]);
        if (good)
            word->name = name_of(reading, word);
        else
            refuse(reading, word->at, word->length, MSG_PATTERN_NAME);
        word->kind = PATTERN_BOUND;
    } else if (word->length == 2 && *word->at == '$' && is_letter(word->at[1])) {
        if (gpucode_register_of(pattern->target, pattern->names, word->at, 2, &space, &number) ||
            gpucode_number_of(pattern->target, pattern->names, GPUCODE_SPACE_GENERAL, word->at + 1, 1, &number))
            refuse(reading, word->at, word->length, MSG_PATTERN_REGISTER);
        word->name = name_of(reading, word);
        word->kind = PATTERN_REGISTER;
    }
}

/* "..." and "...8" */
static bool take_gap(struct reading *reading, const struct pattern_word *word, struct pattern_step *step)
{
    uint64_t most;
    if (word->length < 3 || memcmp(word->at, "...", 3) != 0)
        return false;
    step->gap = true;
    step->most = GAP_MOST;
    if (word->length == 3)
        return true;
    if (text_read_number(word->at + 3, word->at + word->length, &most) != word->at + word->length || most > 1024)
        refuse(reading, word->at, word->length, MSG_PATTERN_GAP);
    else
        step->most = (uint32_t)most;
    return true;
}

/* Each bracket closes the last one that is open. */
static void check_brackets(struct reading *reading, const struct pattern_step *step)
{
    char open[WORDS_MAX];
    unsigned depth = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        const char *at = strchr("()[]{}", step->words[i].kind);
        if (!at || step->words[i].kind == PATTERN_WORD)
            continue;
        bool opens = *at == '(' || *at == '[' || *at == '{';
        if (opens)
            open[depth++] = *at == '(' ? ')' : *at == '[' ? ']' : '}';
        else if (!depth || open[--depth] != *at)
            depth = WORDS_MAX;
        if (depth == WORDS_MAX)
            break;
    }
    const struct pattern_word *last = &step->words[step->count - 1];
    if (depth)
        refuse(reading, step->words[0].at, (size_t)(last->at + last->length - step->words[0].at), MSG_PATTERN_BRACKET);
}

/* Whatever the case of its letters; not 0. */
static uint32_t hash_of(const struct pattern_word *word)
{
    uint32_t hash = UINT32_C(2166136261);
    for (uint32_t i = 0; i < word->length; i++)
        hash = (hash ^ (unsigned char)(word->at[i] | 32)) * UINT32_C(16777619);
    return hash ? hash : 1;
}

static bool is_prefix(const struct gpucode_target *target, const struct pattern_word *word)
{
    const char *prefix = target->isa->text.syntax.prefix;
    return prefix && strlen(prefix) == word->length && memcmp(prefix, word->at, word->length) == 0;
}

/* Has some instruction such a mnemonic? Words with `*` in them are not looked up. */
static bool is_known(const struct gpucode_target *target, const struct pattern_word *word)
{
    const struct isa_row_set *rows = target->isa->text.rows;
    if (memchr(word->at, '*', word->length) || is_prefix(target, word))
        return true;
    for (unsigned i = 0; rows && i < rows->mnemonic_count; i++)
        if (strlen(rows->mnemonics[i].text) == word->length &&
            strncasecmp(rows->mnemonics[i].text, word->at, word->length) == 0)
            return true;
    return false;
}

static void refuse_mnemonic(struct reading *reading, const struct pattern_word *word)
{
    const struct isa_row_set *rows = reading->pattern->target->isa->text.rows;
    char hint[160];
    bool near = rows && isa_suggest_mnemonic(rows, word->at, word->length, hint, sizeof hint);
    refuse_with(reading, word->at, word->length, MSG_PATTERN_MNEMONIC, near ? hint : NULL);
}

/* The word that names the instruction: the first one that is not in brackets. */
static const struct pattern_word *mnemonic_of(const struct pattern_step *step)
{
    unsigned depth = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        char kind = step->words[i].kind;
        if (!depth && kind != '(' && kind != '{')
            return &step->words[i];
        depth += kind == '(' || kind == '{';
        depth -= kind == ')' || kind == '}';
    }
    return NULL;
}

static void read_step(struct reading *reading, const char *at, const char *end)
{
    struct gpucode_pattern *pattern = reading->pattern;
    struct pattern_word words[WORDS_MAX];
    struct pattern_step *step = &pattern->steps[pattern->step_count];
    uint32_t count;
    if (!take_words(at, end, words, &count)) {
        refuse(reading, at, 1, MSG_PATTERN_LONG);
        return;
    }
    if (!count)
        return;
    if (pattern->step_count == PATTERN_STEPS_MAX) {
        refuse(reading, words[0].at, words[0].length, MSG_PATTERN_LONG);
        return;
    }
    *step = (struct pattern_step){0};
    pattern->step_count++;
    if (count == 1 && take_gap(reading, &words[0], step))
        return;
    for (uint32_t i = 0; i < count; i++)
        understand_word(reading, &words[i]);
    struct pattern_word *kept = arena_array(&pattern->arena, count, sizeof *kept);
    reading->failed |= !kept;
    if (!kept)
        return;
    memcpy(kept, words, count * sizeof *kept);
    step->words = kept;
    step->count = count;
    check_brackets(reading, step);
    const struct pattern_word *mnemonic = mnemonic_of(step);
    if (!reading->wrong && mnemonic && mnemonic->kind == PATTERN_WORD && !is_known(pattern->target, mnemonic))
        refuse_mnemonic(reading, mnemonic);
    if (mnemonic && mnemonic->kind == PATTERN_WORD && !memchr(mnemonic->at, '*', mnemonic->length) &&
        !is_prefix(pattern->target, mnemonic))
        step->head = hash_of(mnemonic);
}

static bool has_instruction(const struct gpucode_pattern *pattern)
{
    for (unsigned i = 0; i < pattern->step_count; i++)
        if (!pattern->steps[i].gap)
            return true;
    return false;
}

enum gpucode_status gpucode_pattern_create(const struct gpucode_target *target, const struct gpucode_names *names,
                                           const char *text, size_t length,
                                           struct gpucode_diagnostic_handler on_diagnostic,
                                           struct gpucode_pattern **out)
{
    if (!target || !out || (!text && length))
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_pattern *pattern = *out = calloc(1, sizeof *pattern);
    char *copy = pattern ? arena_copy(&pattern->arena, text ? text : "", length) : NULL;
    if (!copy) {
        gpucode_pattern_free(pattern);
        *out = NULL;
        return GPUCODE_ERROR_MEMORY;
    }
    pattern->target = target;
    pattern->names = names;
    struct reading reading = {.pattern = pattern,
                              .on_diagnostic = on_diagnostic,
                              .place = {.file = "<pattern>", .text = copy, .length = length}};
    const char *end = copy + length;
    for (const char *at = copy; at <= end;) {
        const char *stop = at;
        while (stop < end && *stop != ';' && *stop != '\n')
            stop++;
        read_step(&reading, at, stop);
        at = stop + 1;
    }
    if (!reading.wrong && !has_instruction(pattern))
        refuse(&reading, copy, length, MSG_PATTERN_EMPTY);
    if (!reading.wrong && !reading.failed)
        return GPUCODE_OK;
    gpucode_pattern_free(pattern);
    *out = NULL;
    return reading.failed ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_INPUT;
}

void gpucode_pattern_free(struct gpucode_pattern *pattern)
{
    if (!pattern)
        return;
    arena_free(&pattern->arena);
    free(pattern);
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

/* An instruction as text, its words and its operands. */
struct insn_text {
    const struct gpucode_pattern *pattern;
    const struct gpucode_outline *outline;
    const struct gpucode_unit *unit;
    struct pattern_values *values;
    char text[GPUCODE_TEXT_MAX];
    struct pattern_word words[WORDS_MAX];
    uint32_t count;
    struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
    unsigned operand_count;
};

struct target_name {
    const struct gpucode_outline *outline;
    unsigned section;
};

/* gpucode_format_options.label */
static size_t name_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct target_name *place = user;
    size_t length;
    const char *name = gpucode_outline_name(place->outline, place->section, address, &length);
    (void)insn;
    if (!name || length > size)
        return 0;
    memcpy(text, name, length);
    return length;
}

static bool read_insn(struct insn_text *insn, uint32_t index)
{
    struct gpucode_insn decoded;
    struct target_name place = {insn->outline, insn->unit->section};
    const struct gpucode_format_options options = {.names = insn->pattern->names, .label = name_target, .user = &place};
    if (insn->unit->kind != GPUCODE_UNIT_CODE || !gpucode_outline_insn(insn->outline, index, &decoded) ||
        gpucode_format(&decoded, &options, insn->text, sizeof insn->text, NULL) != GPUCODE_OK)
        return false;
    insn->operand_count = gpucode_insn_operands(&decoded, &options, insn->operands, GPUCODE_OPERANDS_MAX);
    return take_words(insn->text, insn->text + strlen(insn->text), insn->words, &insn->count);
}

/* The operand that a word is part of, or null. */
static const struct gpucode_operand *operand_at(const struct insn_text *insn, const struct pattern_word *word)
{
    size_t at = (size_t)(word->at - insn->text);
    for (unsigned i = 0; i < insn->operand_count && i < GPUCODE_OPERANDS_MAX; i++)
        if (at >= insn->operands[i].start && at + word->length <= insn->operands[i].start + insn->operands[i].length)
            return &insn->operands[i];
    return NULL;
}

/* Is the text that with any characters where `*` stands, whatever the case of letters? */
static bool is_like(const char *glob, size_t length, const char *text, size_t size)
{
    const char *star = NULL, *back = NULL, *end = glob + length, *stop = text + size;
    while (text < stop) {
        if (glob < end && *glob == '*') {
            star = ++glob;
            back = text;
        } else if (glob < end && strncasecmp(glob, text, 1) == 0) {
            glob++;
            text++;
        } else if (star) {
            glob = star;
            text = ++back;
        } else {
            return false;
        }
    }
    while (glob < end && *glob == '*')
        glob++;
    return glob == end;
}

/* One of the labels that stand where an operand leads. */
static bool is_label(const struct insn_text *insn, const struct gpucode_operand *operand,
                     const struct pattern_word *word)
{
    uint32_t index = gpucode_outline_find(insn->outline, insn->unit->section, (uint64_t)operand->value);
    size_t mark = *word->at == '#';
    if (index == GPUCODE_NONE || insn->outline->listing.units[index].at != (uint64_t)operand->value)
        return false;
    const struct gpucode_unit *unit = &insn->outline->listing.units[index];
    for (unsigned i = 0; i < unit->label_count; i++) {
        const struct gpucode_span *name = &insn->outline->listing.marks[unit->first_label + i].name;
        if (is_like(word->at + mark, word->length - mark, insn->outline->listing.text.bytes + name->offset,
                    name->length))
            return true;
    }
    return false;
}

/* A word as it stands, another spelling of a number, another name of a register, another label of a place. */
static bool is_same(const struct insn_text *insn, const struct pattern_word *wanted, const struct pattern_word *word)
{
    unsigned space;
    uint32_t number;
    if (wanted->kind != PATTERN_WORD || word->kind != PATTERN_WORD)
        return wanted->kind == word->kind;
    if ((wanted->number && word->number && wanted->value == word->value) ||
        is_like(wanted->at, wanted->length, word->at, word->length))
        return true;
    const struct gpucode_operand *operand = operand_at(insn, word);
    if (!operand)
        return false;
    if (operand->type == GPUCODE_OPERAND_TARGET)
        return wanted->number ? wanted->value == (uint64_t)operand->value : is_label(insn, operand, wanted);
    if (operand->type != GPUCODE_OPERAND_REGISTER || !operand->known)
        return false;
    return (wanted->number && wanted->value == operand->number) ||
           (gpucode_register_of(insn->pattern->target, insn->pattern->names, wanted->at, wanted->length, &space,
                                &number) &&
            space == operand->space && number == operand->number);
}

/* A text for a name: the one that it has, or from now on. */
static bool bind(const struct insn_text *insn, unsigned name, uint32_t first, uint32_t end)
{
    char *value = insn->values->text[name];
    const char *at = insn->words[first].at;
    size_t length = (size_t)(insn->words[end - 1].at + insn->words[end - 1].length - at);
    if (*value)
        return strlen(value) == length && memcmp(value, at, length) == 0;
    if (length >= GPUCODE_NAME_MAX)
        return false;
    memcpy(value, at, length);
    value[length] = 0;
    return true;
}

static bool is_register(const struct insn_text *insn, const struct pattern_word *word)
{
    const struct gpucode_operand *operand = word->kind == PATTERN_WORD ? operand_at(insn, word) : NULL;
    return operand && operand->type == GPUCODE_OPERAND_REGISTER;
}

/* "(neg)" and its like in front of a word that follows at once. */
static bool is_modifier(const struct insn_text *insn, uint32_t at)
{
    const struct pattern_word *word = &insn->words[at];
    return at + 3 < insn->count && word[0].kind == '(' && word[1].kind == PATTERN_WORD && word[2].kind == ')' &&
           word[3].glued;
}

static bool match_from(const struct insn_text *insn, const struct pattern_word *wanted, uint32_t left, uint32_t at);

/* Any operand: words up to a comma or a bracket that closes what is open, as many as the rest leaves. */
static bool match_any(const struct insn_text *insn, const struct pattern_word *wanted, uint32_t left, uint32_t at)
{
    unsigned depth = 0;
    for (uint32_t end = at; end < insn->count;) {
        char kind = insn->words[end].kind;
        bool closes = kind == ')' || kind == ']' || kind == '}';
        if (!depth && (kind == ',' || closes))
            return false;
        depth += kind == '(' || kind == '[' || kind == '{';
        depth -= closes;
        end++;
        if (depth)
            continue;
        struct pattern_values before = *insn->values;
        if ((wanted->kind == PATTERN_ANY || bind(insn, wanted->name, at, end)) &&
            match_from(insn, wanted + 1, left - 1, end))
            return true;
        *insn->values = before;
    }
    return false;
}

static bool match_from(const struct insn_text *insn, const struct pattern_word *wanted, uint32_t left, uint32_t at)
{
    if (!left)
        return at == insn->count;
    if (at >= insn->count)
        return false;
    if (wanted->kind == PATTERN_ANY || wanted->kind == PATTERN_BOUND)
        return match_any(insn, wanted, left, at);
    bool same = wanted->kind == PATTERN_REGISTER
                    ? is_register(insn, &insn->words[at]) && bind(insn, wanted->name, at, at + 1)
                    : is_same(insn, wanted, &insn->words[at]);
    if (same && match_from(insn, wanted + 1, left - 1, at + 1))
        return true;
    return wanted->kind != '(' && is_modifier(insn, at) && match_from(insn, wanted, left, at + 3);
}

/* Words in front of the mnemonic that the step does not ask for: "(rep)", "(sy)(ss)", "exit ". */
static uint32_t skip_prefix(const struct insn_text *insn, const struct pattern_step *step)
{
    const char *prefix = insn->pattern->target->isa->text.syntax.prefix;
    uint32_t at = 0;
    while (step->words[0].kind != '(' && is_modifier(insn, at))
        at += 3;
    if (prefix && at + 1 < insn->count && is_like(prefix, strlen(prefix), insn->words[at].at, insn->words[at].length) &&
        !is_same(insn, &step->words[0], &insn->words[at]))
        at++;
    return at;
}

uint32_t pattern_head(const struct gpucode_pattern *pattern, const struct gpucode_outline *outline, uint32_t index)
{
    struct insn_text insn = {.pattern = pattern, .outline = outline, .unit = &outline->listing.units[index]};
    uint32_t at = 0;
    if (!read_insn(&insn, index) || !insn.count)
        return 1;
    while (is_modifier(&insn, at))
        at += 3;
    at += at + 1 < insn.count && is_prefix(pattern->target, &insn.words[at]);
    return hash_of(&insn.words[at]);
}

bool pattern_matches(const struct gpucode_pattern *pattern, const struct pattern_step *step,
                     const struct gpucode_outline *outline, uint32_t index, struct pattern_values *values)
{
    struct insn_text insn = {.pattern = pattern, .outline = outline, .values = values};
    insn.unit = &outline->listing.units[index];
    if (!read_insn(&insn, index) || !insn.count)
        return false;
    uint32_t at = skip_prefix(&insn, step);
    const struct pattern_word *mnemonic = mnemonic_of(step);
    if (mnemonic != &step->words[step->count - 1])
        return match_from(&insn, step->words, step->count, at);
    /* the mnemonic alone leaves all operands open */
    for (uint32_t i = 0; i < step->count; i++, at++)
        if (at >= insn.count ||
            (step->words[i].kind != PATTERN_ANY && !is_same(&insn, &step->words[i], &insn.words[at])))
            return false;
    return true;
}
