/* SPDX-License-Identifier: MIT */
/* Policies: named choices where nobody knows what the hardware does. */
#include "base/text.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* Policies of the machine, then those of text and timing; null: no more. */
static const struct gpucode_policy *policy_at(const struct isa *isa, unsigned index)
{
    const struct isa_machine *machine = machine_emulator(isa);
    const struct gpucode_policy *lists[] = {machine ? machine->policies : NULL, isa->policies};
    for (unsigned i = 0; i < 2; i++)
        for (const struct gpucode_policy *policy = lists[i]; policy && policy->name; policy++)
            if (index-- == 0)
                return policy;
    return NULL;
}

bool gpucode_policy_at(const struct gpucode_target *target, unsigned index, struct gpucode_policy *policy)
{
    const struct gpucode_policy *found = target ? policy_at(target->isa, index) : NULL;
    if (found)
        *policy = *found;
    return found;
}

static bool is_number(const char *text)
{
    const char *end = text + strlen(text);
    uint64_t value;
    return text_read_number(text, end, &value) == end;
}

static bool is_value(const char *list, const char *value)
{
    if (strcmp(list, "TEXT") == 0)
        return true;
    if (strcmp(list, "NUMBER") == 0)
        return is_number(value);
    for (size_t length = strlen(value); list;) {
        const char *end = strchr(list, '|');
        if ((end ? (size_t)(end - list) : strlen(list)) == length && memcmp(list, value, length) == 0)
            return true;
        list = end ? end + 1 : NULL;
    }
    return false;
}

bool machine_check_policies(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                            const struct gpucode_diagnostic_handler *on_diagnostic)
{
    bool good = true;
    for (; settings && settings->name; settings++) {
        const struct gpucode_policy *policy = policies;
        while (policy && policy->name && strcmp(policy->name, settings->name) != 0)
            policy++;
        if (!policy || !policy->name) {
            report(on_diagnostic, NULL, MSG_NO_POLICY, NULL, settings->name);
            good = false;
        } else if (!settings->value || !is_value(policy->values, settings->value)) {
            report(on_diagnostic, NULL, MSG_POLICY_VALUE, NULL, policy->name, settings->value ? settings->value : "",
                   policy->values);
            good = false;
        }
    }
    return good;
}

enum gpucode_status gpucode_target_with(const struct gpucode_target *target, const struct gpucode_setting *policies,
                                        const struct gpucode_diagnostic_handler *on_diagnostic,
                                        struct gpucode_target **made)
{
    const struct gpucode_diagnostic_handler silent = {0};
    if (made)
        *made = NULL;
    if (!target || !made)
        return GPUCODE_ERROR_ARGUMENT;
    if (!machine_check_policies(target->isa->policies, policies, on_diagnostic ? on_diagnostic : &silent))
        return GPUCODE_ERROR_INPUT;
    struct gpucode_target *copy = malloc(sizeof *copy);
    if (!copy)
        return GPUCODE_ERROR_MEMORY;
    *copy = *target;
    copy->base = target->base ? target->base : target;
    if (target->isa->choose)
        target->isa->choose(copy, policies);
    *made = copy;
    return GPUCODE_OK;
}

void gpucode_target_free(struct gpucode_target *made)
{
    free(made);
}
