/* SPDX-License-Identifier: MIT */
/* Reports that lack what they need, places of a subject as users write them, and patches of patches. */
#include "group.h"

#include <gpucode/report.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The routines of two packets, and one that they call, whose name has the ends of the alphabets. */
static const char firmware[] = ".target afuc:a630\n[016ee001]\n[#jumptbl]\n"
                               "waitin\nmov $01, $data\n"
                               "CP_NOP:\ncall #aZ09_zA\nnop\nwaitin\nmov $01, $data\n"
                               "CP_MEM_WRITE:\ncall #aZ09_zA\nnop\nwaitin\nmov $01, $data\n"
                               "aZ09_zA:\nmov $02, $03\nret\nnop\n"
                               "jumptbl:\n.jumptbl\n";

static struct gpucode_program *program;
static struct gpucode_image *image;
static struct gpucode_analysis *analysis;
static struct gpucode_outline *outline;
static struct gpucode_subject subject;

static int open_subject(void **state)
{
    (void)state;
    const struct gpucode_asm_options options = {.record_lines = true};
    assert_int_equal(gpucode_assemble(firmware, sizeof firmware - 1, &options, &program), GPUCODE_OK);
    const struct gpucode_image_options open = {.target = gpucode_program_target(program)};
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &open, &image),
                     GPUCODE_OK);
    assert_int_equal(gpucode_analyse(image, NULL, &analysis), GPUCODE_OK);
    assert_int_equal(gpucode_outline_create(image, NULL, &outline), GPUCODE_OK);
    subject = (struct gpucode_subject){image, "file", analysis, outline, NULL, program, NULL};
    return 0;
}

static int close_subject(void **state)
{
    (void)state;
    gpucode_outline_free(outline);
    gpucode_analysis_free(analysis);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}

