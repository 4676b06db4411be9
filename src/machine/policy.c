/* SPDX-License-Identifier: MIT */
/* Policies: named choices where nobody knows what the hardware does. */
#include "base/number.h"
#include "machine/machine.h"

#include <string.h>

bool gpucode_policy_at(const struct gpucode_target *target, unsigned index, struct gpucode_policy *policy)
{
    if (!target)
        return false;
    const struct isa_machine *machine = machine_emulator(target->isa);
    if (!machine)
        return false;
    for (unsigned i = 0; machine->policies[i].name; i++)
        if (i == index) {
            *policy = machine->policies[i];
            return true;
        }
    return false;
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

bool machine_check_policies(const struct isa_machine *machine, const struct gpucode_setting *settings,
                            const struct gpucode_diagnostic_handler *on_diagnostic)
{
    bool good = true;
    for (; settings && settings->name; settings++) {
        const struct gpucode_policy *policy = machine->policies;
        while (policy->name && strcmp(policy->name, settings->name) != 0)
            policy++;
        if (!policy->name) {
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
