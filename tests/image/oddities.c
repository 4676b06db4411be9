/* SPDX-License-Identifier: MIT */
/* Images that are not as they should be, targets that contradict them, and calls that are wrong. */
#include "builder.h"
#include "opening.h"

#include "isa/afuc/afuc.h"
#include <gpucode/form.h>
#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An opened image with all that belongs to it. */
struct opened {
    struct heard heard;
    void *copy;
    struct gpucode_image *image;
    const struct gpucode_image_info *info;
};

static enum gpucode_status open_bytes(struct opened *opened, const void *bytes, size_t size,
                                      const struct gpucode_image_options *options)
{
    enum gpucode_status status = open_copy(bytes, size, options, &opened->heard, &opened->copy, &opened->image);
    opened->info = status == GPUCODE_OK ? gpucode_image_info(opened->image) : NULL;
    if (opened->info)
        check_sanity(opened->image);
    return status;
}

static void open_built(struct opened *opened, const struct built *built, const struct gpucode_image_options *options)
{
    size_t size;
    unsigned char *bytes = built_file(built, &size);
    assert_int_equal(open_bytes(opened, bytes, size, options), GPUCODE_OK);
    free(bytes);
}

static void discard(struct opened *opened)
{
    gpucode_image_free(opened->image);
    free(opened->copy);
}

static const struct built_layout *layout_named(const char *name)
{
    for (unsigned i = 0; i < built_layout_count; i++)
        if (strcmp(built_layouts[i].name, name) == 0)
            return &built_layouts[i];
    fail_msg("no layout %s", name);
    return NULL;
}

static struct built build(const char *layout)
{
    struct built built;
    build_image(&built, layout_named(layout), 3, 100);
    return built;
}

static void targets(void)
{
    static const struct {
        const char *name;
        uint32_t id;
        const char *chosen;
        unsigned generation;
    } chips[] = {
        {"afuc:a530", 0x5ff, "afuc:a530", AFUC_A5XX},
        {"afuc:a630", 0x6ee, "afuc:a630", AFUC_A6XX},
        {"afuc:a650", 0x6dd, "afuc:a650", AFUC_A6XX},
        {"afuc:a660", 0x6dc, "afuc:a660", AFUC_A6XX},
        {"afuc:a702", 0x7aa, "afuc:a702", AFUC_A6XX},
        {"afuc:a730", 0x730, "afuc:a730", AFUC_A7XX},
        {"afuc:a740", 0x740, "afuc:a740", AFUC_A7XX},
        {"afuc:gen70500", 0x512, "afuc:gen70500", AFUC_A7XX},
        {"afuc:a750", 0x520, "afuc:a750", AFUC_A7XX},
        {"afuc:gen70900", 0x520, "afuc:a750", AFUC_A7XX},
        {"afuc:gen71500", 0x310, "afuc:gen71500", AFUC_A7XX},
        {"afuc:gen71700", 0x200, "afuc:gen71700", AFUC_A7XX},
        {"afuc:gen80000", 0x500, "afuc:gen80000", AFUC_GEN8},
        {"afuc:gen80100", 0x700, "afuc:gen80100", AFUC_GEN8},
        {"afuc:gen80200", 0x510, "afuc:gen80200", AFUC_GEN8},
        {"afuc:gen80300", AFUC_ID_UNKNOWN, "afuc:gen80300", AFUC_GEN8},
    };
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++, count++) {
        const struct gpucode_target *target = afuc_target(chips[i].name);
        const struct afuc_chip *chip = target->chip;
        assert_non_null(chip);
        assert_int_equal(chip->id, chips[i].id);
        assert_int_equal(target->generation, chips[i].generation);
        assert_false(target->is_generation);
        assert_ptr_equal(target->isa, &afuc_isa);
        assert_ptr_equal(afuc_target_of_id(&afuc_isa, chips[i].id), afuc_target(chips[i].chosen));
    }
    assert_ptr_equal(afuc_target("afuc:a750")->names, &afuc_names_a7xx_gen3);
    assert_ptr_equal(afuc_target("afuc:gen71500")->names, &afuc_names_a7xx);
    assert_ptr_equal(afuc_target("afuc:a7xx")->names, &afuc_names_a7xx);
    assert_ptr_equal(afuc_target("afuc:a7xx-gen3")->names, &afuc_names_a7xx_gen3);
    assert_ptr_equal(afuc_target("afuc:gen8")->names, &afuc_names_gen8);
    static const char *const generations[] = {"afuc:a5xx", "afuc:a6xx", "afuc:a7xx", "afuc:a7xx-gen3", "afuc:gen8"};
    for (unsigned i = 0; i < 5; i++, count++) {
        assert_true(afuc_target(generations[i])->is_generation);
        assert_null(afuc_target(generations[i])->chip);
    }
    assert_int_equal(count, AFUC_TARGET_COUNT);
    assert_ptr_equal(gpucode_target_find("afuc:gen70900"), afuc_target("afuc:gen70900"));
    assert_ptr_equal(gpucode_target_find("qrisc:a630"), afuc_target("afuc:a630"));
    assert_null(gpucode_target_find("afuc:a631"));
    assert_ptr_equal(gpucode_target_find("ir3:a320"), gpucode_target_find("a3xx:a320")); /* by the family's name */
    assert_string_equal(gpucode_target_name(gpucode_target_find("ir3:a320")), "a3xx:a320");
    assert_string_equal(gpucode_target_name(gpucode_target_find("ir3:a3xx")), "a3xx");
    assert_null(gpucode_target_find("ir3:a321"));
    assert_null(gpucode_target_find("ir:a320"));
    /* Ids of sections and nonsense select nothing. */
    static const uint32_t others[] = {0x000, 0x6ac, 0x8bc, 0x8ac, 0xfff};
    for (unsigned i = 0; i < 5; i++)
        assert_null(afuc_target_of_id(&afuc_isa, others[i]));
}

