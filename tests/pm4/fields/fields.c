/* SPDX-License-Identifier: MIT */
/* What registers mean: names, fields and texts, on every family. */
#include "group.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_text(unsigned family, const char *name, uint64_t value, const char *expected)
{
    char text[512], own[GPUCODE_NAME_MAX];
    uint32_t number;
    assert_true(gpucode_register_find(family, name, strlen(name), &number));
    size_t length = gpucode_register_text(family, number, value, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_int_equal(gpucode_register_name(family, number, own, sizeof own), strlen(name));
    assert_string_equal(own, name);
}

static void values_have_texts(void)
{
    check_text(6, "SP_NC_MODE_CNTL_2", 8, "{ F16_NO_INF }");
    check_text(6, "RB_DBG_ECO_CNTL", 0, "0");
    check_text(6, "TPL1_DBG_ECO_CNTL", 0x100000, "{ 0x100000 }");
    check_text(6, "HLSQ_SHARED_CONSTS", 0, "{ 0 }");
    check_text(6, "GRAS_DBG_ECO_CNTL", 0x880, "{ UNK7 | LRZCACHELOCKDIS }");
    check_text(6, "SP_UPDATE_CNTL", 0xf8001, "{ VS_STATE | CS_SHARED_CONST | CS_BINDLESS = 0 | GFX_BINDLESS = 0x1e }");
    check_text(6, "RB_MODE_CNTL", 0x10, "0x1");
    check_text(6, "RB_MODE_CNTL", 0x11, "0x1 | 0x1");
    check_text(6, "RB_MRT[0].CONTROL", 0x7e0, "{ ROP_CODE = ROP_COPY | COMPONENT_ENABLE = 0xf }");
    check_text(6, "RB_MRT[0x2].CONTROL", 0x7e0, "{ ROP_CODE = ROP_COPY | COMPONENT_ENABLE = 0xf }");
}

static uint32_t number_of(const char *name)
{
    uint32_t number;
    assert_true(gpucode_register_find(6, name, strlen(name), &number));
    return number;
}

/* Numbers with a fraction are as printf writes them, every kind of float too. */
static void fractions_are_as_printed(void)
{
    char text[128], expected[128];
    uint32_t single = number_of("GRAS_CL_VIEWPORT[0].XOFFSET"), fixed = number_of("GRAS_SU_POINT_SIZE");
    uint64_t random = 88172645463325252u;
    for (unsigned i = 0; i < 60000; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint32_t bits = i < 600 ? i % 300 << 23 | (i >= 300 ? 0x80000001u : 0) : (uint32_t)random;
        if (i >= 600 && i < 900) /* the largest of each exponent */
            bits = i % 300 << 23 | 0x7fffff;
        else if (i % 2) /* near 1: most of the others are very large or very small */
            bits = (bits & 0x87ffffff) | 0x38000000;
        float number;
        memcpy(&number, &bits, sizeof number);
        snprintf(expected, sizeof expected, "%f", (double)number);
        gpucode_register_text(6, single, bits, text, sizeof text);
        assert_string_equal(text, expected);
        snprintf(expected, sizeof expected, "%f", (double)(int16_t)bits / 16);
        gpucode_register_text(6, fixed, bits & 0xffff, text, sizeof text);
        assert_string_equal(text, expected);
    }
}

/* Every half float, the upper 16 bits of a register of a5xx: sign, 5 bits of exponent, 10 of fraction. */
static void halves_are_as_printed(void)
{
    uint32_t number;
    assert_true(gpucode_register_find(5, "RB_BLEND_RED", 12, &number));
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
        size_t count = gpucode_register_fields(5, number, (uint64_t)bits << 16, fields, GPUCODE_FIELD_VALUES_MAX),
               i = 0;
        while (i < count && strcmp(fields[i].name, "FLOAT") != 0)
            i++;
        assert_true(i < count);
        int exponent = bits >> 10 & 31;
        double fraction = bits & 0x3ff, value = exponent == 31 ? (fraction > 0 ? NAN : INFINITY)
                                                : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                                               : ldexp(fraction, -24);
        char expected[64];
        snprintf(expected, sizeof expected, "%f", bits >> 15 ? -value : value);
        assert_string_equal(fields[i].text, expected);
    }
}