static void without_arguments(void **state)
{
    (void)state;
    static const struct gpucode_patch patch = {"aZ09_zA", "patch", "ret\nnop\n", 8};
    const struct gpucode_subject no_image = {.analysis = analysis, .outline = outline},
                                 no_analysis = {.image = image, .outline = outline},
                                 no_outline = {.image = image, .analysis = analysis};
    const struct gpucode_symbol_text names = {"names", "", 0}, no_names = {"names", NULL, 0};
    const struct gpucode_diagnostic_handler none = {0};
    const struct gpucode_subject *const lacking[] = {NULL, &no_image, &no_analysis};
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_program *made = NULL;
    struct gpucode_pattern *pattern = NULL;
    char *out = NULL;
    size_t length;
    assert_non_null(answer);
    for (unsigned i = 0; i < 3; i++) {
        const struct gpucode_subject *lack = lacking[i];
        assert_int_equal(gpucode_report_privileges(lack, answer), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_privilege_changes(lack, &subject, answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_privilege_changes(&subject, lack, answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_calls(lack, answer), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_graph(lack, NULL, answer), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_references(lack, "memory", answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_changes(lack, &subject, answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_changes(&subject, lack, answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_subject_function(lack, 0, 2), lack == &no_image ? 0 : GPUCODE_NONE);
        if (i == 2)
            break; /* the others need no analysis */
        assert_int_equal(gpucode_report_block_changes(lack, &subject, answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_block_changes(&subject, lack, answer, NULL), GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_carried(lack, &subject, &names, none, answer, &out, &length, NULL),
                         GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_report_carried(&subject, lack, &names, none, answer, &out, &length, NULL),
                         GPUCODE_ERROR_ARGUMENT);
        assert_int_equal(gpucode_patch(lack, &patch, 1, NULL, answer, &made, NULL), GPUCODE_ERROR_ARGUMENT);
    }
    const enum gpucode_status refused[] = {
        gpucode_report_references(&subject, NULL, answer, NULL),
        gpucode_report_search(NULL, pattern, answer, NULL),
        gpucode_report_search(&no_image, pattern, answer, NULL),
        gpucode_report_search(&no_outline, pattern, answer, NULL),
        gpucode_report_search(&subject, NULL, answer, NULL),
        gpucode_report_carried(&subject, &subject, NULL, none, answer, &out, &length, NULL),
        gpucode_report_carried(&subject, &subject, &no_names, none, answer, &out, &length, NULL),
        gpucode_report_carried(&subject, &subject, &names, none, answer, NULL, &length, NULL),
        gpucode_report_carried(&subject, &subject, &names, none, answer, &out, NULL, NULL),
        gpucode_report_carried(&subject, &subject, &names, none, NULL, &out, &length, NULL),
        gpucode_patch(&subject, NULL, 1, NULL, answer, &made, NULL),
        gpucode_patch(&subject, &patch, 0, NULL, answer, &made, NULL),
        gpucode_patch(&subject, &patch, 1, NULL, NULL, &made, NULL),
        gpucode_patch(&subject, &patch, 1, NULL, answer, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(refused[i], GPUCODE_ERROR_ARGUMENT);
    gpucode_answer_free(answer);
}

/* Places as users write them, up to the last word. */
static void places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t unit; /* GPUCODE_NONE: there is none such */
    } rows[] = {
        {"CP_NOP", 4},
        {"CP_MEM_WRITE", 8},
        {"aZ09_zA", 12},
        {"l14", 14},
        {"l000000014", 14},
        {"l0000000014", GPUCODE_NONE},
        {"l999999999", GPUCODE_NONE},
        {"fxn4", 4},
        {"l", GPUCODE_NONE},
        {"l4x", GPUCODE_NONE},
        {"0xe", 14},
        {"14", 14},
        {"CP_NOP+1", 5},
        {"aZ09_zA+2", 14},
        {"CP_NOP+-1", GPUCODE_NONE},
        {"nothing", GPUCODE_NONE},
        {"CP_NOP+4294967295", GPUCODE_NONE},
        {"4294967296", GPUCODE_NONE},
        {"", GPUCODE_NONE},
        {"CP_NOP+", GPUCODE_NONE},
    };
    const struct gpucode_section *place = gpucode_image_info(image)->sections;
    char number[32], text[GPUCODE_TEXT_MAX], name[GPUCODE_NAME_MAX];
    uint32_t unit;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool found = gpucode_subject_locate(&subject, 0, rows[i].text, &unit);
        assert_int_equal(found, rows[i].unit != GPUCODE_NONE);
        assert_true(!found || unit == rows[i].unit);
    }
    for (int past = -1; past < 2; past++) { /* the last word, and behind it */
        bool there = past < 0;
        snprintf(number, sizeof number, "%u", place->size + (unsigned)past);
        assert_int_equal(gpucode_subject_locate(&subject, 0, number, &unit), there);
        snprintf(number, sizeof number, "l%u", place->size + (unsigned)past);
        assert_int_equal(gpucode_subject_locate(&subject, 0, number, &unit), there);
        snprintf(number, sizeof number, "CP_NOP+%u", place->size + (unsigned)past - 4);
        assert_int_equal(gpucode_subject_locate(&subject, 0, number, &unit), there);
        assert_true(there || !gpucode_subject_text(&subject, 0, place->size + (unsigned)past, text));
    }
    assert_false(gpucode_subject_locate(NULL, 0, "CP_NOP", &unit));
    assert_false(gpucode_subject_locate(&subject, 1, "CP_NOP", &unit));
    assert_false(gpucode_subject_locate(&subject, 0, NULL, &unit));
    assert_false(gpucode_subject_locate(&subject, 0, "CP_NOP", NULL));
    assert_false(gpucode_subject_find(NULL, 0, "CP_NOP", &unit));
    assert_false(gpucode_subject_find(&subject, 1, "CP_NOP", &unit));
    assert_false(gpucode_subject_find(&subject, 0, NULL, &unit));
    assert_false(gpucode_subject_find(&subject, 0, "CP_NOP", NULL));
    assert_false(gpucode_subject_text(NULL, 0, 2, text));
    assert_false(gpucode_subject_text(&subject, 1, 2, text));
    assert_false(gpucode_subject_text(&subject, 0, 2, NULL));
    gpucode_subject_name(&subject, 0, 0, NULL);
    gpucode_subject_place(&subject, 0, 2, NULL);
    gpucode_subject_name(NULL, 0, 0, name);
    assert_string_equal(name, "");
    gpucode_subject_place(NULL, 0, 2, name);
    assert_string_equal(name, "l2");
}

static bool no_include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user, (void)text, (void)length;
    assert_string_equal(from, "leaf.asm");
    assert_string_equal(name, "other.asm");
    return false;
}

/* Which patch is wrong, labels that the source places itself, and files that nobody has. */
static void patches(void **state)
{
    (void)state;
    static const char source[] = "\taZ09_zA:\n mov $02, $04\nret\nnop\n", includes[] = ".include \"other.asm\"\n";
    const struct gpucode_patch leaf = {"aZ09_zA", "leaf.asm", "mov $02, $04\nret\nnop\n", 20},
                               labelled = {"aZ09_zA", "leaf.asm", source, sizeof source - 1},
                               other = {"CP_NOP", NULL, "waitin\nmov $01, $data\n", 22},
                               including = {"aZ09_zA", "leaf.asm", includes, sizeof includes - 1},
                               inside = {"CP_NOP+1", "leaf.asm", "nop\n", 4};
    const struct {
        struct gpucode_patch patches[3];
        size_t count, wrong; /* wrong: of them, or as many as there are */
        enum gpucode_status status;
    } rows[] = {
        {{leaf}, 1, 1, GPUCODE_OK},
        {{labelled}, 1, 1, GPUCODE_OK},
        {{leaf, other}, 2, 2, GPUCODE_OK},
        {{leaf, leaf, other}, 3, 1, GPUCODE_ERROR_RANGE},
        {{other, leaf, inside}, 3, 2, GPUCODE_ERROR_RANGE},
        {{including}, 1, 1, GPUCODE_ERROR_INPUT},
    };
    const struct gpucode_asm_options without = {0}, with = {.include = no_include};
    const struct gpucode_asm_options *const options[] = {NULL, &without, &with};
    for (size_t i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        struct gpucode_answer *answer = gpucode_answer_create();
        struct gpucode_program *made = (struct gpucode_program *)&with;
        const struct gpucode_patch *wrong = NULL;
        const size_t row = i / 3;
        assert_int_equal(
            gpucode_patch(&subject, rows[row].patches, rows[row].count, options[i % 3], answer, &made, &wrong),
            rows[row].status);
        assert_true(rows[row].status == GPUCODE_OK ? made != NULL : !made);
        if (rows[row].wrong == rows[row].count)
            assert_null(wrong);
        else
            assert_string_equal(wrong->routine, rows[row].patches[rows[row].wrong].routine);
        gpucode_program_free(made);
        gpucode_answer_free(answer);
    }
}

TEST_GROUP(subjects)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_arguments), cmocka_unit_test(places),
                                       cmocka_unit_test(patches)};
    return cmocka_run_group_tests(tests, open_subject, close_subject);
}
