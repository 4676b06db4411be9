/* SPDX-License-Identifier: MIT */
/* The rules in turn. */
#include "isa/afuc/lint/lint.h"

static bool check_section(struct rules *rules)
{
    for (uint32_t i = 0; i < rules->code->function_count; i++) {
        const struct gpucode_function *function = &rules->code->functions[i];
        if (rules_is_handler(function)) {
            rules->handled[0] |= function->packets[0];
            rules->handled[1] |= function->packets[1];
        }
    }
    return rules_words(rules) && rules_slots(rules) && rules_stack(rules) && rules_paths(rules) && rules_rem(rules) &&
           rules_stores(rules) && rules_privilege(rules);
}

static bool check(struct lint_context *context, struct gpucode_analysis *analysis, const struct analysis_calls *calls)
{
    bool good = true;
    for (unsigned i = 0; good && i < analysis->section_count; i++) {
        struct rules rules = {context, analysis, calls, &analysis->code[i], analysis->code[i].facts, {0, 0}};
        good = check_section(&rules);
    }
    return good;
}

static const struct gpucode_lint_limit limits[] = {{NULL, 0}};
static const char *const limit_docs[] = {NULL};

/* as one reads them: what stands around them, tests add */
#define HANDLER "CP_WAIT_FOR_IDLE:\n"
#define DONE "waitin\nmov $01, $data\n"
#define END ""
#define EXAMPLE(code, target, wrong, found, right) {code, target, wrong, right},
static const struct isa_lint_example examples[] = {
#include "isa/afuc/lint/examples.def"
    {NULL, NULL, NULL, NULL},
};

const struct isa_lint afuc_lint = {
    .limits = limits, .limit_docs = limit_docs, .examples = examples, .check_analysed = check};
