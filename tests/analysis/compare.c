/* SPDX-License-Identifier: MIT */
/* Two versions compared: what counts as the same, how functions are matched, which edits are told. */
#include "analysed.h"

#include <gpucode/compare.h>

/* "boot same, CP_NOP moved | + nop x1" of section 0. */
static const char *differences(const struct gpucode_analysis *before, const struct gpucode_analysis *after)
{
    static char text[4096];
    char name[GPUCODE_NAME_MAX];
    struct gpucode_comparison *comparison;
    const struct gpucode_edit *edit;
    size_t used = 0;
    assert_int_equal(gpucode_compare(before, after, &comparison), GPUCODE_OK);
    const struct gpucode_compared_section *section = gpucode_comparison_section(comparison, 0);
    assert_null(gpucode_comparison_section(comparison, 1));
    text[0] = 0;
    for (uint32_t i = 0; i < section->function_count; i++) {
        const struct gpucode_compared_function *function = &section->functions[i];
        bool gone = function->change == GPUCODE_CHANGE_GONE;
        gpucode_analysis_name(gone ? before : after, 0, function->function[gone ? GPUCODE_OLD : GPUCODE_NEW], name,
                              sizeof name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s", i ? ", " : "", name,
                                 gpucode_change_name(function->change));
    }
    for (unsigned i = 0; (edit = gpucode_comparison_edit(comparison, i)); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " | %s x%u", edit->text, (unsigned)edit->count);
    gpucode_comparison_free(comparison);
    return text;
}

static void expect(const char *before, const char *after, const char *wanted)
{
    struct analysed old, new;
    analyse_source(&old, "afuc:a630", before);
    analyse_source(&new, "afuc:a630", after);
    assert_string_equal(differences(old.analysis, new.analysis), wanted);
    free_analysed(&new);
    free_analysed(&old);
}

#define BOOT "mov $02, $data\njump #UNKN16\nnop\n"
#define A "UNKN17:\nmov $02, $data\nbrne $02, b1, #la\nnop\nadd $03, $03, 0x1\nla:\nwaitin\nmov $01, $data\n"
#define B "UNKN18:\nmov $04, 0x5\nadd $05, $04, 0x6\nwaitin\nmov $01, $data\n"

static void test_moved(void)
{
    expect(BOOT A B, BOOT A B, "boot same, CP_RECORD_PFP_TIMESTAMP same, CP_WAIT_MEM_WRITES same, CP_NOP same");
    expect(BOOT A B, BOOT B A, "boot same, CP_WAIT_MEM_WRITES moved, CP_RECORD_PFP_TIMESTAMP moved, CP_NOP same");
    /* the order of blocks does not count, nor what else leads into them */
    expect(BOOT "UNKN17:\nbreq $01, 1, #x\nnop\nmov $02, 1\njump #x\nnop\ny:\nmov $03, 2\njump #x\nnop\nx:\nbrne $02, "
                "b3, #y\nnop\n"
                "waitin\nmov $01, $data\n",
           BOOT "y:\nmov $03, 2\njump #x\nnop\nUNKN17:\nbreq $01, 1, #x\nnop\nmov $02, 1\njump #x\nnop\n"
                "x:\nbrne $02, b3, #y\nnop\nwaitin\nmov $01, $data\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP moved, CP_NOP same");
    expect(BOOT A "UNKN19:\njump #la\nnop\n" B, BOOT A "UNKN19:\njump #UNKN18\nnop\n" B,
           "boot same, CP_RECORD_PFP_TIMESTAMP same, CP_WAIT_FOR_ME changed, CP_WAIT_MEM_WRITES same, CP_NOP same"
           " | - waitin x1 | - mov $01, $data x1");
}