/* Without tables of the user's, those that are built in count. */
static void own_meanings_may_be_missing(void)
{
    struct gpucode_field_value field;
    char text[32];
    assert_int_equal(gpucode_meanings_words(NULL, 6, 0x800), 2);
    assert_int_equal(gpucode_meanings_fields(NULL, 6, 0x8e04, 5, &field, 1), 1);
    assert_int_equal(gpucode_meanings_text(NULL, 6, 0x8e04, 5, text, sizeof text), 3);
    assert_int_equal(gpucode_meanings_text(NULL, 6, 0x8e04, 5, NULL, 4), 0);
    assert_int_equal(gpucode_meanings_fields(NULL, 6, 0x8e04, 5, NULL, 4), 0);
    assert_int_equal(gpucode_meanings_fields(NULL, 1, 0x8e04, 5, &field, 1), 0);
}

static void fields_have_values(void)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    assert_int_equal(gpucode_register_fields(6, 0x8e04, 5, fields, GPUCODE_FIELD_VALUES_MAX), 1);
    assert_string_equal(fields[0].name, "-");
    assert_string_equal(fields[0].text, "0x5");
    fields[1].named = true;
    size_t count = gpucode_register_fields(6, 0x8820, 0x7e0, fields, GPUCODE_FIELD_VALUES_MAX);
    assert_int_equal(count, 2);
    assert_false(fields[1].named);
    assert_string_equal(fields[0].name, "ROP_CODE");
    assert_string_equal(fields[0].text, "ROP_COPY");
    assert_true(fields[0].named);
    assert_int_equal(fields[0].value, 12);
    assert_int_equal(fields[0].low, 3);
    assert_int_equal(gpucode_register_fields(6, 0x8820, 0x7e0, NULL, 0), 2);
    assert_int_equal(gpucode_register_fields(6, 0x8820, 0x7e0, NULL, 1), 0);
    const struct gpucode_target *a6xx = gpucode_target_find("a6xx"), *g94 = gpucode_target_find("hwsq:g94");
    assert_int_equal(gpucode_target_register_fields(a6xx, GPUCODE_SPACE_GPU, 0x8820, 0x7e0, NULL, 0), 2);
    assert_int_equal(gpucode_target_register_fields(a6xx, GPUCODE_SPACE_FLAG, 0x8820, 0x7e0, NULL, 0), 0);
    assert_int_equal(gpucode_target_register_fields(NULL, GPUCODE_SPACE_GPU, 0x8820, 0x7e0, NULL, 0), 0);
    assert_int_equal(gpucode_target_register_fields(g94, GPUCODE_SPACE_GPU, 0x1304, 0x0201, fields, 4), 4);
    assert_string_equal(fields[1].name, "ENTRY_1");
    assert_int_equal(fields[1].value, 2);
    assert_int_equal(gpucode_target_register_fields(g94, GPUCODE_SPACE_FLAG, 0x1304, 0x0201, fields, 4), 0);
    assert_int_equal(gpucode_register_fields(9, 0x8820, 0x7e0, fields, 1), 0);
    assert_int_equal(gpucode_register_fields(6, 0x9990, 7, fields, 1), 1);
    assert_string_equal(fields[0].text, "00000007"); /* no register that is known */
    assert_int_equal(fields[0].low, 0);
    assert_int_equal(fields[0].high, 31);
    assert_int_equal(fields[0].type, GPUCODE_FIELD_HEX);
    assert_int_equal(fields[0].value, 7);
    assert_false(fields[0].named);
}

