/* SPDX-License-Identifier: MIT */
/* --dump ADDR:WORDS for shaders: global memory after the run, as hex, float and integer. */
#include "front/session.h"
#include "front/values.h"
#include "kit/a3xx/shader/value.h"
#include "kit/a3xx/shader_run.h"

#include <inttypes.h>
#include <stdlib.h>

#define WORDS_MAX (1 << 20)

/* Global addresses have 32 bits; what lies above is not the shader's. */
static bool read_range(const char *at, uint64_t *address, uint64_t *count)
{
    *count = 1;
    return number_take(&at, address) && *at == ':' && number_read(at + 1, WORDS_MAX, count) && *address <= UINT32_MAX &&
           *address + 4 * *count <= UINT64_C(1) << 32;
}

int shader_check_dumps(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    uint64_t address, count;
    for (unsigned i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_A3XX_DUMP && !read_range(arguments->given[i].value, &address, &count))
            return value_refuse(session, OPTION_A3XX_DUMP, arguments->given[i].value,
                                "ADDRESS:WORDS in global memory (registers: --print)");
    return EXIT_DONE;
}

static void show_word(const struct gpucode_machine *machine, uint64_t address, struct json *json)
{
    unsigned char bytes[4] = {0};
    char name[16];
    bool mapped = gpucode_machine_load(machine, address, bytes, 4) == GPUCODE_OK;
    uint32_t value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    snprintf(name, sizeof name, "0x%08" PRIx64, address);
    if (json && mapped)
        json_number(json, name, value);
    else if (!json && mapped)
        printf("[%s] 0x%08" PRIx32 " %16.9g %12" PRId32 "\n", name, value, (double)shader_float_value(value),
               (int32_t)value);
    else if (!json)
        printf("[%s] not mapped\n", name);
}

void shader_put_dumps(const struct shader_run *run, struct json *json)
{
    const struct arguments *arguments = &run->session->arguments;
    if (!arguments_have(arguments, OPTION_A3XX_DUMP))
        return;
    if (json)
        json_object(json, "dump");
    for (unsigned i = 0; i < arguments->given_count; i++) {
        uint64_t address, count;
        if (arguments->given[i].option != OPTION_A3XX_DUMP || !read_range(arguments->given[i].value, &address, &count))
            continue;
        for (uint64_t k = 0; k < count; k++)
            show_word(run->machine, address + 4 * k, json);
    }
    if (json)
        json_end(json);
}