static void test_edits(void)
{
    expect(BOOT "UNKN17:\nand $02, $12, 0x3\nand $03, $12, 0x3\nwaitin\nmov $01, $data\n",
           BOOT "UNKN17:\nand $02, $12, 0x7\nand $03, $12, 0x7\nwaitin\nmov $01, $data\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, CP_NOP same"
           " | and $02, $12, 0x3 -> and $02, $12, 0x7 x1 | and $03, $12, 0x3 -> and $03, $12, 0x7 x1");
    /* two functions share a word: it counts twice */
    expect(BOOT "UNKN17:\nmov $02, 1\njump #t\nnop\nUNKN18:\nmov $02, 2\nt:\nmov $04, 7\nwaitin\nmov $01, $data\n",
           BOOT "UNKN17:\nmov $02, 1\njump #t\nnop\nUNKN18:\nmov $02, 2\nt:\nmov $04, 8\nwaitin\nmov $01, $data\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, CP_WAIT_MEM_WRITES changed, CP_NOP same"
           " | mov $04, 0x7 -> mov $04, 0x8 x2");
    /* the same words, but a branch goes elsewhere */
    expect(BOOT "UNKN17:\nbrne $02, b1, #a\nnop\nmov $02, 1\na:\nmov $03, 1\nwaitin\nmov $01, $data\n",
           BOOT "UNKN17:\nbrne $02, b1, #a\nnop\nmov $02, 1\nmov $03, 1\na:\nwaitin\nmov $01, $data\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, CP_NOP same");
    /* what leads nowhere is nobody's */
    expect(BOOT "[12345678]\n" A, BOOT "[87654321]\n" A, "boot same, CP_RECORD_PFP_TIMESTAMP same, CP_NOP same");
}

static void test_packets(void)
{
    expect(BOOT A, BOOT A B, "boot same, CP_RECORD_PFP_TIMESTAMP same, CP_WAIT_MEM_WRITES new, CP_NOP moved");
    expect(BOOT A B, BOOT B, "boot same, CP_WAIT_MEM_WRITES moved, CP_NOP moved, CP_RECORD_PFP_TIMESTAMP gone");
}

#define CALLS "UNKN17:\ncall #f\nnop\ncall #g\nnop\nwaitin\nmov $01, $data\n"

static void test_routines(void)
{
    /* f and g are equal: the order of calls tells which is which */
    expect(BOOT CALLS "f:\nmov $02, 1\nret\nnop\ng:\nmov $02, 1\nret\nnop\n",
           BOOT CALLS "g:\nmov $02, 1\nret\nnop\nf:\nmov $02, 1\nret\nnop\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP same, fxn11 moved, fxn14 moved, CP_NOP same");
    /* a call that goes elsewhere */
    expect(BOOT CALLS "f:\nmov $02, 1\nret\nnop\ng:\nmov $02, 3\nmov $03, 4\nret\nnop\n",
           BOOT "UNKN17:\ncall #g\nnop\ncall #f\nnop\nwaitin\nmov $01, $data\n"
                "f:\nmov $02, 1\nret\nnop\ng:\nmov $02, 3\nmov $03, 4\nret\nnop\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, fxn11 same, fxn14 same, CP_NOP same"
           " | call -> call x2");
    /* three that change places in a circle: each is what it was */
#define F "f:\nmov $02, 1\nret\nnop\n"
#define G "g:\nmov $03, 2\nmov $03, 5\nret\nnop\n"
#define H "h:\nmov $04, 3\nmov $04, 6\nmov $04, 7\nret\nnop\n"
#define THREE "UNKN17:\ncall #f\nnop\ncall #g\nnop\ncall #h\nnop\nwaitin\nmov $01, $data\n"
    expect(BOOT THREE F G H, BOOT THREE G H F,
           "boot same, CP_RECORD_PFP_TIMESTAMP same, fxn13 moved, fxn17 moved, fxn22 moved, CP_NOP same");
    /* one more call, and the routine after it is found by what it has in common */
    expect(BOOT "UNKN17:\ncall #g\nnop\nwaitin\nmov $01, $data\n"
                "g:\nmov $02, 3\nmov $03, 4\nmov $04, 5\nmov $05, 6\nret\nnop\n",
           BOOT CALLS "f:\nmov $02, $data\nret\nnop\ng:\nmov $02, 3\nmov $03, 4\nmov $04, 9\nmov $05, 6\nret\nnop\n",
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, fxn11 new, fxn14 changed, CP_NOP moved"
           " | + call x1 | + nop x1 | mov $04, 0x5 -> mov $04, 0x9 x1");
}