/* Registers that a set knows itself: control and pipe registers of AFUC by the chip, the registers that drive HWSQ. */
static void registers_of_sets_have_fields(void)
{
    static const struct {
        const char *target;
        unsigned space, number;
        uint64_t value;
        const char *text; /* null: nothing is known */
    } cases[] = {
        {"a630", GPUCODE_SPACE_PIPE, 0xe7, 0xe, "{ EVENT_TYPE = DRAW | TS_WRITE | CACHE_FLUSH_PEND_DECR }"},
        {"a630", GPUCODE_SPACE_PIPE, 0xe7, 0, "{ EVENT_TYPE = UNK_EVENT }"},
        {"a630", GPUCODE_SPACE_PIPE, 0xea, 0x302, "{ TIMESTAMP | EVENT = RB_DONE }"},
        {"a730", GPUCODE_SPACE_PIPE, 0xe7, 0x2011,
         "{ EVENT_TYPE = EVENT | TS_WRITE_COUNT = 0x2 | CACHE_CLEAN_PEND_DECR }"},
        {"a730", GPUCODE_SPACE_PIPE, 0xe7, 0x80000005, "{ EVENT_TYPE = 0x5 | TS_WRITE_COUNT = 0x0 | 0x80000000 }"},
        {"gen8", GPUCODE_SPACE_PIPE, 0xea, 0x9a, "{ MEMSPACE = ON_CHIP_MEMORY | VALUE = ALWAYS_ON | IRQNO = 0x1 }"},
        {"a630", GPUCODE_SPACE_CONTROL, 0x5b, 0x15, "{ READY | VIOLATION | 0x10 }"},
        {"a730", GPUCODE_SPACE_CONTROL, 0x5b, 0x15, "{ READY | VIOLATION | CLUSTER = 0x1 }"},
        {"a750", GPUCODE_SPACE_CONTROL, 0xc9, 0x30000001, "{ NUM_PREEMPTIONS = INCR | SYS_WFI_STALL = STOP }"},
        {"a750", GPUCODE_SPACE_CONTROL, 0x5d, 1, NULL},
        {"a630", GPUCODE_SPACE_CONTROL, 0x6f, 0, NULL},
        {"a730", GPUCODE_SPACE_CONTROL, 0xd5, 0x12320,
         "{ CONTEXT = 0x2 | CLUSTER = 0x3 | PIPE = 0x2 | USEPREEMPTREG }"},
        {"a530", GPUCODE_SPACE_CONTROL, 0x11, 1, NULL},
        {"a630", GPUCODE_SPACE_GPU, 0x8820, 0x7e0, "{ ROP_CODE = ROP_COPY | COMPONENT_ENABLE = 0xf }"},
        {"a630", GPUCODE_SPACE_GPU, 0x8e04, 5, NULL}, /* one number */
        {"hwsq:g94", GPUCODE_SPACE_GPU, 0x130c, 5, "{ START | ENTRY = 0x1 }"},
        {"ir3:a630", GPUCODE_SPACE_GENERAL, 1, 5, NULL},
    };
    char text[256], all[256], cut[8];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gpucode_target *target = gpucode_target_find(cases[i].target);
        size_t length =
            gpucode_target_register_text(target, cases[i].space, cases[i].number, cases[i].value, text, sizeof text);
        assert_int_equal(length, cases[i].text ? strlen(text) : 0);
        if (!cases[i].text)
            continue;
        assert_string_equal(text, cases[i].text);
        assert_int_equal(
            gpucode_target_register_text(target, cases[i].space, cases[i].number, cases[i].value, cut, sizeof cut),
            length);
        assert_int_equal(strlen(cut), sizeof cut - 1);
        assert_memory_equal(cut, text, sizeof cut - 1);
    }
    const struct gpucode_target *a630 = gpucode_target_find("a630");
    assert_int_equal(gpucode_target_register_text(NULL, GPUCODE_SPACE_PIPE, 0xe7, 1, all, sizeof all), 0);
    assert_int_equal(gpucode_target_register_text(a630, GPUCODE_SPACE_PIPE, 0xe7, 1, NULL, 0),
                     strlen("{ EVENT_TYPE = EVENT }"));
}

