/* SPDX-License-Identifier: MIT */
/* What options and source say of how a script is run, for all commands. */
#include "front/input.h"
#include "front/session.h"
#include "kit/hwsq/kit.h"

#include <stdio.h>
#include <string.h>

/* Opcodes of a run without --limit, or twice what a large script has: a loop of one that starts itself prints no more.
 */
#define LIMIT 100000

/* Entry points that the source has named with .entry; false: there is no source. */
static bool list_entries(const struct input *input, char *text, size_t size)
{
    unsigned long entry[4] = {0};
    struct gpucode_symbol symbol;
    for (unsigned i = 0; input->program && gpucode_program_symbol(input->program, i, &symbol); i++)
        if (symbol.section && strlen(symbol.name) == 6 && strncmp(symbol.name, "entry", 5) == 0 &&
            symbol.name[5] >= '0' && symbol.name[5] <= '3')
            entry[symbol.name[5] - '0'] = symbol.unit;
    snprintf(text, size, "%lu,%lu,%lu,%lu", entry[0], entry[1], entry[2], entry[3]);
    return input->program;
}

int script_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    const struct arguments *arguments = &session->arguments;
    struct gpucode_setting *at = settings->list;
    if (list_entries(input, settings->text, sizeof settings->text))
        *at++ = (struct gpucode_setting){"hwsq-entry-points", settings->text};
    if (arguments->value[OPTION_HWSQ_ENTRY])
        *at++ = (struct gpucode_setting){"hwsq-entry", arguments->value[OPTION_HWSQ_ENTRY]};
    if (arguments_have(arguments, OPTION_HWSQ_OVERSIZE))
        *at++ = (struct gpucode_setting){"hwsq-oversize", "yes"};
    /* Inputs say which events come, and when. Nothing comes while two scripts run side by side: a wait that the input
     * says nothing of ends then, for most scripts wait for an edge, which is two values one after the other. */
    if (session->command == &command_table[COMMAND_fuzz])
        *at++ = (struct gpucode_setting){"hwsq-events",
                                         arguments->value[OPTION_HWSQ_FUZZ_AGAINST] ? "satisfied" : "modelled"};
    return EXIT_DONE;
}

uint64_t script_limit(const struct input *input)
{
    uint64_t size = input->size;
    return 2 * size > LIMIT ? 2 * size : LIMIT;
}
