/* SPDX-License-Identifier: MIT */
/* Of a source with several macros, the one that a command is about. */
#include "front/session.h"
#include "kit/mme/kit.h"
#include <gpucode/asm.h>

#include <stdio.h>
#include <string.h>

int macro_choose(struct session *session, const char *file, struct gpucode_program *program)
{
    const char *wanted = session->arguments.value[OPTION_MME_SECTION];
    struct gpucode_program_section section;
    char list[256] = "sections:";
    size_t used = strlen(list);
    unsigned count = 0;
    for (; gpucode_program_section(program, count, &section); count++) {
        if (wanted && strcmp(section.name, wanted) == 0) {
            gpucode_program_keep(program, count);
            return EXIT_DONE;
        }
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, " %s", section.name);
    }
    if (wanted)
        return complain(&session->diagnostics, CLI_MME_SECTION, file, list, wanted);
    return count > 1 && command_has(session->command, OPTION_MME_SECTION)
               ? complain(&session->diagnostics, CLI_MME_SECTIONS, file, list)
               : EXIT_DONE;
}