/* Names of other processors and of other chips are not given to registers of the GPU. */
static void names_are_of_the_gpu(void)
{
    char name[GPUCODE_NAME_MAX];
    assert_int_equal(gpucode_register_name(3, 0x1c0, name, sizeof name), 10);
    assert_string_equal(name, "CP_RB_BASE"); /* common to a2xx and a3xx */
    assert_int_equal(gpucode_register_name(6, 0x1c0, name, sizeof name), 0);
    assert_int_equal(gpucode_register_name(6, 0x1f400, name, sizeof name), 0);
    assert_int_equal(gpucode_register_words(6, 0x800), 2);
    assert_int_equal(gpucode_register_words(6, 0x801), 1);
    assert_int_equal(gpucode_register_name(6, 0x804, name, 4), 0);
    assert_int_equal(gpucode_register_name(6, 0x9990, name, sizeof name), 0);
    assert_int_equal(gpucode_register_name(0, 0, name, sizeof name), 0);
    uint32_t number = 0;
    assert_false(gpucode_register_next(0, &number) || gpucode_register_next(9, &number));
    assert_false(gpucode_register_next(6, NULL));
    number = 0x40000;
    assert_false(gpucode_register_next(6, &number));
    assert_int_equal(number, 0x40000);
    assert_string_equal(gpucode_packet_name(6, 0x10), "CP_NOP");
    assert_null(gpucode_packet_name(6, 0x200));
    assert_null(gpucode_packet_name(9, 0x10));
}

static bool packet_is(unsigned family, const char *name, uint32_t opcode)
{
    uint32_t found = UINT32_MAX;
    return gpucode_packet_find(family, name, strlen(name), &found) ? found == opcode : opcode == UINT32_MAX;
}

/* What may be written in place of a flag, and how large numbers may be. */
static void texts_have_values(void)
{
    static const struct {
        const char *text;
        uint64_t value;
        int fault; /* -1: it is read */
        size_t at, length;
        uint64_t most;
    } wanted[] = {
        {"{ F16_NO_INF }", 8, -1, 0, 0, 0},
        {"{ F16_NO_INF = TRUE }", 8, -1, 0, 0, 0},
        {"{ F16_NO_INF = set }", 8, -1, 0, 0, 0},
        {"{ F16_NO_INF = 1 }", 8, -1, 0, 0, 0},
        {"{ F16_NO_INF = FALSE }", 0, -1, 0, 0, 0},
        {"{ F16_NO_INF = 0 }", 0, -1, 0, 0, 0},
        {"{ F16_NO_INF = YES }", 0, GPUCODE_FIELD_NO_VALUE, 15, 3, 0},
        {"{ F16_NO_INF = TRUES }", 0, GPUCODE_FIELD_NO_VALUE, 15, 5, 0},
        {"{ F16_NO_INF = 2 }", 0, GPUCODE_FIELD_LARGE, 15, 1, 1},
        {"{ F16_NO_INF | 0x10 }", 0x18, -1, 0, 0, 0},
        {"{ 0xffffffff }", 0xffffffff, -1, 0, 0, 0},
        {"{ 0x100000000 }", 0, GPUCODE_FIELD_LARGE, 2, 11, 0xffffffff},
        {"{ F16_NO_INF | 8 }", 8, -1, 0, 0, 0},
        {"{ F16_NO_INF = 0 | 8 }", 0, GPUCODE_FIELD_TWICE, 19, 1, 0},
        {"{ F16_NO_INE }", 0, GPUCODE_FIELD_NO_NAME, 2, 10, 0},
    };
    uint32_t number = number_of("SP_NC_MODE_CNTL_2");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct gpucode_field_wrong wrong = {0};
        uint64_t value = 0;
        const char *text = wanted[i].text;
        bool read = gpucode_register_read(6, number, text, strlen(text), &value, &wrong);
        assert_int_equal(gpucode_register_read(6, number, text, strlen(text), &value, NULL), read);
        if (read != (wanted[i].fault < 0))
            fail_msg("%s: %d", text, (int)wrong.fault);
        if (read) {
            assert_int_equal(value, wanted[i].value);
            continue;
        }
        assert_int_equal(wrong.fault, wanted[i].fault);
        if (wrong.at != text + wanted[i].at || wrong.length != wanted[i].length)
            fail_msg("%s: %td, %zu", text, wrong.at - text, wrong.length);
        if (wanted[i].most)
            assert_int_equal(wrong.limit, wanted[i].most);
        if (wrong.fault == GPUCODE_FIELD_NO_NAME)
            assert_string_equal(wrong.nearest, "F16_NO_INF");
    }
    assert_false(gpucode_register_read(6, number, NULL, 0, &(uint64_t){0}, NULL));
    assert_false(gpucode_register_read(9, number, "0", 1, &(uint64_t){0}, NULL));
    assert_false(gpucode_register_read(6, number, "0", 1, NULL, NULL));
}

