/* SPDX-License-Identifier: MIT */
/*
 * The built tables against the data files, read here a second time and expanded the plain way: one text for every
 * number. Also: the tables of packet fields and enumerations are sound.
 */
#include "files.h"
#include "sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NUMBERS 0x700000u

struct table {
    char *text;
    char *cell[4096][9]; /* null after the last cell */
    unsigned rows;
};

static struct table *read_table(const char *folder, const char *file)
{
    struct table *table = calloc(1, sizeof *table);
    char path[1024], *line, *cell;
    snprintf(path, sizeof path, "data/%s/%s", folder, file);
    table->text = read_source(path, NULL);
    assert_int_equal(table->text[0], '#'); /* says what it is */
    for (char *rest = table->text; (line = strsep(&rest, "\n"));) {
        if (!*line || *line == '#')
            continue;
        assert_in_range(table->rows, 0, 4095);
        for (unsigned i = 0; (cell = strsep(&line, "\t")); i++) {
            assert_in_range(i, 0, 7);
            table->cell[table->rows][i] = cell;
        }
        table->rows++;
    }
    return table;
}

static void free_table(struct table *table)
{
    free(table->text);
    free(table);
}

static bool has(const char *list, const char *word)
{
    char with_commas[256], wanted[64];
    snprintf(with_commas, sizeof with_commas, ",%s,", list);
    snprintf(wanted, sizeof wanted, ",%s,", word);
    return strcmp(list, "*") == 0 || strstr(with_commas, wanted);
}

/* Texts of all numbers that the rows of a file give to a chip; earlier texts stay. */
static void expand(char **texts, const struct table *table, const char *chip)
{
    for (unsigned row = 0; row < table->rows; row++) {
        char *const *cell = table->cell[row];
        uint32_t number = (uint32_t)strtoul(cell[1], NULL, 0), stride = (uint32_t)strtoul(cell[4], NULL, 0);
        uint32_t count = (uint32_t)strtoul(cell[5], NULL, 0);
        bool array = strcmp(cell[6], "array") == 0, address = strcmp(cell[6], "address") == 0;
        uint32_t words = array ? stride : (uint32_t)strtoul(cell[3], NULL, 0);
        if (!has(cell[2], chip))
            continue;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < words; j++) {
                char text[200], suffix[32] = "";
                const char *bracket = strstr(cell[0], "[]");
                uint32_t at = number + i * stride + j;
                assert_in_range(at, 0, NUMBERS - 1);
                if (texts[at])
                    continue;
                if (address && j == 1)
                    strcpy(suffix, "_HI");
                else if (array || j)
                    snprintf(suffix, sizeof suffix, j ? "+0x%x" : "+0", j);
                if (bracket)
                    snprintf(text, sizeof text, i ? "%.*s[0x%x]%s%s" : "%.*s[%x]%s%s", (int)(bracket - cell[0]),
                             cell[0], i, bracket + 2, suffix);
                else
                    snprintf(text, sizeof text, "%s%s", cell[0], suffix);
                texts[at] = strdup(text);
            }
    }
}

static const char *const space_names[GPUCODE_SPACE_COUNT] = {"GENERAL", "CONTROL", "SQE",  "PIPE",
                                                             "GPU",     "PACKET",  "FLAG", "EVENT"};

static void check_sets(const char *folder, unsigned expected)
{
    struct table *members = read_table(folder, "sets.tsv");
    char **texts = calloc(NUMBERS, sizeof *texts);
    unsigned checked = 0;
    for (size_t i = 0; i < SET_COUNT; i++)
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT; space++) {
            bool any = false;
            for (unsigned row = 0; row < members->rows; row++) {
                char *const *cell = members->cell[row];
                if (strcmp(cell[0], sets[i].name) == 0 && strcmp(cell[1], space_names[space]) == 0) {
                    struct table *table = read_table(folder, cell[2]);
                    expand(texts, table, cell[3]);
                    free_table(table);
                    any = true;
                    checked++;
                }
            }
            for (uint32_t number = 0; any && number < numbers_of(&sets[i], space); number++) {
                char name[GPUCODE_NAME_MAX];
                gpucode_name_of(&sets[i].target, NULL, space, number, name, sizeof name);
                if (strcmp(name, texts[number] ? texts[number] : "") != 0)
                    fail_msg("%s %s 0x%x: '%s', not '%s'", sets[i].name, space_names[space], number, name,
                             texts[number]);
                free(texts[number]);
                texts[number] = NULL;
            }
        }
    assert_int_equal(checked, members->rows);
    assert_int_equal(checked, expected);
    free(texts);
    free_table(members);
}