#define COMMON "mov $02, 1\nmov $03, 2\nmov $04, 3\nmov $05, 4\nmov $06, 5\nmov $07, 6\n"
#define BACK "ret\nnop\n"
#define ONE_MORE "UNKN17:\ncall #x\nnop\ncall #g\nnop\ncall #f\nnop\nwaitin\nmov $01, $data\nx:\nmov $02, $data\n" BACK

/* A routine of 100 words, some of which are other ones from a place on. */
static char *long_routine(char *text, const char *head, unsigned first, unsigned others)
{
    char *at = text + sprintf(text, "%s", head);
    for (unsigned i = 0; i < 98; i++)
        at += sprintf(at, "mov $02, 0x%x\n", i + (i >= first && i < first + others ? 0x200 : 0x100));
    sprintf(at, BACK);
    return text;
}

/* Routines that no call order tells apart are joined by what they have in common: the most alike first, then by place.
 */
static void test_similar(void)
{
    expect(BOOT CALLS "f:\n" COMMON "mov $08, 7\nmov $09, 8\n" BACK "g:\n" COMMON "mov $08, 1\nmov $09, 2\n" BACK,
           BOOT ONE_MORE "g:\n" COMMON "mov $08, 1\nmov $0a, 2\n" BACK "f:\n" COMMON "mov $08, 7\nmov $0a, 8\n" BACK,
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, fxn13 new, fxn16 changed, fxn26 changed, CP_NOP moved"
           " | call -> call x1 | + nop x1 | + call x1 | mov $09, 0x2 -> mov $0a, 0x2 x1"
           " | mov $09, 0x8 -> mov $0a, 0x8 x1");
    expect(BOOT CALLS "f:\n" COMMON "mov $08, 7\n" BACK "g:\n" COMMON "mov $08, 1\n" BACK,
           BOOT ONE_MORE "g:\n" COMMON "mov $08, 3\n" BACK "f:\n" COMMON "mov $08, 5\n" BACK,
           "boot same, CP_RECORD_PFP_TIMESTAMP changed, fxn13 new, fxn16 changed, fxn25 changed, CP_NOP moved"
           " | + call x1 | + nop x1 | mov $08, 0x7 -> mov $08, 0x3 x1 | mov $08, 0x1 -> mov $08, 0x5 x1");
    /* more than 60 words of 100 */
    for (unsigned first = 0; first <= 58; first += 29)
        for (unsigned others = 39; others <= 40; others++) {
            char before[4096], after[4096];
            struct analysed old, new;
            analyse_source(&old, "afuc:a630",
                           long_routine(before, BOOT "UNKN17:\ncall #g\nnop\nwaitin\nmov $01, $data\ng:\n", 0, 0));
            analyse_source(&new, "afuc:a630",
                           long_routine(after, BOOT CALLS "f:\nmov $02, $data\n" BACK "g:\n", first, others));
            const char *found = differences(old.analysis, new.analysis);
            const char *joined =
                "boot same, CP_RECORD_PFP_TIMESTAMP changed, fxn11 new, fxn14 changed, CP_NOP moved | ";
            const char *apart =
                "boot same, CP_RECORD_PFP_TIMESTAMP changed, fxn11 new, fxn14 new, CP_NOP moved, fxn9 gone | ";
            assert_memory_equal(found, others == 39 ? joined : apart, strlen(others == 39 ? joined : apart));
            for (unsigned i = 0; i < 98; i++) { /* each word that is another one is told of */
                char edit[64];
                snprintf(edit, sizeof edit, "mov $02, 0x%x -> mov $02, 0x%x x1", 0x100 + i, 0x200 + i);
                bool told = others == 39 && i >= first && i < first + others;
                assert_int_equal(!!strstr(found, edit), told);
            }
            free_analysed(&new);
            free_analysed(&old);
        }
}