static void packets_by_name(void)
{
    uint32_t found;
    for (unsigned family = GPUCODE_FAMILY_MIN; family <= GPUCODE_FAMILY_MAX; family++)
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            const char *name = gpucode_packet_name(family, opcode);
            if (!name)
                continue;
            assert_true(gpucode_packet_find(family, name, strlen(name), &found));
            assert_true(found <= opcode);
            assert_string_equal(gpucode_packet_name(family, found), name);
        }
    assert_true(packet_is(2, "CP_SET_DRAW_INIT_FLAGS", 0x4b));
    assert_true(packet_is(2, "CP_SET_BIN_BASE_OFFSET", 0x4b)); /* its name on a20x */
    assert_true(packet_is(3, "CP_SET_BIN_BASE_OFFSET", UINT32_MAX));
    assert_true(packet_is(5, "CP_INDIRECT_BUFFER_PFE", 0x3f));
    assert_true(packet_is(6, "CP_NO", UINT32_MAX));
    assert_true(packet_is(6, "CP_NOPE", UINT32_MAX));
    assert_true(packet_is(9, "CP_NOP", UINT32_MAX));
    assert_true(gpucode_packet_find(6, "CP_NOPE", 6, &found) && found == 0x10);
    assert_false(gpucode_packet_find(6, NULL, 0, &found));
    assert_false(gpucode_packet_find(6, "CP_NOP", 6, NULL));
}

static void every_name_is_found_again(void)
{
    char name[GPUCODE_NAME_MAX], text[2048];
    for (unsigned family = GPUCODE_FAMILY_MIN; family <= GPUCODE_FAMILY_MAX; family++) {
        unsigned count = 0;
        for (uint32_t number = 0; number < 0x40000; number++) {
            size_t length = gpucode_register_name(family, number, name, sizeof name);
            if (!length)
                continue;
            count++;
            assert_int_equal(strlen(name), length);
            assert_true(gpucode_register_text(family, number, 0x9abcdef012345678u * (number | 1), text, sizeof text) <
                        sizeof text);
            assert_true(gpucode_register_fields(family, number, UINT64_MAX, NULL, 0) <= GPUCODE_FIELD_VALUES_MAX);
            uint32_t found;
            if (number % 7 == 0 && count % 5 == 0) /* a search takes its time */
                assert_true(gpucode_register_find(family, name, length, &found));
        }
        assert_true(count > 300);
    }
}