static void contradictions(void)
{
    static const struct {
        const char *layout, *target, *codes;
    } cases[] = {
        {"a630", "afuc:a6xx", ""},
        {"a630", "afuc:a650", "image-target "},
        {"a730", "afuc:a7xx", ""},
        {"a730", "afuc:a7xx-gen3", "image-target "},
        {"gen70900", "afuc:a7xx-gen3", ""},
        {"gen70900", "afuc:gen70900", ""},
        {"gen70900", "afuc:a7xx", "image-target "},
        {"gen80000", "afuc:gen8", ""},
        {"gen80000", "afuc:gen80100", "image-target "},
        {"a730", "afuc:gen8", "image-target "},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct built built = build(cases[i].layout);
        struct gpucode_image_options options = {.target = afuc_target(cases[i].target)};
        struct opened opened;
        open_built(&opened, &built, &options);
        assert_ptr_equal(opened.info->target, options.target);
        assert_string_equal(opened.heard.codes, cases[i].codes);
        assert_int_equal(opened.info->section_count, built.section_count);
        assert_true(opened.info->id_known);
        discard(&opened);
    }
    struct built built = build("a730");
    struct gpucode_image_options options = {.target = afuc_target("afuc:a630")};
    struct opened opened;
    open_built(&opened, &built, &options);
    assert_ptr_equal(opened.info->target, options.target);
    assert_non_null(strstr(opened.heard.codes, "image-target "));
    discard(&opened);
}

