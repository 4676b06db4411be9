/* SPDX-License-Identifier: MIT */
#include "front/form.h"

#include "front/code.h"
#include "front/session.h"

#include <gpucode/form.h>
#include <string.h>

int form_write(struct session *session, const char *natural, const struct gpucode_target *target, const void *bytes,
               size_t size, char **text, size_t *length)
{
    static const struct {
        const char *name;
        enum gpucode_form form;
    } forms[] = {
        {"hex", GPUCODE_FORM_HEX}, {"words", GPUCODE_FORM_WORDS}, {"c", GPUCODE_FORM_C}, {"calls", GPUCODE_FORM_CALLS}};
    const char *name = session->arguments.value[OPTION_FORM];
    *text = NULL;
    if (!name || strcmp(name, natural) == 0)
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0) {
            enum gpucode_status status = gpucode_form_write(target, forms[i].form, NULL, bytes, size, text, length);
            return status == GPUCODE_OK ? EXIT_DONE : code_status(session, NULL, status);
        }
    return complain(&session->diagnostics, CLI_FORM, NULL, NULL, session->command->name, name);
}