static void descriptors_have_fields(void)
{
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    struct gpucode_contents contents;
    uint32_t words[16] = {0};
    assert_true(gpucode_contents_find(6, "CP_LOAD_STATE6_FRAG", "SB6_FS_TEX", "ST6_CONSTANTS", &contents));
    assert_string_equal(contents.kind, "A6XX_TEX_CONST");
    assert_int_equal(contents.words, 16);
    assert_int_equal(gpucode_descriptor_words(contents.kind), 16);
    words[1] = 640 | 480 << 15;
    size_t count = gpucode_descriptor_fields(6, contents.kind, words, 16, fields, GPUCODE_FIELD_VALUES_MAX), found = 0;
    for (size_t i = 0; i < count; i++)
        found += (strcmp(fields[i].name, "WIDTH") == 0 && strcmp(fields[i].text, "640") == 0) ||
                 (strcmp(fields[i].name, "HEIGHT") == 0 && strcmp(fields[i].text, "480") == 0);
    assert_int_equal(found, 2);
    assert_true(gpucode_descriptor_fields(6, contents.kind, words, 1, NULL, 0) < count);
    assert_int_equal(gpucode_descriptor_fields(6, "NOTHING", words, 16, fields, 1), 0);
    assert_int_equal(gpucode_descriptor_words(NULL), 0);
    assert_false(gpucode_contents_find(6, "CP_NOP", "SB6_FS_TEX", "ST6_CONSTANTS", &contents));
    assert_false(gpucode_contents_find(6, NULL, "SB6_FS_TEX", "ST6_CONSTANTS", &contents));
}

static char expected[0x40000][GPUCODE_NAME_MAX];

/* Adds what a row of the data names, as far as nothing has named it. Domains of four letters are the GPU's own. */
static void expand_row(char *line, unsigned family, bool common)
{
    char *cell[17], chip[] = "A0XX", *subscript;
    unsigned count = 0;
    for (char *at = line; at && count < 17; count++) {
        cell[count] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = 0;
    }
    assert_int_equal(count, 17);
    chip[1] = (char)('0' + family);
    if ((!common && !strstr(cell[2], chip)) || strlen(cell[15]) != 4)
        return;
    unsigned long number = strtoul(cell[1], NULL, 0), words = strtoul(cell[3], NULL, 0);
    unsigned long stride = strtoul(cell[4], NULL, 0), elements = strtoul(cell[5], NULL, 0);
    bool array = strcmp(cell[6], "array") == 0, address = strstr(cell[7], "address") != NULL;
    subscript = strstr(cell[0], "[]");
    for (unsigned long i = 0; i < elements; i++)
        for (unsigned long k = 0; k < (array ? stride : words); k++) {
            char *text = expected[number + i * stride + k];
            if (*text)
                continue;
            if (subscript)
                snprintf(text, GPUCODE_NAME_MAX, i ? "%.*s[0x%lx%.90s" : "%.*s[%lx%.90s", (int)(subscript - cell[0]),
                         cell[0], i, subscript + 1);
            else
                snprintf(text, GPUCODE_NAME_MAX, "%.100s", cell[0]);
            size_t length = strlen(text);
            if (k && !array && address)
                snprintf(text + length, GPUCODE_NAME_MAX - length, "_HI");
            else if (k || array)
                snprintf(text + length, GPUCODE_NAME_MAX - length, k ? "+0x%lx" : "+%lx", k);
        }
}

/* The tables against the data they are made of, read a second time. */
static void names_are_those_of_the_data(void)
{
    static const char *const files[] = {"a2xx", "a3xx", "a4xx", "a5xx", "a6xx", "a6xx", "a6xx"};
    const char *root = getenv("GPUCODE_SOURCE_ROOT");
    char path[1024], line[1024], name[GPUCODE_NAME_MAX];
    for (unsigned family = 2; family <= 8; family++) {
        memset(expected, 0, sizeof expected);
        for (unsigned part = 0; part < (family < 4 ? 2u : 1u); part++) {
            snprintf(path, sizeof path, "%s/data/pm4/registers_%s.tsv", root ? root : ".",
                     part ? "axxx" : files[family - 2]);
            FILE *file = fopen(path, "r");
            assert_non_null(file);
            while (fgets(line, sizeof line, file)) {
                line[strcspn(line, "\n")] = 0;
                if (*line != '#')
                    expand_row(line, family, part != 0);
            }
            fclose(file);
        }
        uint32_t next = 0;
        bool more = gpucode_register_next(family, &next);
        for (uint32_t number = 0; number < 0x40000; number++) {
            if (!gpucode_register_name(family, number, name, sizeof name))
                name[0] = 0;
            assert_string_equal(name, expected[number]);
            assert_int_equal(more && next == number, name[0] != 0);
            if (next == number && more) {
                next++;
                more = gpucode_register_next(family, &next);
            }
        }
        assert_false(more);
    }
}