static void unknown_ids(void)
{
    static const struct {
        const char *layout, *target;
    } cases[] = {{"a630", "afuc:a6xx"},       {"a660", "afuc:a6xx"},     {"a730", "afuc:a7xx"},
                 {"a730_plain", "afuc:a7xx"}, {"gen80000", "afuc:gen8"}, {"gen80000_aqe", "afuc:gen8"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct built built = build(cases[i].layout);
        built.words[0] = 0x01abc123;
        size_t size;
        unsigned char *bytes = built_file(&built, &size);
        struct opened opened;
        assert_int_equal(open_bytes(&opened, bytes, size, NULL), GPUCODE_ERROR_INPUT);
        assert_string_equal(opened.heard.codes, "image-unknown ");
        assert_null(opened.image);
        free(opened.copy);
        struct gpucode_image_options options = {.target = afuc_target(cases[i].target)};
        assert_int_equal(open_bytes(&opened, bytes, size, &options), GPUCODE_OK);
        assert_string_equal(opened.heard.codes, "image-id ");
        assert_string_equal(opened.heard.message, i < 2   ? "firmware id abc is not known; decoding as afuc:a6xx"
                                                  : i < 4 ? "firmware id abc is not known; decoding as afuc:a7xx"
                                                          : "firmware id abc is not known; decoding as afuc:gen8");
        assert_int_equal(opened.info->id, 0xabc);
        assert_int_equal(opened.info->version, 0x123);
        assert_false(opened.info->id_known);
        assert_int_equal(opened.info->section_count, built.section_count);
        for (unsigned s = 0; s < built.section_count; s++) {
            assert_string_equal(opened.info->sections[s].name, built.sections[s].name);
            assert_int_equal(opened.info->sections[s].table, built.sections[s].table);
        }
        discard(&opened);
        free(bytes);
    }
}

static void raw_words(void)
{
    struct built built = build("a730");
    size_t size;
    unsigned char *bytes = built_file(&built, &size);
    struct opened opened;
    /* As asked for: from the zero word on; the id still finds the target. */
    struct gpucode_image_options options = {.raw = true};
    assert_int_equal(open_bytes(&opened, bytes, size, &options), GPUCODE_OK);
    assert_string_equal(opened.info->layout, "raw words");
    assert_ptr_equal(opened.info->target, afuc_target("afuc:a730"));
    assert_int_equal(opened.info->prefix, 0);
    assert_int_equal(opened.info->units, built.count + 1);
    assert_int_equal(opened.info->section_count, 1);
    assert_int_equal(opened.info->sections[0].size, built.count + 1);
    assert_int_equal(opened.info->sections[0].table, GPUCODE_NONE);
    assert_int_equal(opened.info->trailer, GPUCODE_NONE);
    discard(&opened);
    /* Without the zero word in front it is raw with a target and nothing without one. */
    assert_int_equal(open_bytes(&opened, bytes + 4, size - 4, NULL), GPUCODE_ERROR_INPUT);
    assert_string_equal(opened.heard.codes, "image-unknown ");
    free(opened.copy);
    options = (struct gpucode_image_options){.target = afuc_target("afuc:a730")};
    assert_int_equal(open_bytes(&opened, bytes + 4, size - 5, &options), GPUCODE_OK);
    assert_string_equal(opened.heard.codes, "");
    assert_string_equal(opened.info->layout, "raw words");
    assert_int_equal(opened.info->id, GPUCODE_NONE);
    assert_int_equal(opened.info->units, built.count - 1);
    assert_int_equal(opened.info->tail, 3);
    discard(&opened);
    free(bytes);
    /* Nothing at all, and nothing but the zero word. */
    assert_int_equal(open_bytes(&opened, "", 0, &options), GPUCODE_OK);
    assert_string_equal(opened.info->layout, "raw words");
    assert_int_equal(opened.info->section_count, 0);
    discard(&opened);
    assert_int_equal(open_bytes(&opened, "\0\0\0", 4, &options), GPUCODE_OK);
    assert_string_equal(opened.info->layout, "no image");
    assert_int_equal(opened.info->prefix, 4);
    assert_int_equal(opened.info->section_count, 0);
    discard(&opened);
    /* A known id in a word that is not a first word. */
    assert_int_equal(open_bytes(&opened, "\0\0\0\0\x01\xe0\x6e\x98", 8, NULL), GPUCODE_ERROR_INPUT);
    free(opened.copy);
}

static void a5xx_names(void)
{
    static const struct {
        const char *layout, *file, *name;
    } cases[] = {
        {"a5xx_pfp", NULL, "PFP"},
        {"a5xx_pm4", NULL, "CP"},
        {"a5xx_pm4", "firmware/a530_pm4.fw", "PM4"},
        {"a5xx_pm4", "A530_PM4.FW", "PM4"},
        {"a5xx_pm4", "x/a530_pfp.fw", "PFP"},
        {"a5xx_pm4", "pfp/some.fw", "CP"},
        {"a5xx_pfp", "pm4.fw", "PFP"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct built built = build(cases[i].layout);
        struct gpucode_image_options options = {.file_name = cases[i].file};
        struct opened opened;
        open_built(&opened, &built, &options);
        assert_string_equal(opened.info->sections[0].name, cases[i].name);
        discard(&opened);
    }
}

/* A table with one entry that does not point in front of it is none; 0, 1 and the last word of code are fine. */
static void tables(void)
{
    static const char *const layouts[] = {"a5xx_pfp", "a630", "a660", "a730", "a730_plain", "gen80000"};
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++)
        for (unsigned entry = 0; entry < 128; entry += 127) {
            struct built built = build(layouts[i]);
            const struct built_section br = built.sections[0];
            struct opened opened;
            built.words[br.table + entry] = br.table - 1;
            open_built(&opened, &built, NULL);
            assert_int_equal(opened.info->sections[0].table, br.table);
            assert_string_equal(opened.heard.codes, "");
            discard(&opened);
            built.words[br.table + entry] = br.table;
            open_built(&opened, &built, NULL);
            assert_int_equal(opened.info->sections[0].table, GPUCODE_NONE);
            assert_string_equal(opened.heard.codes, "image-table ");
            discard(&opened);
        }
    /* Of a later section only the part in front stays known; its id in word 2 still says that it is BV. */
    struct built built = build("a730");
    built.words[built.sections[1].start + built.sections[1].table] = 0xffffffff;
    struct opened opened;
    open_built(&opened, &built, NULL);
    assert_int_equal(opened.info->section_count, 2);
    assert_string_equal(opened.info->sections[1].name, "BV");
    assert_int_equal(opened.info->sections[1].table, GPUCODE_NONE);
    char expected[100];
    snprintf(expected, sizeof expected, "section BV has no packet table at word %u, where its header puts one",
             (unsigned)built.sections[1].table);
    assert_string_equal(opened.heard.message, expected);
    assert_int_equal(opened.info->trailer, built.trailer);
    assert_int_equal(opened.info->sections[1].size, built.trailer - built.sections[1].start);
    discard(&opened);
}

static void lpac_of_a660(void)
{
    struct built built = build("a660");
    struct opened opened;
    uint32_t start = built.sections[1].start;
    /* More zero words in front of LPAC than the next boundary needs: the code knows. */
    memmove(&built.words[start + 64], &built.words[start], (built.count - start) * 4);
    memset(&built.words[start], 0, 64 * 4);
    built.count += 64;
    built.words[1] = 0x01000000 | built.count;
    built.words[4] = 0x88130000 | (start + 64);
    open_built(&opened, &built, NULL);
    assert_int_equal(opened.info->section_count, 2);
    assert_int_equal(opened.info->sections[0].size, built.sections[0].size);
    assert_int_equal(opened.info->sections[1].start, start + 64);
    assert_int_equal(opened.info->sections[1].table, built.sections[1].table);
    assert_string_equal(opened.info->sections[0].name, "BR");
    assert_string_equal(opened.info->sections[1].name, "LPAC");
    assert_string_equal(opened.info->sections[1].start_source, "mov $13 in word 4");
    discard(&opened);
    /* A move that points nowhere, and no move: the boundary after BR's table. */
    static const uint32_t moves[] = {0x8813ffff, 0x88130010, 0x98000000};
    for (unsigned i = 0; i < 3; i++) {
        built = build("a660");
        built.words[4] = moves[i];
        open_built(&opened, &built, NULL);
        assert_int_equal(opened.info->section_count, 2);
        assert_int_equal(opened.info->sections[1].start, start);
        assert_int_equal(opened.info->sections[1].table, built.sections[1].table);
        discard(&opened);
    }
    /* The form without LPAC is found under the same id. */
    built = build("a630");
    built.words[0] = 0x016dc001;
    open_built(&opened, &built, NULL);
    assert_string_equal(opened.info->layout, "plain");
    assert_string_equal(opened.info->sections[0].name, "SQE");
    assert_int_equal(opened.info->sections[0].table, built.sections[0].table);
    discard(&opened);
}

/* A program without a packet table is one section, and nothing is wrong with it. */
static void programs(void)
{
    static const struct {
        uint32_t first;
        const char *name;
    } cases[] = {{0x005ff001, "CP"}, {0x016ee001, "SQE"}, {0x016dc001, "SQE"},
                 {0x01730001, "BR"}, {0x01520001, "BR"},  {0x01500001, "BR"}};
    static const uint32_t code[] = {0x88020883, 0x01000000, 0x01000000, 0xd8000000, 0x981f0806};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned from = 0; from < 2; from++) {
            struct built built = {.words = {cases[i].first}, .count = 6 - from};
            memcpy(built.words + 1, code + from, sizeof code - from * sizeof *code);
            struct opened opened;
            open_built(&opened, &built, NULL);
            assert_string_equal(opened.heard.codes, "");
            assert_int_equal(opened.info->section_count, 1);
            assert_string_equal(opened.info->sections[0].name, cases[i].name);
            assert_int_equal(opened.info->sections[0].size, built.count);
            assert_int_equal(opened.info->sections[0].table, GPUCODE_NONE);
            discard(&opened);
        }
}