static void test_arguments(void)
{
    struct gpucode_comparison *comparison;
    struct analysed analysed;
    analyse_source(&analysed, "afuc:a630", BOOT);
    assert_int_equal(gpucode_compare(NULL, analysed.analysis, &comparison), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_compare(analysed.analysis, NULL, &comparison), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_compare(analysed.analysis, analysed.analysis, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_null(gpucode_comparison_section(NULL, 0));
    assert_null(gpucode_comparison_edit(NULL, 0));
    assert_null(gpucode_change_name((enum gpucode_change)5));
    gpucode_comparison_free(NULL);
    free_analysed(&analysed);
}

/* Where units of the old code stand in the new one: "4 moved 9, 7 gone". */
static void expect_places(const char *before, const char *after, const uint32_t *units, const char *wanted)
{
    struct analysed old, new;
    struct gpucode_comparison *comparison;
    struct gpucode_carried_place place;
    char text[256] = "";
    size_t used = 0;
    analyse_source(&old, "afuc:a630", before);
    analyse_source(&new, "afuc:a630", after);
    assert_int_equal(gpucode_compare(old.analysis, new.analysis, &comparison), GPUCODE_OK);
    for (; *units; units++) {
        assert_int_equal(gpucode_comparison_place(comparison, 0, *units, &place), GPUCODE_OK);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u %s", used ? ", " : "", (unsigned)*units,
                                 gpucode_change_name(place.change));
        if (place.unit != GPUCODE_NONE)
            used += (size_t)snprintf(text + used, sizeof text - used, " %u", (unsigned)place.unit);
    }
    assert_string_equal(text, wanted);
    gpucode_comparison_free(comparison);
    free_analysed(&new);
    free_analysed(&old);
}

/* Instructions of A stand from 5 on, the word from 11 on, B's from 12 on; the table from 18 on. */
static void test_places(void)
{
    static const uint32_t units[] = {2, 5, 8, 11, 12, 13, 18, 20, 0};
#define WORD "[12345678]\n"
    expect_places(BOOT A WORD B, BOOT A WORD B, units,
                  "2 same 2, 5 same 5, 8 same 8, 11 same 11, 12 same 12, 13 same 13, 18 same 18, 20 same 20");
    expect_places(BOOT A WORD B, BOOT B A WORD, units,
                  "2 same 2, 5 moved 9, 8 moved 12, 11 moved 15, 12 moved 5, 13 moved 6, 18 same 18, 20 same 20");
    expect_places(BOOT A WORD B, BOOT A "[12345679]\n" B "UNKN19:\nwaitin\nmov $01, $data\n", units,
                  "2 same 2, 5 same 5, 8 same 8, 11 gone, 12 same 12, 13 same 13, 18 moved 20, 20 moved 22");
    /* of a function that was edited: its start and its lines, also where they stand as before; 8 is `add` of A, 12 and
     * 13 are the first of B, which is gone in the last */
    expect_places(BOOT A B, BOOT A "UNKN18:\nmov $04, 0x5\nmov $06, 0x7\nadd $05, $04, 0x6\nwaitin\nmov $01, $data\n",
                  (const uint32_t[]){5, 8, 11, 12, 13, 0},
                  "5 same 5, 8 same 8, 11 changed 11, 12 changed 13, 13 changed 14");
    expect_places(BOOT A B, BOOT A "UNKN18:\nmov $04, 0x5\nwaitin\nmov $01, $data\n",
                  (const uint32_t[]){8, 11, 12, 13, 14, 0},
                  "8 same 8, 11 changed 11, 12 gone, 13 changed 12, 14 changed 13");
}

TESTS(compare, test_moved, test_edits, test_packets, test_routines, test_similar, test_places, test_arguments)
