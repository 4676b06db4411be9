/* SPDX-License-Identifier: MIT */
/* What a macro is started with: parameters, and the values of methods that it may read. */
#include "front/session.h"
#include "front/values.h"
#include "kit/mme/kit.h"

#include <stdlib.h>
#include <string.h>

#define SCRATCH_FIRST 0x3400 /* byte address of the method of scratch register 0 */
#define SCRATCH_COUNT 128
#define METHODS_END 0x4000

/* A number of 32 bits, with a sign or without. */
static bool read_word(const char *text, uint32_t *word)
{
    uint64_t value;
    bool negative = *text == '-';
    if (!number_read(text + negative, negative ? UINT64_C(1) << 31 : UINT32_MAX, &value))
        return false;
    *word = negative ? 0 - (uint32_t)value : (uint32_t)value;
    return true;
}

static int give_parameters(struct session *session, struct gpucode_machine *machine)
{
    const char *list;
    for (unsigned i = 0; (list = arguments_value_at(&session->arguments, OPTION_MME_PARAM, i)); i++)
        for (const char *at = list; *at;) {
            char text[32];
            uint32_t word;
            size_t length = strcspn(at, ",");
            if (length >= sizeof text)
                return value_refuse(session, OPTION_MME_PARAM, list, "32-bit numbers between commas");
            memcpy(text, at, length);
            text[length] = 0;
            at += length;
            bool more = *at == ',';
            if (!read_word(text, &word) || (more && !at[1]))
                return value_refuse(session, OPTION_MME_PARAM, list, "32-bit numbers between commas");
            at += more;
            if (gpucode_machine_feed(machine, 0, &word, 1) != GPUCODE_OK)
                return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
        }
    return EXIT_DONE;
}

static int give_state(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    static const char expected[] = "METHOD=VALUE, a byte address that is a multiple of 4, or a name, and 32 bits";
    const char *text;
    for (unsigned i = 0; (text = arguments_value_at(&session->arguments, OPTION_MME_STATE, i)); i++) {
        char name[GPUCODE_NAME_MAX];
        const char *value = value_split(text, name, sizeof name);
        uint64_t number = 0;
        uint32_t word = 0, named;
        bool good = value && read_word(value, &word);
        if (good && !number_read(name, METHODS_END - 1, &number)) {
            good = gpucode_number_of(input->target, input_names(input), GPUCODE_SPACE_GPU, name, strlen(name), &named);
            number = named;
        }
        if (!good || number >= METHODS_END || number % 4 ||
            gpucode_machine_write(machine, 0, GPUCODE_SPACE_GPU, (uint32_t)number, word) != GPUCODE_OK)
            return value_refuse(session, OPTION_MME_STATE, text, expected);
    }
    return EXIT_DONE;
}

static int give_scratch(struct session *session, struct gpucode_machine *machine)
{
    const char *text;
    for (unsigned i = 0; (text = arguments_value_at(&session->arguments, OPTION_MME_SCRATCH, i)); i++) {
        char name[32];
        const char *value = value_split(text, name, sizeof name);
        uint64_t number;
        uint32_t word;
        if (!value || !number_read(name, SCRATCH_COUNT - 1, &number) || !read_word(value, &word) ||
            gpucode_machine_write(machine, 0, GPUCODE_SPACE_GPU, (uint32_t)(SCRATCH_FIRST + 4 * number), word) !=
                GPUCODE_OK)
            return value_refuse(session, OPTION_MME_SCRATCH, text, "N=VALUE, 0 to 127 and 32 bits");
    }
    return EXIT_DONE;
}

int macro_give(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    int code = give_state(session, input, machine);
    if (!code)
        code = give_scratch(session, machine);
    return code ? code : give_parameters(session, machine);
}
