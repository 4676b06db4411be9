/* SPDX-License-Identifier: MIT */
#include "front/policies.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

int policies_read(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings)
{
    const struct arguments *arguments = &session->arguments;
    size_t count = 0, bytes = 0, given = arguments->count[OPTION_POLICY];
    const char *policy;
    while (more && more[count].name)
        count++;
    for (unsigned i = 0; (policy = arguments_value_at(arguments, OPTION_POLICY, i)); i++)
        bytes += strlen(policy) + 1;
    struct gpucode_setting *list = calloc(1, (count + given + 1) * sizeof *list + bytes);
    if (!list)
        return out_of_memory(&session->diagnostics);
    if (count)
        memcpy(list, more, count * sizeof *list);
    char *text = (char *)(list + count + given + 1);
    for (unsigned i = 0; (policy = arguments_value_at(arguments, OPTION_POLICY, i)); i++) {
        size_t length = strlen(policy) + 1;
        memcpy(text, policy, length);
        char *equals = strchr(text, '=');
        if (!equals) {
            free(list);
            return complain(&session->diagnostics, CLI_POLICY, NULL, "write --policy NAME=VALUE", policy);
        }
        *equals = 0;
        list[count + i] = (struct gpucode_setting){text, equals + 1};
        text += length;
    }
    *settings = list;
    return EXIT_DONE;
}