static void gen8_names(void)
{
    /* Without LPAC the last section is still DDE, by its first word. */
    struct built built = build("gen80000");
    uint32_t lpac = built.sections[2].start, dde = built.sections[3].start;
    memmove(&built.words[lpac], &built.words[dde], (built.count - dde) * 4);
    built.count -= dde - lpac;
    built.words[1] = 0x01000000 | built.count;
    struct opened opened;
    open_built(&opened, &built, NULL);
    assert_int_equal(opened.info->section_count, 3);
    assert_string_equal(opened.info->sections[1].name, "BV");
    assert_string_equal(opened.info->sections[2].name, "DDE");
    assert_string_equal(opened.info->sections[2].start_source, "table end of BV, 32-byte aligned");
    assert_int_equal(opened.info->sections[2].start, lpac);
    assert_string_equal(opened.heard.codes, "");
    discard(&opened);
}

static void aqe(void)
{
    struct opened opened;
    /* An SQE with BR alone has the smallest header numbers of all; its table speaks. */
    struct built built;
    build_image(&built, layout_named("gen71700"), 1, 8);
    built.words[0] = 0x01520001;
    built.words[2] = 0x01000007;
    open_built(&opened, &built, NULL);
    assert_string_equal(opened.info->layout, "a7xx header");
    assert_string_equal(opened.info->sections[0].name, "BR");
    discard(&opened);
    /* Chips that have no AQE do not get one. */
    built = build("gen70900_aqe");
    open_built(&opened, &built, NULL);
    assert_string_equal(opened.info->sections[0].name, "AQE");
    assert_int_equal(opened.info->sections[0].size, built.count);
    discard(&opened);
    built.words[0] = 0x01730001;
    open_built(&opened, &built, NULL);
    assert_string_equal(opened.info->sections[0].name, "BR");
    discard(&opened);
    /* Too short to tell: the file's name does. */
    struct gpucode_image_options options = {.file_name = "gen70900_aqe.fw"};
    built = build("gen70900_aqe");
    built.count = 2;
    open_built(&opened, &built, &options);
    assert_string_equal(opened.info->sections[0].name, "AQE");
    assert_string_equal(opened.heard.codes, "image-total ");
    discard(&opened);
}