static void chips_are_told_by_id(void)
{
    static const struct {
        uint32_t gpu;
        uint64_t id;
        unsigned family;
        const char *name;
    } rows[] = {
        {630, 0, 6, "FD630"},          {0, 0x06030001, 6, "FD630"}, {0, 0x43050a01, 7, "FD740"},
        {0, 0x2243050a01, 7, "FD740"}, /* any speed bin */
        {0, 0xac06030500, 6, "FD643"}, {0, 0x07002000, 6, "FD702"}, {0, 0x44050000, 8, "FD830"},
        {0, 0x44990000, 8, NULL}, /* not known: guessed */
        {0, 0x43990000, 7, NULL},      {0, 0x0700200f, 6, NULL},    {699, 0, 6, NULL},
        {320, 0, 3, "FD320"},
    };
    struct gpucode_chip chip;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(gpucode_chip_find(rows[i].gpu, rows[i].id, &chip));
        assert_int_equal(chip.family, rows[i].family);
        if (rows[i].name)
            assert_string_equal(chip.name, rows[i].name);
        else
            assert_null(chip.name);
    }
    assert_false(gpucode_chip_find(0, 0, &chip));
    assert_false(gpucode_chip_find(0, 0x99000000, &chip));
    assert_false(gpucode_chip_find(630, 0, NULL));
    assert_int_equal(gpucode_target_family(gpucode_target_find("afuc:a730")), 7);
    assert_int_equal(gpucode_target_family(gpucode_target_find("hwsq:g94")), 0);
    assert_int_equal(gpucode_target_family(NULL), 0);
}

/* Finds the field of a packet that the values of `selector` name; its word gets the bits of the value. */
static bool select_field(unsigned family, unsigned opcode, const char *selector, const char *name, uint32_t *payload)
{
    struct gpucode_payload_field field;
    for (unsigned i = 0; gpucode_payload_field(family, opcode, i, &field); i++) {
        char text[2 * GPUCODE_NAME_MAX];
        uint64_t value;
        unsigned words;
        if (!field.values || strcmp(field.values, selector) != 0)
            continue;
        bool alone = strcmp(field.name, "-") == 0;
        snprintf(text, sizeof text, "%s%s%s", alone ? "" : field.name, alone ? "" : "=", name);
        if (gpucode_payload_read(family, opcode, payload, field.word, text, strlen(text), &value, &words, NULL)) {
            payload[field.word] |= (uint32_t)value;
            return true;
        }
    }
    return false;
}

