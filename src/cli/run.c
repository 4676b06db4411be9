/* SPDX-License-Identifier: MIT */
/* gpucode run: code on a machine. Each instruction set has its own traces and options; see run_*.c. */
#include "cli/run.h"

#include "front/session.h"
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

int command_run(struct session *session);

int run_policies(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings)
{
    const struct arguments *arguments = &session->arguments;
    size_t count = 0, bytes = 0, given = arguments->count[OPTION_POLICY];
    while (more && more[count].name)
        count++;
    for (size_t i = 0; i < given; i++)
        bytes += strlen(arguments->policies[i]) + 1;
    struct gpucode_setting *list = calloc(1, (count + given + 1) * sizeof *list + bytes);
    if (!list)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    if (count)
        memcpy(list, more, count * sizeof *list);
    char *text = (char *)(list + count + given + 1);
    for (size_t i = 0; i < given; i++) {
        size_t length = strlen(arguments->policies[i]) + 1;
        memcpy(text, arguments->policies[i], length);
        char *equals = strchr(text, '=');
        if (!equals) {
            free(list);
            return complain(&session->diagnostics, CLI_POLICY, NULL, "write --policy NAME=VALUE",
                            arguments->policies[i]);
        }
        *equals = 0;
        list[count + i] = (struct gpucode_setting){text, equals + 1};
        text += length;
    }
    *settings = list;
    return EXIT_DONE;
}

/* Options that only some sets look at; the others refuse them rather than do as if they were not there. */
static const struct {
    enum option_id option;
    const char *sets;
} narrow[] = {
    {OPTION_OVERSIZE, "hwsq"},    {OPTION_ENTRY, "hwsq"},      {OPTION_PLOT, "hwsq"},       {OPTION_PACKET, "afuc"},
    {OPTION_PACKETS, "afuc"},     {OPTION_RING, "afuc"},       {OPTION_REG, "afuc"},        {OPTION_SECTION, "afuc"},
    {OPTION_MEMORY, "afuc a3xx"}, {OPTION_DUMP, "afuc a3xx"},  {OPTION_LIMIT, "afuc a3xx"}, {OPTION_CONST, "a3xx"},
    {OPTION_IN, "a3xx"},          {OPTION_LOCAL_SIZE, "a3xx"}, {OPTION_LOCAL_ID, "a3xx"},   {OPTION_IJ, "a3xx"},
    {OPTION_VARYING, "a3xx"},     {OPTION_TEXTURE, "a3xx"},    {OPTION_PRINT, "a3xx"},      {OPTION_IMAGE, "a3xx"},
    {OPTION_COLOR_OUT, "a3xx"},   {OPTION_FRAG_COORD, "a3xx"}, {OPTION_STRICT, "a3xx"},     {OPTION_CYCLES, "a3xx"},
};

static int check_options(struct session *session, const char *isa)
{
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (arguments_have(&session->arguments, narrow[i].option) && !strstr(narrow[i].sets, isa))
            return complain(&session->diagnostics, CLI_OPTION_SET, NULL, NULL, option_table[narrow[i].option].name,
                            isa);
    return EXIT_DONE;
}

int command_run(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[session->arguments.operand_count - 1], &input);
    if (code)
        return code;
    const char *isa = gpucode_target_isa(input.target);
    const struct kit *kit = kit_of(input.target);
    if (!kit || !kit->run)
        code = complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, isa, "run");
    else
        code = check_options(session, isa);
    if (!code)
        code = kit->run(session, &input);
    input_close(&input);
    return code;
}