static void trailers(void)
{
    static const uint32_t wrong[][2] = {{0, 0x31333031}, {0, 0x30303031},     {0, 0x31323332}, {0, 0x30313030},
                                        {1, 0x3230412d}, {2, 0x24555345 + 1}, {3, 0x00000053}};
    struct built built = build("gen71700");
    struct opened opened;
    built.words[built.trailer] = 0x30323134; /* "0214" */
    built.words[built.trailer + 1] = 0x32303235;
    open_built(&opened, &built, NULL);
    assert_string_equal(opened.info->date, "2025-02-14");
    assert_int_equal(opened.info->trailer, built.trailer);
    discard(&opened);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct built bad = built;
        bad.words[built.trailer + wrong[i][0]] = wrong[i][1];
        open_built(&opened, &bad, NULL);
        assert_int_equal(opened.info->trailer, GPUCODE_NONE);
        assert_int_equal(opened.info->sections[0].size, built.sections[0].size);
        discard(&opened);
    }
    /* Words between the table and the trailer belong to nothing. */
    memmove(&built.words[built.trailer + 3], &built.words[built.trailer], 16);
    memset(&built.words[built.trailer], 0, 12);
    built.count += 3;
    open_built(&opened, &built, NULL);
    assert_string_equal(opened.heard.codes, "image-total ");
    assert_int_equal(opened.info->trailer, built.trailer + 3);
    assert_int_equal(opened.info->sections[0].size, built.sections[0].size);
    discard(&opened);
}

static const char *fact(const struct gpucode_image_info *info, const char *name, const char **source)
{
    for (unsigned i = 0; i < info->fact_count; i++)
        if (strcmp(info->facts[i].name, name) == 0) {
            *source = info->facts[i].source;
            return info->facts[i].value;
        }
    fail_msg("no fact %s", name);
    return NULL;
}

