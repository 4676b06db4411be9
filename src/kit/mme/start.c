/* SPDX-License-Identifier: MIT */
/* What a macro is started with: parameters, and the values of methods that it may read. */
#include "front/arguments.h"
#include "front/session.h"
#include "kit/mme/kit.h"

#include <string.h>

#define SCRATCH_FIRST 0x3400 /* byte address of the method of scratch register 0 */
#define SCRATCH_COUNT 128

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

enum gpucode_status macro_start_parameters(struct gpucode_machine *machine, const struct gpucode_names *names,
                                           const char *list, const char **expected)
{
    (void)names;
    *expected = "32-bit numbers between commas";
    for (const char *at = list; *at;) {
        char text[32];
        uint32_t word;
        size_t length = strcspn(at, ",");
        if (length >= sizeof text)
            return GPUCODE_ERROR_ARGUMENT;
        memcpy(text, at, length);
        text[length] = 0;
        at += length;
        bool more = *at == ',';
        if (!read_word(text, &word) || (more && !at[1]))
            return GPUCODE_ERROR_ARGUMENT;
        at += more;
        if (gpucode_machine_feed(machine, 0, &word, 1) != GPUCODE_OK)
            return GPUCODE_ERROR_MEMORY;
    }
    return GPUCODE_OK;
}

enum gpucode_status macro_start_state(struct gpucode_machine *machine, const struct gpucode_names *names,
                                      const char *text, const char **expected)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_machine_image(machine))->target;
    char name[GPUCODE_NAME_MAX];
    const char *value = value_split(text, name, sizeof name);
    uint64_t number = 0;
    uint32_t word = 0, named;
    *expected = "METHOD=VALUE, a byte address that is a multiple of 4, or a name, and 32 bits";
    if (!value || !read_word(value, &word))
        return GPUCODE_ERROR_ARGUMENT;
    if (!number_read(name, METHODS_END - 1, &number)) {
        if (!gpucode_number_of(target, names, GPUCODE_SPACE_GPU, name, strlen(name), &named))
            return GPUCODE_ERROR_ARGUMENT;
        number = named;
    }
    return number < METHODS_END && number % 4 == 0 &&
                   gpucode_machine_write(machine, 0, GPUCODE_SPACE_GPU, (uint32_t)number, word) == GPUCODE_OK
               ? GPUCODE_OK
               : GPUCODE_ERROR_ARGUMENT;
}

enum gpucode_status macro_start_scratch(struct gpucode_machine *machine, const struct gpucode_names *names,
                                        const char *text, const char **expected)
{
    char name[32];
    const char *value = value_split(text, name, sizeof name);
    uint64_t number;
    uint32_t word;
    (void)names;
    *expected = "N=VALUE, 0 to 127 and 32 bits";
    return value && number_read(name, SCRATCH_COUNT - 1, &number) && read_word(value, &word) &&
                   gpucode_machine_write(machine, 0, GPUCODE_SPACE_GPU, (uint32_t)(SCRATCH_FIRST + 4 * number), word) ==
                       GPUCODE_OK
               ? GPUCODE_OK
               : GPUCODE_ERROR_ARGUMENT;
}

uint32_t macro_special(const struct gpucode_machine *machine, const char *name)
{
    unsigned space;
    uint32_t number, value = 0;
    if (gpucode_machine_find(machine, name, &space, &number))
        gpucode_machine_read(machine, 0, space, number, &value);
    return value;
}

int macro_give(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    static const struct {
        enum option_id option;
        macro_start *start;
    } options[] = {{OPTION_MME_STATE, macro_start_state},
                   {OPTION_MME_SCRATCH, macro_start_scratch},
                   {OPTION_MME_PARAM, macro_start_parameters}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *text, *expected;
        for (unsigned k = 0; (text = arguments_value_at(&session->arguments, options[i].option, k)); k++) {
            enum gpucode_status status = options[i].start(machine, input_names(input), text, &expected);
            if (status == GPUCODE_ERROR_MEMORY)
                return out_of_memory(&session->diagnostics);
            if (status != GPUCODE_OK)
                return value_refuse(session, options[i].option, text, expected);
        }
    }
    return EXIT_DONE;
}
