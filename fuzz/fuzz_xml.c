/* SPDX-License-Identifier: MIT */
/* Loads the input as a file of register names, twice into one object, and asks for names. */
#include "check.h"
#include <gpucode/gpucode.h>
#include <gpucode/xml.h>

#include <string.h>

/* Targets that have packets have the names of GPU registers that such files give; one of them. */
static const struct gpucode_target *find_target(size_t pick)
{
    const struct gpucode_target *target;
    unsigned count = 0;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        count += gpucode_target_facts(target)->packets;
    pick %= count;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        if (gpucode_target_facts(target)->packets && pick-- == 0)
            break;
    return target;
}

static void count_message(void *user, const struct gpucode_diagnostic *diagnostic)
{
    *(size_t *)user += strlen(diagnostic->message) + diagnostic->source_length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t told = 0;
    const struct gpucode_target *target = find_target(size);
    struct gpucode_diagnostic_handler on_diagnostic = {count_message, &told};
    struct gpucode_xml *xml = NULL;
    gpucode_xml_load(data, size, "fuzz.xml", target, &on_diagnostic, &xml);
    gpucode_xml_load(data, size / 2, "half.xml", target, &on_diagnostic, &xml);
    gpucode_xml_load(data, size, "fuzz.xml", target, &on_diagnostic, &xml);
    const struct gpucode_names *names = gpucode_xml_names(xml);
    for (uint32_t number = 0; names && number < 0x2000; number++) {
        char text[GPUCODE_NAME_MAX];
        uint32_t back;
        size_t length = gpucode_name_of(target, names, GPUCODE_SPACE_GPU, number, text, sizeof text);
        /* a printed name can be read, though it may mean an earlier register */
        if (length && !gpucode_number_of(target, names, GPUCODE_SPACE_GPU, text, length, &back))
            __builtin_trap();
    }
    const struct gpucode_meanings *meanings = gpucode_xml_meanings(xml);
    unsigned family = gpucode_target_family(target);
    for (uint32_t number = 0; meanings && number < 0x2000; number++) {
        char text[64];
        struct gpucode_field_value fields[4];
        told += gpucode_meanings_text(meanings, family, number, UINT64_C(0x9abcdef012345678) * (number | 1), text,
                                      sizeof text);
        told += gpucode_meanings_fields(meanings, family, number, number, fields, 4);
        told += gpucode_meanings_words(meanings, family, number);
    }
    gpucode_xml_free(xml);
    return 0;
}
