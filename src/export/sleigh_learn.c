/* SPDX-License-Identifier: MIT */
/*
 * Finds how the parts of a row's text come of its bits. The printer is asked for many words; what a part depends on,
 * and in which way, is concluded from what it writes: always the same, a number, a list by a few bits, flags in front
 * of something or after it, pieces between signs, or another form for each value of a bit. What was concluded is tried
 * on words again; those that it does not fit are asked first the next time.
 */
#include "export/sleigh_learn.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 24
#define CASE_WORDS 4
#define MORE 8 /* times that other words are tried on what was found */

static void learn_piece(struct learner *l, const struct view *view, const struct domain *domain, unsigned depth,
                        char form[SHOWN_MAX])
{
    struct samples *samples = malloc(sizeof *samples);
    l->row->sleigh->failed |= !samples;
    if (samples && learner_sample(l, view, domain, samples) && l->steps++ < STEPS_MAX && depth < 80) {
        if (samples_same(samples))
            shown_append(form, samples->text[0], strlen(samples->text[0]));
        else if (!learn_flags(l, view, domain, samples, depth, form) &&
                 !learn_half(l, view, domain, samples, depth, form) &&
                 !(learner_is_relative(samples) && learn_pieces(l, view, domain, samples, "<", depth, form)) &&
                 !(samples->changes &&
                   (learn_fraction(l, samples, form) || learn_number(l, view, domain, samples, form) ||
                    learn_list(l, view, domain, samples, LIST_BITS, form) ||
                    learn_flag(l, view, domain, samples, depth, form) ||
                    learn_list(l, view, domain, samples, LONG_LIST_BITS, form))) &&
                 !learn_tree(l, view, domain, samples, depth, form) &&
                 !learn_pieces(l, view, domain, samples, " ,[](){}<>+:#.", depth, form) &&
                 !learn_cases(l, view, domain, samples, depth, form))
            shown_append(form, samples->text[0], strlen(samples->text[0]));
    }
    free(samples);
}

/* Puts words that the form does not fit in front; how many there are. */
static unsigned find_wrong(struct learner *l, const char *form)
{
    unsigned wrong = 0;
    char text[GPUCODE_TEXT_MAX];
    for (unsigned i = 0; i < l->word_count; i++)
        if (learner_text(l, l->words[i], text) && !shown_fits(l->row->sleigh, form, l->words[i], text)) {
            uint64_t word = l->words[i];
            l->words[i] = l->words[wrong];
            l->words[wrong++] = word;
        }
    return wrong;
}

/* What writes the part, so that other rows may have the same form. */
static void key_of(const struct learner *l, char letter, char key[128])
{
    struct gpucode_row_field field = {.letter = 0};
    sleigh_field(l->row, letter, &field);
    int used = snprintf(key, 128, "%c%u %.40s", letter, l->row->facts->size, field.kind ? field.kind : "");
    for (unsigned i = 0; i < field.piece_count; i++)
        used += snprintf(key + used, 128 - (size_t)used, " %u:%u", field.pieces[i].shift, field.pieces[i].width);
}

/* Words that were not asked so far take the place of those at the end. */
static void renew_words(struct learner *l)
{
    l->word_count = l->word_count < WORDS / 4 ? l->word_count : WORDS / 4;
    learner_make_words(l);
}

/*
 * Is what the form's cases say right where a word has the bits of the case, and with `names` what its lists say? Random
 * words have some combinations of bits too seldom. A word that does not fit is taken among those that are asked.
 */
static bool cases_fit(struct learner *l, const char *form, const char *part, bool names)
{
    char text[GPUCODE_TEXT_MAX];
    for (; *part; part++) {
        if (*part != SHOWN_TABLE)
            continue;
        const struct sleigh_shown *table = &l->row->sleigh->parts->shown[strtoul(part + 1, NULL, 10)];
        for (unsigned i = 0; i < table->case_count; i++) {
            const struct shown_case *one = &table->cases[i];
            if (table->kind == SHOWN_CASES && !cases_fit(l, form, one->form, names))
                return false;
            for (unsigned k = 0; k < (table->kind == SHOWN_CASES ? CASE_WORDS : names); k++) {
                unsigned at = (unsigned)(learner_random(l) % l->word_count);
                uint64_t word = (l->words[at] & ~one->mask) | one->match;
                if (learner_text(l, word, text) && !shown_fits(l->row->sleigh, form, word, text)) {
                    l->words[at] = word;
                    return false;
                }
            }
        }
    }
    return true;
}

