/* SPDX-License-Identifier: MIT */
/*
 * How the parts of instructions look is found by printing many words:
 *
 *   sleigh_learn.c    a part: what is concluded, and whether that fits
 *   sleigh_samples.c  words, and what a part shows of them
 *   sleigh_numbers.c  parts that are numbers, fractions or lists
 *   sleigh_marks.c    flags, and what marks halves: a few texts by many bits
 *   sleigh_kinds.c    parts that are put together, or of several kinds
 */
#ifndef EXPORT_SLEIGH_LEARN_H
#define EXPORT_SLEIGH_LEARN_H

#include "export/sleigh_shown.h"

#define WORDS 250   /* of a row */
#define SAMPLES 72u /* and with those that have another bit and another text */
#define FLIPS 14u   /* words in which a bit is turned */
#define STEPS_MAX 1500
#define SPLITS_MAX 12
#define LIST_BITS 8
#define LONG_LIST_BITS 12
/* Signs of struct view that are not characters: a flag that stands in front or does not ("(abs)"), and what flags stand
 * in front of. */
#define FLAG '\4'
#define NO_FLAGS '\5'
#define HALF '\6' /* the mark of a half, what it marks, and what closes it: "h(", "5", ")" */
#define NO_HALF '\7'
#define HALF_END '\10'
#define FLAGS '\13' /* all flags */
#define FLAGS_MAX 8 /* of a part */
#define FLAG_ROOM 16

struct view;
struct domain;

struct learner {
    const struct sleigh_row *row;
    /* appends the form of a piece: pieces are put together of others */
    void (*learn)(struct learner *l, const struct view *view, const struct domain *domain, unsigned depth,
                  char form[SHOWN_MAX]);
    unsigned part;
    bool names;                                                        /* the part is a register */
    bool after_dot;                                                    /* it goes on a word */
    uint64_t *words, open, counts, random, fields[GPUCODE_FIELDS_MAX]; /* `counts`: bits that the part may depend on */
    unsigned word_count, field_count, steps, flag_count;
    char flags[FLAGS_MAX][FLAG_ROOM]; /* of the part, in the order that they stand in */
};

/* A piece of a part, of words with some bits cleared. */
struct view {
    uint64_t clear;
    struct {
        char sign;
        unsigned index;
    } splits[SPLITS_MAX];
    unsigned split_count;
};

/* Words that a step is about. */
struct domain {
    uint64_t mask, match, open, some[SPLITS_MAX]; /* `some`: of these bits not all are 0 */
    unsigned some_count;
};

struct samples {
    unsigned count, shape[SAMPLES], shape_count;
    uint64_t word[SAMPLES], changes; /* `changes`: bits that the piece depends on */
    char text[SAMPLES][GPUCODE_TEXT_MAX];
};

/* sleigh_samples.c */
uint64_t learner_random(struct learner *l);
bool learner_text(const struct learner *l, uint64_t word, char text[GPUCODE_TEXT_MAX]);
size_t learner_flags_length(const char *text);
size_t learner_half_length(const char *text);
bool learner_look(const struct learner *l, const struct view *view, uint64_t word, char text[GPUCODE_TEXT_MAX]);
bool domain_has(const struct domain *domain, uint64_t word);
uint64_t learner_spread(uint64_t value, uint64_t mask);
void learner_make_words(struct learner *l);
bool samples_same(const struct samples *samples);
bool learner_sample(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples);
/* sleigh_numbers.c: false where the piece is something else */
bool learn_fraction(struct learner *l, const struct samples *samples, char form[SHOWN_MAX]);
bool learn_number(struct learner *l, const struct view *view, const struct domain *domain,
                  const struct samples *samples, char form[SHOWN_MAX]);
bool learn_list(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                unsigned most, char form[SHOWN_MAX]);
/* sleigh_kinds.c: the same */
bool learn_flag(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                unsigned depth, char form[SHOWN_MAX]);
unsigned learner_count(const char *text, char sign);
bool learn_pieces(struct learner *l, const struct view *view, const struct domain *domain,
                  const struct samples *samples, const char *signs, unsigned depth, char form[SHOWN_MAX]);
/* Is all of it a place that an address register chooses, "r<a0.x + 5>"? With the offset 0 the sum is left out. */
bool learner_is_relative(const struct samples *samples);
bool learn_cases(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples,
                 unsigned depth, char form[SHOWN_MAX]);
bool learn_tree(struct learner *l, const struct view *view, const struct domain *domain, struct samples *samples,
                unsigned depth, char form[SHOWN_MAX]);
/* sleigh_marks.c: the same */
bool learn_flags(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                 unsigned depth, char form[SHOWN_MAX]);
bool learn_half(struct learner *l, const struct view *view, const struct domain *domain, const struct samples *samples,
                unsigned depth, char form[SHOWN_MAX]);
#endif
