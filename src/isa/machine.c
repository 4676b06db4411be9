/* SPDX-License-Identifier: MIT */
/* What all emulators share: policies and stops. */
#include "isa/machine.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *isa_policy(const struct gpucode_policy *policies, const struct gpucode_setting *settings, const char *name)
{
    const char *value = NULL;
    for (; settings && settings->name; settings++)
        if (strcmp(settings->name, name) == 0)
            value = settings->value;
    for (const struct gpucode_policy *policy = policies; !value && policy->name; policy++)
        if (strcmp(policy->name, name) == 0)
            value = policy->preset;
    return value;
}

unsigned isa_policy_choice(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                           const char *name)
{
    const char *value = isa_policy(policies, settings, name), *list = NULL;
    for (const struct gpucode_policy *policy = policies; policy->name; policy++)
        if (strcmp(policy->name, name) == 0)
            list = policy->values;
    unsigned choice = 0;
    for (size_t length = value ? strlen(value) : 0; list; choice++) {
        const char *end = strchr(list, '|');
        if ((end ? (size_t)(end - list) : strlen(list)) == length && memcmp(list, value, length) == 0)
            return choice;
        list = end ? end + 1 : NULL;
    }
    return 0; /* cannot be: the room has checked the settings */
}

void isa_policy_choices(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                        const struct isa_choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *choices[i].to = (uint8_t)isa_policy_choice(policies, settings, choices[i].policy);
}

uint64_t isa_policy_number(const struct gpucode_policy *policies, const struct gpucode_setting *settings,
                           const char *name)
{
    const char *value = isa_policy(policies, settings, name);
    uint64_t number;
    return value && text_read_number(value, value + strlen(value), &number) ? number : 0;
}

bool isa_policy_within(const struct machine_core *core, const struct gpucode_policy *policies,
                       const struct gpucode_setting *settings, const char *name, message_id message, uint64_t least,
                       uint64_t most, uint32_t *to)
{
    uint64_t value = isa_policy_number(policies, settings, name);
    *to = (uint32_t)value;
    if (value >= least && value <= most)
        return true;
    char range[64];
    snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, least, most);
    report(&core->on_diagnostic, NULL, message, NULL, isa_policy(policies, settings, name), name, range);
    return false;
}

void isa_stop(struct gpucode_stop *stop, enum gpucode_stop_reason reason, message_id message, ...)
{
    stop->reason = reason;
    stop->code = message_code(message);
    va_list args;
    va_start(args, message);
    message_text(stop->text, sizeof stop->text, message, args);
    va_end(args);
}