static void test_afuc(void)
{
    check_sets("afuc", 5 + 4 * 6);
}

static void test_hwsq(void)
{
    check_sets("hwsq", 2 + 3 * 3);
}

/* Where the registers of HWSQ itself stand, by the notes about it and not by our file; and on which variants. */
static void test_hwsq_places(void)
{
    enum { NV17 = 1, NV41 = 2, NV50 = 4, NV92 = 8, ALL = 15 };
    static const char *const variants[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};
    static const struct {
        const char *name, *printed;
        uint32_t number;
        unsigned variants;
    } places[] = {
        {"PBUS.DEBUG_6", "PBUS.DEBUG_6", 0x1098, ALL},
        {"ENTRY_POINT", "PBUS.HWSQ.ENTRY_POINT", 0x1304, ALL},
        {"STATUS", "PBUS.HWSQ.STATUS", 0x1308, ALL},
        {"TRIGGER", "PBUS.HWSQ.TRIGGER", 0x130c, ALL},
        {"FLAGS_0", "PBUS.HWSQ.FLAG_0", 0x1310, ALL},
        {"FLAGS_1", "PBUS.HWSQ.FLAG_1", 0x1314, ALL},
        {"ENTRY_POINT_HIGH", "PBUS.HWSQ.ENTRY_POINT_HIGH", 0x1318, NV92},
        {"PBUS.HWSQ.CODE[0]", "PBUS.HWSQ.CODE[0]", 0x1400, ALL},
        {"PBUS.HWSQ.CODE[15]", "PBUS.HWSQ.CODE[0xf]", 0x143c, ALL},
        {"PBUS.HWSQ.CODE[31]", "PBUS.HWSQ.CODE[0x1f]", 0x147c, NV41 | NV50 | NV92},
        {"PBUS.HWSQ.CODE[63]", "PBUS.HWSQ.CODE[0x3f]", 0x14fc, NV50 | NV92},
        {"PBUS.HWSQ.CODE[64]", "PBUS.HWSQ.CODE[0x40]", 0x1500, 0},
        {"PBUS_HWSQ_NEW_CODE[0]", "PBUS_HWSQ_NEW_CODE[0]", 0x80000, NV92},
        {"PBUS_HWSQ_NEW_CODE[0x7f]", "PBUS_HWSQ_NEW_CODE[0x7f]", 0x801fc, NV92},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (unsigned v = 0; v < 4; v++) {
            const struct gpucode_target *target = gpucode_target_find(variants[v]);
            char name[GPUCODE_NAME_MAX];
            uint32_t number = 0;
            bool there = places[i].variants >> v & 1;
            gpucode_name_of(target, NULL, GPUCODE_SPACE_GPU, places[i].number, name, sizeof name);
            assert_int_equal(strcmp(name, places[i].printed) == 0, there);
            bool read =
                gpucode_number_of(target, NULL, GPUCODE_SPACE_GPU, places[i].name, strlen(places[i].name), &number);
            if (read != there)
                fail_msg("%s of %s", places[i].name, variants[v]);
            assert_int_equal(number, there ? places[i].number : 0);
        }
}

/* Every chipset of a variant stands in one unbroken run of the order, but for those without HWSQ. */
static void test_chipsets(void)
{
    struct table *chipsets = read_table("hwsq", "chipsets.tsv");
    const char *variants[8];
    unsigned count = 0;
    for (unsigned row = 0; row < chipsets->rows; row++) {
        char *const *cell = chipsets->cell[row];
        assert_non_null(cell[6]);
        if (strcmp(cell[2], "-") == 0 || (count && strcmp(variants[count - 1], cell[2]) == 0))
            continue;
        assert_in_range(count, 0, 3);
        variants[count++] = cell[2];
    }
    assert_int_equal(count, 4);
    assert_int_equal(chipsets->rows, 44);
    free_table(chipsets);
}

TESTS(data, test_afuc, test_hwsq, test_hwsq_places, test_chipsets)
