/* SPDX-License-Identifier: MIT */
/*
 * The rules for AFUC firmware (docs/afuc-lint.md): what its files share.
 *
 *   lint.c       the rules in turn, over each section
 *   rules.c      walking over the code, and what a word reads and writes
 *   words.c      what one word, with the values in front of it, tells; delay slots; levels of privilege
 *   stack.c      the hardware's stack and $lr
 *   paths.c      registers that nothing has written; words taken when none are left
 *   stores.c     results that nobody reads
 */
#ifndef ISA_AFUC_LINT_LINT_H
#define ISA_AFUC_LINT_LINT_H

#include "isa/afuc/analysis/facts.h"
#include "isa/lint.h"

/* One section. */
struct rules {
    struct lint_context *context;
    struct gpucode_analysis *analysis;
    const struct analysis_calls *calls;
    struct analysis_code *code;
    struct afuc_facts *facts;
    uint64_t handled[2]; /* packets that have a handler, and not the place that interruptions go to */
};

#define REFERENCE_RULES "docs/afuc-lint.md"

/* Notes a finding; FIND_OF with the arguments of the message's format. */
#define FIND(rules, unit, message)                                                                                     \
    lint_find((rules)->context, (rules)->code->section, unit, 1, message, REFERENCE_RULES)
#define FIND_OF(rules, unit, message, ...)                                                                             \
    lint_find((rules)->context, (rules)->code->section, unit, 1, message, REFERENCE_RULES, __VA_ARGS__)

/* Calls `look` for each word that runs, with the values in front of it; slots are told by `slot_of`, else NONE. */
void rules_each(struct rules *rules,
                void (*look)(struct rules *rules, uint32_t unit, uint32_t slot_of, const isa_value *state));

/* Does a word read $data, a word of the packet? */
bool rules_takes_data(const struct rules *rules, const struct afuc_op *op);
/* General registers that a word reads. */
uint32_t rules_reads(const struct rules *rules, const struct afuc_op *op);
/* General registers that its text says it writes, and $rem under (rep). */
uint32_t rules_writes(const struct rules *rules, const struct afuc_op *op);
/* Is the function the handler of packets? */
bool rules_is_handler(const struct gpucode_function *function);

/* A list of blocks or functions to look at; each gets in once. */
struct rules_todo {
    uint32_t *list, count;
    bool *seen;
};
bool rules_todo_begin(struct rules_todo *todo, struct rules *rules, uint32_t room);
static inline void rules_todo_add(struct rules_todo *todo, uint32_t item)
{
    if (!todo->seen[item]) {
        todo->seen[item] = true;
        todo->list[todo->count++] = item;
    }
}

/* The rules; false: out of memory. */
bool rules_words(struct rules *rules);
bool rules_slots(struct rules *rules);
bool rules_stack(struct rules *rules);
bool rules_paths(struct rules *rules);
bool rules_rem(struct rules *rules);
bool rules_stores(struct rules *rules);
bool rules_privilege(struct rules *rules);

#endif
