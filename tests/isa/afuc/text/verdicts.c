/* SPDX-License-Identifier: MIT */
/*
 * Sources with a known verdict: accepted with the expected words, or refused at the expected line. One documented
 * difference: `.word` is a directive here.
 */
#include "assembling.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static bool words_match(const struct gpucode_program *program, const json_t *words)
{
    const unsigned char *bytes = gpucode_program_bytes(program);
    size_t size = gpucode_program_size(program);
    if (size < 4 || memcmp(bytes, "\0\0\0\0", 4) != 0)
        return false;
    bytes += 4;
    size -= 4;
    if (json_is_object(words))
        return size == 4 * (size_t)json_integer_value(json_object_get(words, "count")) &&
               crc32_of(bytes, size) == strtoul(json_string_value(json_object_get(words, "crc32")), NULL, 16);
    if (size != 4 * json_array_size(words))
        return false;
    for (size_t i = 0; i < json_array_size(words); i++) {
        uint32_t word = (uint32_t)strtoul(json_string_value(json_array_get(words, i)), NULL, 16);
        for (unsigned k = 0; k < 4; k++)
            if (bytes[4 * i + k] != (word >> 8 * k & 255))
                return false;
    }
    return true;
}

/* 0 good, 1 wrong */
static unsigned check_case(const json_t *entry)
{
    const char *name = json_string_value(json_object_get(entry, "name"));
    bool accept = strcmp(json_string_value(json_object_get(entry, "expect")), "accept") == 0;
    const json_t *line = json_object_get(entry, "line");
    char path[4096];
    size_t length;
    snprintf(path, sizeof path, "%s/afuc/asm_errors/%s", folder, json_string_value(json_object_get(entry, "file")));
    char *text = read_whole(path, &length);
    assert_non_null(text);
    struct assembled got;
    assemble_bytes(&got, text, length, NULL);
    bool good;
    if (strcmp(name, "directive-unknown") == 0 && strstr(text, ".word")) {
        good = got.status == GPUCODE_OK; /* the documented difference */
    } else if (accept) {
        good = got.status == GPUCODE_OK && words_match(got.program, json_object_get(entry, "words"));
    } else {
        good = got.status == GPUCODE_ERROR_INPUT && got.heard.errors > 0;
        bool at_line = !json_is_integer(line);
        for (unsigned i = 0; i < got.heard.count && i < HEARD_MAX && !at_line; i++)
            at_line = got.heard.said[i].severity == GPUCODE_ERROR && got.heard.said[i].line == json_integer_value(line);
        good = good && at_line;
        /* one slip, one error: what follows is still understood */
        good = good && got.heard.errors == 1;
    }
    if (!good)
        printf("%s: expected %s at line %d (%s), got %s '%s' %s\n", name, accept ? "accept" : "reject",
               json_is_integer(line) ? (int)json_integer_value(line) : 0,
               json_string_value(json_object_get(entry, "why")), gpucode_status_text(got.status),
               heard_text(&got.heard), got.heard.said[0].message);
    gpucode_program_free(got.program);
    free(text);
    return !good;
}

static void verdicts(void **state)
{
    (void)state;
    if (!folder)
        skip();
    char path[4096];
    snprintf(path, sizeof path, "%s/afuc/asm_errors/index.json", folder);
    json_t *cases = json_load_file(path, 0, NULL);
    assert_non_null(cases);
    unsigned wrong = 0;
    assert_true(json_array_size(cases) >= 97);
    for (size_t i = 0; i < json_array_size(cases); i++)
        wrong += check_case(json_array_get(cases, i));
    json_decref(cases);
    assert_int_equal(wrong, 0);
}

TEST_GROUP(verdicts)
{
    folder = vectors_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