static void facts(void)
{
    static const char *const expected[][3] = {
        {"id", "500", "word 0 bits 23:12"},
        {"firmware", "gen80000_sqe and gen80000_aqe", "table of firmware ids"},
        {"layout", "gen8 header", "word 3 is the packet table's offset"},
        {"packet table of BR", "0x70", "word 3"},
        {"start of BV", "0xf0", "table end of BR, 32-byte aligned"},
        {"packet table of DDE", "0x70", "word 1 of the section"},
    };
    struct built built = build("gen80000");
    struct opened opened;
    open_built(&opened, &built, NULL);
    const char *source;
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_string_equal(fact(opened.info, expected[i][0], &source), expected[i][1]);
        assert_string_equal(source, expected[i][2]);
    }
    assert_int_equal(strtoul(fact(opened.info, "version", &source), NULL, 16), built.version);
    assert_int_equal(strtoul(fact(opened.info, "total words", &source), NULL, 10), built.count);
    assert_string_equal(source, "word 1 bits 23:0");
    assert_string_equal(fact(opened.info, "build date", &source), built.date);
    discard(&opened);
}

static void wrong_calls(void)
{
    struct gpucode_image *image = NULL;
    uint32_t handler;
    assert_int_equal(gpucode_image_open("", 0, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_image_open(NULL, 8, NULL, &image), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_image_open("\1\2\3", 3, NULL, &image), GPUCODE_ERROR_INPUT);
    assert_null(image);
    /* the empty file is of no instruction set, and has a text all the same */
    assert_int_equal(gpucode_image_open(NULL, 0, NULL, &image), GPUCODE_OK);
    assert_string_equal(gpucode_image_info(image)->format, "data");
    gpucode_image_free(image);
    struct gpucode_image_options options = {.target = afuc_target("afuc:a630")};
    assert_int_equal(gpucode_image_open(NULL, 0, &options, &image), GPUCODE_OK);
    assert_false(gpucode_image_handler(image, 0, 0, &handler));
    assert_non_null(gpucode_image_bytes(image, NULL));
    /* what joins files joins those of one set alone */
    void *joined;
    size_t joined_size;
    struct gpucode_image *other;
    options.target = gpucode_target_find("hwsq:nv50");
    assert_int_equal(gpucode_image_open(NULL, 0, &options, &other), GPUCODE_OK);
    assert_int_equal(gpucode_image_join(image, other, &joined, &joined_size), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_image_join(other, image, &joined, &joined_size), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_image_join(other, other, &joined, &joined_size), GPUCODE_ERROR_UNSUPPORTED);
    options.target = afuc_target("afuc:a630");
    gpucode_image_free(other);
    gpucode_image_free(image);
    gpucode_image_free(NULL);
    assert_false(gpucode_image_handler(NULL, 0, 0, &handler));
    void *bytes;
    size_t size = 77;
    assert_int_equal(gpucode_image_open("abcd", 4, &options, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_null(gpucode_image_bytes(NULL, &size));
    assert_int_equal(size, 0);
    assert_null(gpucode_image_bytes(NULL, NULL));
    assert_int_equal(gpucode_form_bracket(NULL, 3), 0);
    assert_int_equal(gpucode_form_bracket("f(1)", 4), '(');
    assert_int_equal(gpucode_form_bracket("f(1)", 1), 0);
    assert_int_equal(gpucode_form_read(options.target, NULL, 1, NULL, NULL, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_read(options.target, "00", 2, NULL, NULL, NULL, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_read(options.target, "00", 2, NULL, NULL, &bytes, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_form_read(options.target, NULL, 0, NULL, NULL, &bytes, &size), GPUCODE_OK);
    assert_int_equal(size, 0);
    free(bytes);
    /* The size alone is looked at, not the bytes. */
    struct heard heard;
    void *copy;
    assert_int_equal(open_copy("", 0, NULL, &heard, &copy, &image), GPUCODE_OK);
    gpucode_image_free(image);
    free(copy);
    assert_int_equal(gpucode_image_open("", UINT32_MAX, &options, &image), GPUCODE_ERROR_INPUT);
}

/* The linker puts this in calloc's place (--wrap): the library's only way to memory here. */
static bool memory_is_out;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return memory_is_out ? NULL : __real_calloc(count, size);
}

static void no_memory(void)
{
    struct built built = build("a730");
    size_t size;
    unsigned char *bytes = built_file(&built, &size);
    struct gpucode_image *image;
    memory_is_out = true;
    enum gpucode_status status = gpucode_image_open(bytes, size, NULL, &image);
    memory_is_out = false;
    assert_int_equal(status, GPUCODE_ERROR_MEMORY);
    assert_null(image);
    free(bytes);
}

TESTS(oddities, targets, contradictions, unknown_ids, raw_words, a5xx_names, tables, lpac_of_a660, gen8_names, programs,
      aqe, trailers, facts, wrong_calls, no_memory)