/* The list of a packet's fields against the fields of its words: each is there with each value that selects it. */
static void payload_fields_are_selected(void)
{
    unsigned selected = 0, always = 0;
    struct gpucode_payload_field field;
    for (unsigned family = 2; family <= 8; family++)
        for (unsigned opcode = 0; opcode < 128; opcode++)
            for (unsigned i = 0; gpucode_payload_field(family, opcode, i, &field); i++) {
                assert_true(field.low <= field.high && field.high < 64 && *field.name);
                assert_int_equal(field.selector != NULL, *field.selected != 0);
                assert_int_equal(field.values != NULL, field.type == GPUCODE_FIELD_ENUM);
                const char *name = field.selector ? field.selected : "";
                do {
                    char one[GPUCODE_FIELD_TEXT_MAX];
                    uint32_t payload[64] = {0};
                    struct gpucode_field_value found[GPUCODE_FIELD_VALUES_MAX];
                    unsigned words;
                    size_t length = strcspn(name, "|"), k = 0;
                    snprintf(one, sizeof one, "%.*s", (int)length, name);
                    name += length + (name[length] == '|');
                    if (field.selector && !select_field(family, opcode, field.selector, one, payload))
                        continue; /* the family has the field and not the name of the value */
                    assert_true(field.word < 60);
                    payload[field.word + field.low / 32] |= UINT32_C(1) << field.low % 32;
                    size_t count = gpucode_payload_fields(family, opcode, payload, 64, field.word, found,
                                                          GPUCODE_FIELD_VALUES_MAX, &words);
                    while (k < count && (strcmp(found[k].name, field.name) != 0 || found[k].low != field.low))
                        k++;
                    if (k == count && !field.selector)
                        continue; /* the form of the packet decides, by another word */
                    if (k == count)
                        fail_msg("a%uxx 0x%02x: %s of word %u is not there, %s being %s", family, opcode, field.name,
                                 field.word, field.selector, one);
                    assert_int_equal(found[k].type, field.type);
                    assert_true(found[k].high >= field.high); /* two words may be one value */
                    *(field.selector ? &selected : &always) += 1;
                } while (*name);
            }
    assert_true(selected > 180);
    assert_true(always > 1000);
}

/*
 * What the words of packets show as fields is read back as the same value, of two words where both are one. On a2xx the
 * number of words decides what some of them are, which a reader does not know before the last one.
 */
static void payloads_are_read_back(void)
{
    static const uint64_t values[] = {0, 1, 0x123456780, 0xfffffffc, 0x3f800000, 0xfedcba9876543210, 0x80000001};
    static char text[GPUCODE_FIELD_VALUES_MAX * (GPUCODE_FIELD_TEXT_MAX + 64)];
    unsigned wide = 0, narrow = 0;
    for (unsigned family = 3; family <= 8; family++)
        for (unsigned opcode = 0; opcode < 128; opcode++)
            for (unsigned word = 0; word < 6; word++)
                for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
                    uint32_t payload[8] = {0};
                    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
                    struct gpucode_field_wrong wrong;
                    unsigned words, words_read;
                    uint64_t value;
                    payload[word] = (uint32_t)values[i];
                    payload[word + 1] = (uint32_t)(values[i] >> 32);
                    size_t count = gpucode_payload_fields(family, opcode, payload, 8, word, fields,
                                                          GPUCODE_FIELD_VALUES_MAX, &words);
                    if (!count)
                        continue;
                    uint64_t whole = words == 2 ? values[i] : (uint32_t)values[i];
                    size_t length = 0;
                    for (size_t k = 0; k < count; k++)
                        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s%s", k ? " | " : "",
                                                   strcmp(fields[k].name, "-") == 0 ? "" : fields[k].name,
                                                   strcmp(fields[k].name, "-") == 0 ? "" : "=", fields[k].text);
                    if (!gpucode_payload_read(family, opcode, payload, word, text, length, &value, &words_read, &wrong))
                        fail_msg("a%uxx 0x%02x word %u: %s: fault %d at %.*s", family, opcode, word, text, wrong.fault,
                                 (int)wrong.length, wrong.at);
                    if (value != whole)
                        fail_msg("a%uxx 0x%02x word %u: %s is 0x%llx, not 0x%llx", family, opcode, word, text,
                                 (unsigned long long)value, (unsigned long long)whole);
                    assert_int_equal(words_read, words);
                    *(words == 2 ? &wide : &narrow) += 1;
                }
    assert_true(wide > 800);
    assert_true(narrow > 4500);
}

TESTS(fields, values_have_texts, fractions_are_as_printed, halves_are_as_printed, own_meanings_may_be_missing,
      fields_have_values, registers_of_sets_have_fields, names_are_of_the_gpu, texts_have_values, packets_by_name,
      every_name_is_found_again, chips_are_told_by_id, descriptors_have_fields, names_are_those_of_the_data,
      payload_fields_are_selected, payloads_are_read_back)