static bool take_known(struct learner *l, const char *key, char form[SHOWN_MAX])
{
    struct sleigh *sleigh = l->row->sleigh;
    for (unsigned i = 0; i < sleigh->parts->form_count; i++) {
        struct sleigh_form *known = &sleigh->parts->forms[i];
        if (strcmp(known->key, key) != 0 || find_wrong(l, known->form) ||
            (l->word_count && !cases_fit(l, known->form, known->form, known->target != sleigh->target)))
            continue;
        known->target = sleigh->target;
        sleigh->learned.differs |= known->differs;
        memcpy(form, known->form, SHOWN_MAX);
        return true;
    }
    return false;
}

/* Makes one table of several: instructions of Ghidra's have at most 20. */
static void join_tables(struct learner *l, char form[SHOWN_MAX])
{
    unsigned index;
    struct sleigh_shown *table = NULL;
    if (learner_count(form, SHOWN_TABLE) > 1)
        table = shown_add(l->row->sleigh, SHOWN_CASES, l->row->facts->size, &index);
    if (table && shown_add_case(l->row->sleigh, table, 0, 0, form)) {
        form[0] = 0;
        shown_refer(l->row->sleigh, form);
    }
}

static void learn_part(struct learner *l, char letter, char form[SHOWN_MAX])
{
    char key[128];
    key_of(l, letter, key);
    if (take_known(l, key, form))
        return;
    const struct view view = {.clear = 0};
    const struct domain domain = {.mask = ~l->open, .match = l->row->facts->match, .open = l->open};
    unsigned wrong = 1;
    for (unsigned round = 0; round < ROUNDS && wrong && l->word_count; round++) {
        l->steps = 0;
        l->counts = l->open;
        form[0] = 0;
        learn_piece(l, &view, &domain, 0, form);
        wrong = find_wrong(l, form);
        for (unsigned more = 0; more < MORE && !wrong; more++) {
            renew_words(l);
            wrong = cases_fit(l, form, form, !more) ? find_wrong(l, form) : 1;
        }
        find_wrong(l, form);
    }
    join_tables(l, form);
    l->row->sleigh->learned.differs |= wrong && l->word_count;
    sleigh_keep_form(l->row->sleigh, key, form, wrong && l->word_count);
}

char (*sleigh_learn_row(const struct sleigh_row *row))[SHOWN_MAX]
{
    struct learner l = {.row = row, .learn = learn_piece, .random = UINT64_C(0x9e3779b97f4a7c15)};
    struct gpucode_row_field field;
    struct gpucode_insn insn;
    char text[GPUCODE_TEXT_MAX], letter;
    l.open = ~row->facts->mask & (~UINT64_C(0) >> (64 - 8 * row->facts->size));
    for (unsigned i = 0; i < GPUCODE_FIELDS_MAX && gpucode_row_field(row->sleigh->target, row->row, i, &field); i++) {
        l.fields[i] = export_field_bits(&field);
        l.field_count = l.fields[i] ? i + 1 : l.field_count;
    }
    l.words = malloc(WORDS * sizeof *l.words);
    char(*forms)[SHOWN_MAX] = calloc(SLEIGH_PARTS_MAX, sizeof *forms);
    row->sleigh->failed |= !l.words || !forms;
    bool whole = l.words && forms && gpucode_insn_init(row->sleigh->target, row->row, &insn) == GPUCODE_OK;
    if (whole)
        learner_make_words(&l);
    if (!row->sleigh->parts->texts)
        row->sleigh->parts->texts = calloc(1u << SHOWN_TEXT_BITS, sizeof *row->sleigh->parts->texts);
    whole &= row->sleigh->parts->texts != NULL;
    row->sleigh->failed |= !whole;
    for (; whole && l.part < SLEIGH_PARTS_MAX && gpucode_insn_part(&insn, NULL, l.part, text, &letter); l.part++) {
        bool is_field = letter && sleigh_field(row, letter, &field);
        row->sleigh->parts->asked++;
        l.names = is_field && field.type == GPUCODE_OPERAND_REGISTER;
        if (letter && !(is_field && field.type == GPUCODE_OPERAND_TARGET))
            learn_part(&l, letter, forms[l.part]);
        l.after_dot = !letter && *text && text[strlen(text) - 1] == '.';
    }
    free(l.words);
    return forms;
}
