/* SPDX-License-Identifier: MIT */
/* Names from XML files: what is read, what is refused, and that hostile files cost little. */
#include "files.h"
#include "sets.h"

#include "xml/elements.h"

#include <gpucode/xml.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct gpucode_target *const a5xx = &sets[0].target, *const a6xx = &sets[1].target,
                                          *const a7xx = &sets[2].target, *const gen8 = &sets[4].target,
                                          *const nv50 = &sets[7].target;

#define A6XX(body) "<database>\n<domain name=\"A6XX\">\n" body "\n</domain></database>"

/* What the diagnostic handler was told: "code line:column;..." */
struct log {
    char text[4096];
    unsigned count;
};

static void note(void *user, const struct gpucode_diagnostic *d)
{
    struct log *log = user;
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s %u:%u;", d->code, d->line, d->column);
    assert_true(d->line == 0 || (d->source && d->length));
    assert_string_equal(d->file, "t.xml");
    assert_non_null(gpucode_explain(d->code));
    assert_true(strlen(d->message) > 10);
    log->count++;
}

static enum gpucode_status load(const struct gpucode_target *target, const char *text, struct gpucode_xml **xml,
                                struct log *log)
{
    struct gpucode_diagnostic_handler on_diagnostic = {note, log};
    memset(log, 0, sizeof *log);
    /* a copy of exactly the size, so that sanitizers see reads after it */
    size_t size = strlen(text);
    char *bytes = malloc(size ? size : 1);
    memcpy(bytes, text, size);
    enum gpucode_status status = gpucode_xml_load(bytes, size, "t.xml", target, &on_diagnostic, xml);
    free(bytes);
    return status;
}

static void both(const struct gpucode_target *target, const struct gpucode_xml *xml, enum gpucode_space space,
                 uint32_t number, const char *name)
{
    char text[GPUCODE_NAME_MAX];
    uint32_t back = ~number;
    gpucode_name_of(target, gpucode_xml_names(xml), space, number, text, sizeof text);
    assert_string_equal(text, name);
    assert_true(gpucode_number_of(target, gpucode_xml_names(xml), space, name, strlen(name), &back));
    assert_int_equal(back, number);
}

static bool known(const struct gpucode_target *target, const struct gpucode_xml *xml, enum gpucode_space space,
                  const char *name)
{
    uint32_t number;
    return gpucode_number_of(target, gpucode_xml_names(xml), space, name, strlen(name), &number);
}

static char *sample(void)
{
    return read_source("fuzz/corpus/xml/registers.xml", NULL);
}

static void test_sample(void)
{
    struct log log;
    struct gpucode_xml *xml = NULL;
    char *text = sample();
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_OK);
    assert_string_equal(log.text, "");
    assert_int_equal(gpucode_xml_count(xml), 3 + 3 + 1 + 3 + 4 + 1 + 1 + 1 + 2 + 1 + 1 + 2);
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x900, "TEST_CNTL");
    assert_false(known(a6xx, xml, GPUCODE_SPACE_GPU, "TEST_CNTL_V2"));
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x903, "TEST_BASE_HI");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x905, "TEST_COUNTER+0x1");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x910, "TEST_UNIT[0].CNTL");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x91a, "TEST_UNIT[0x2].ADDR_HI");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x91b, "TEST_UNIT[0x2]+0x3"); /* no member there */
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x920, "TEST_PERF[0]+0");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x927, "TEST_PERF[0x3]+0x1");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x941, "TEST_LIST[0].REG");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x951, "TEST_LIST[0x1].REG");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x949, "TEST_LIST[0x2].REG");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0xa08, "TEST_OUTER[0].INNER[0].REG");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0xa1a, "TEST_OUTER[0x1].INNER[0x1].REG");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0xa1b, "TEST_OUTER[0x1].INNER[0x1]+0x1");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0xa10, "TEST_OUTER[0x1].ID");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0xa11, "TEST_OUTER[0x1]+0x1");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0xa44, "TEST_ROW[0x4]");
    assert_false(known(a6xx, xml, GPUCODE_SPACE_GPU, "TEST_NEW"));
    assert_false(known(a6xx, xml, GPUCODE_SPACE_GPU, "TEST_FOREIGN"));
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x1ff, "COMMON_ONLY");
    both(a6xx, xml, GPUCODE_SPACE_CONTROL, 0x300, "TEST_CONTROL");
    both(a6xx, xml, GPUCODE_SPACE_PIPE, 0x90, "TEST_PIPE");
    both(a6xx, xml, GPUCODE_SPACE_PACKET, 0x7e, "CP_TEST");
    assert_true(known(a6xx, xml, GPUCODE_SPACE_PACKET, "CP_TEST_OLD"));
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x830, "CP_SQE_INSTR_BASE"); /* built-in names stay */
    gpucode_xml_free(xml);

    /* elements that overlap */
    xml = NULL;
    assert_int_equal(load(a6xx, A6XX("<reg64 name=\"WIDE\" offset=\"0x900\" stride=\"1\" length=\"3\"/>"), &xml, &log),
                     GPUCODE_OK);
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x902, "WIDE[0x2]");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x903, "WIDE[0x2]+0x1");
    gpucode_xml_free(xml);

    xml = NULL;
    assert_int_equal(load(a7xx, text, &xml, &log), GPUCODE_OK);
    both(a7xx, xml, GPUCODE_SPACE_GPU, 0x900, "TEST_CNTL_V2");
    both(a7xx, xml, GPUCODE_SPACE_GPU, 0xb50, "TEST_NEW");
    assert_false(known(a7xx, xml, GPUCODE_SPACE_CONTROL, "TEST_CONTROL"));
    gpucode_xml_free(xml);
    xml = NULL;
    assert_int_equal(load(gen8, text, &xml, &log), GPUCODE_OK);
    assert_false(known(gen8, xml, GPUCODE_SPACE_GPU, "TEST_UNIT[0].CNTL"));
    gpucode_xml_free(xml);
    xml = NULL;
    assert_int_equal(load(a5xx, text, &xml, &log), GPUCODE_OK);
    both(a5xx, xml, GPUCODE_SPACE_PACKET, 0x7e, "CP_TEST_OLD");
    both(a5xx, xml, GPUCODE_SPACE_GPU, 0x900, "COMMON_TEST");
    gpucode_xml_free(xml);
    free(text);
}

/* A second file adds; the first one wins; a wrong one changes nothing. */
static void test_several_files(void)
{
    struct log log;
    struct gpucode_xml *xml = NULL;
    assert_int_equal(load(a6xx, A6XX("<reg32 name=\"ONE\" offset=\"0x900\"/>"), &xml, &log), GPUCODE_OK);
    const struct gpucode_names *names = gpucode_xml_names(xml);
    assert_int_equal(
        load(a6xx, A6XX("<reg32 name=\"TWO\" offset=\"0x900\"/><reg32 name=\"THREE\" offset=\"0x901\"/>"), &xml, &log),
        GPUCODE_OK);
    assert_ptr_equal(names, gpucode_xml_names(xml));
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x900, "ONE");
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x901, "THREE");
    assert_true(known(a6xx, xml, GPUCODE_SPACE_GPU, "TWO"));

    /* enough good names before the error that every list has to move */
    struct gpucode_xml *before = xml;
    char *text = calloc(1, 200000), *at = text;
    at += sprintf(at, "<database><domain name=\"A6XX\">");
    for (unsigned i = 0; i < 1000; i++)
        at += sprintf(at, "<reg32 name=\"LATER%u\" offset=\"0x%x\"/>", i, 0x900 + i);
    strcpy(at, "<reg32 offset=\"1\"/></domain></database>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    free(text);
    assert_ptr_equal(xml, before);
    assert_int_equal(gpucode_xml_count(xml), 3);
    both(a6xx, xml, GPUCODE_SPACE_GPU, 0x900, "ONE");
    assert_false(known(a6xx, xml, GPUCODE_SPACE_GPU, "LATER0"));
    assert_int_equal(load(a7xx, A6XX(""), &xml, &log), GPUCODE_ERROR_ARGUMENT);
    gpucode_xml_free(xml);
}

static void test_diagnostics(void)
{
    static const struct {
        const char *text, *log; /* a log without a place: any */
        enum gpucode_status status;
    } cases[] = {
        {"", "xml-syntax", GPUCODE_ERROR_INPUT}, /* where an empty document goes wrong depends on expat's patch level */
        {"<database>", "xml-syntax 1:11;", GPUCODE_ERROR_INPUT},
        {"<database>\n  <domain></x></database>", "xml-syntax 2:13;", GPUCODE_ERROR_INPUT},
        {"\xff\xfe<\0d", "xml-syntax 1:3;", GPUCODE_ERROR_INPUT},
        {"<html/>", "xml-root 1:1;", GPUCODE_ERROR_INPUT},
        {"<!DOCTYPE database [\n<!ENTITY a \"aa\">]>\n<database/>", "xml-doctype 1:20;", GPUCODE_ERROR_INPUT},
        {"<!DOCTYPE database SYSTEM \"file:///etc/passwd\"><database/>", "xml-doctype 1:47;", GPUCODE_ERROR_INPUT},
        {"<database/>", "xml-nothing 0:0;", GPUCODE_OK},
        {"<database><domain name=\"A5XX\"><reg32 name=\"A\" offset=\"0\"/></domain></database>", "xml-nothing 0:0;",
         GPUCODE_OK},
        {A6XX("<reg32 name=\"A\"/>\n <reg32 offset=\"1\"/>"), "xml-missing 3:1;xml-missing 4:2;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg64/>"), "xml-missing 3:1;xml-missing 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<array name=\"A\" offset=\"0\" stride=\"1\"/>"), "xml-missing 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<array offsets=\"1,2\"/>"), "xml-missing 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A\" offset=\"\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A\" offset=\"0x\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A\" offset=\"12a\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A\" offset=\"-1\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A\" offset=\"4294967296\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<array name=\"A\" offset=\"0\" stride=\"0\" length=\"1\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<array name=\"A\" offset=\"0\" stride=\"1\" length=\"65536\"/>"), "xml-number 3:1;",
         GPUCODE_ERROR_INPUT},
        {A6XX("<array name=\"A\" offsets=\"1;2\"/>"), "xml-number 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A B\" offset=\"0\"/>"), "xml-name 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"\" offset=\"0\"/>"), "xml-name 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A[0]\" offset=\"0\"/>"), "xml-name 3:1;", GPUCODE_ERROR_INPUT},
        {A6XX("<reg32 name=\"A\" offset=\"0x40000\"/><reg32 name=\"B\" offset=\"0x3ffff\"/>"), "xml-range 3:1;",
         GPUCODE_OK},
        {A6XX("<reg64 name=\"A\" offset=\"0x3ffff\"/>"), "xml-range 3:1;", GPUCODE_OK},
        {A6XX("<reg32 name=\"A\" offset=\"0\" variants=\"A6XX;A7XX\"/>"), "xml-variant 3:1;", GPUCODE_OK},
        {A6XX("<array name=\"A\" doffsets=\"x\"/>"), "xml-unsupported 3:1;", GPUCODE_OK},
        {A6XX("<use-group name=\"x\"/>\n<reg16 offset=\"0\"/>"), "xml-unsupported 3:1;xml-unsupported 4:1;",
         GPUCODE_OK},
        {A6XX("<stripe length=\"2\" stride=\"4\"><reg32/></stripe>"), "xml-unsupported 3:1;", GPUCODE_OK},
        {"<database><enum name=\"adreno_pm4_type3_packets\">\n<value value=\"1\"/><value name=\"A\" value=\"128\"/>"
         "</enum></database>",
         "xml-missing 2:1;xml-range 2:19;", GPUCODE_ERROR_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct log log;
        struct gpucode_xml *xml = NULL;
        enum gpucode_status status = load(a6xx, cases[i].text, &xml, &log);
        size_t compared = strchr(cases[i].log, ' ') ? sizeof log.text : strlen(cases[i].log);
        if (status != cases[i].status || strncmp(log.text, cases[i].log, compared) != 0)
            fail_msg("case %zu: status %d, log %s", i, status, log.text);
        assert_int_equal(xml == NULL, status != GPUCODE_OK);
        gpucode_xml_free(xml);
    }
}

static void test_variants(void)
{
    static const struct {
        const char *variants;
        bool on_a6xx, warned;
    } cases[] = {
        {"A6XX", true, false},      {"A5XX", false, false},      {"A5XX-", true, false},
        {"A7XX-", false, false},    {"-A5XX", false, false},     {"-A6XX", true, false},
        {"A5XX-A7XX", true, false}, {"A3XX:A6XX", false, false}, {"A3XX:A7XX", true, false},
        {"A2XX,A6XX", true, false}, {"A2XX A6XX-", true, false}, {"", false, false},
        {"-", false, true},         {"A6XY", false, true},       {"A6XX-A7", false, true},
        {"A6XXX", false, true},     {"6", false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        struct log log;
        struct gpucode_xml *xml = NULL;
        snprintf(text, sizeof text, A6XX("<reg32 name=\"SOME\" offset=\"1\" variants=\"%s\"/>"), cases[i].variants);
        assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_OK);
        if (known(a6xx, xml, GPUCODE_SPACE_GPU, "SOME") != cases[i].on_a6xx || (log.count == 1) != cases[i].warned)
            fail_msg("variants '%s': log %s", cases[i].variants, log.text);
        gpucode_xml_free(xml);
    }
}

/* Generations from the first to the last there can be, and numbers. */
static void test_ends(void)
{
    static const struct {
        const char *variants;
        int chips; /* a bit each; -1: it is refused */
    } cases[] = {
        {"A0XX", 1},      {"A9XX", 0x200},     {"A0XX-", 0x3ff},      {"-A0XX", 1},
        {"A0XX-A1XX", 3}, {"A0XX:A1XX", 1},    {"A0XX:A0XX", 0},      {"A8XX:", 0x300},
        {":A1XX", 1},     {":A0XX", 0},        {"A0XX-A0XX", 1},      {"A9XX-A9XX", 0x200},
        {"A1XX-A0XX", 0}, {" A0XX, A2XX ", 5}, {"A/XX", -1},          {"A:XX", -1},
        {":", -1},        {"-", -1},           {"A0XX A1XX-", 0x3ff}, {"A0XX--", -1},
        {"A0XX-:", -1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t chips = 0xffff;
        bool good = variant_parse(cases[i].variants, &chips);
        if (good != (cases[i].chips >= 0) || (good && chips != cases[i].chips))
            fail_msg("variants '%s': %d, 0x%x", cases[i].variants, (int)good, chips);
    }
    static const struct number_case numbers[] = {{"0", 0},
                                                 {"4294967295", UINT32_MAX},
                                                 {"0xffffffff, 1", UINT32_MAX},
                                                 {"7 8", 7},
                                                 {"4294967296", -1},
                                                 {"0x100000000", -1},
                                                 {"7x", -1},
                                                 {"", -1},
                                                 {"-1", -1}};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *text = numbers[i].text;
        uint32_t number = 0;
        assert_int_equal(reader_take_number(&text, &number), numbers[i].number >= 0);
        assert_int_equal(number, numbers[i].number >= 0 ? numbers[i].number : 0);
        assert_int_equal(text - numbers[i].text, numbers[i].number >= 0 ? strcspn(numbers[i].text, ", ") : 0);
    }
}

/* Files made to cost time or memory. */
static void test_hostile(void)
{
    struct log log;
    struct gpucode_xml *xml = NULL;
    size_t room = 4u << 20;
    char *text = calloc(1, room), *at = text;

    for (unsigned i = 0; i < 100000; i++)
        at += sprintf(at, i ? "<a>" : "<database>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_string_equal(log.text, "xml-depth 1:200;");

    /* arrays in arrays in arrays */
    at = text + sprintf(text, "<database><domain name=\"A6XX\">");
    for (unsigned i = 0; i < 20; i++)
        at += sprintf(at, "<array name=\"A\" offset=\"0\" stride=\"1\" length=\"65535\">");
    at += sprintf(at, "<reg32 name=\"R\" offset=\"0\"/>");
    for (unsigned i = 0; i < 20; i++)
        at += sprintf(at, "</array>");
    sprintf(at, "</domain></database>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_non_null(strstr(log.text, "xml-"));
    assert_in_range(log.count, 1, 21);

    /* the same out of range, where nothing would be added; and with empty lists */
    at = text + sprintf(text, "<database><domain name=\"A6XX\"><stripe offset=\"0x50000\">");
    for (unsigned i = 0; i < 3; i++)
        at += sprintf(at, "<array name=\"A\" offset=\"0\" stride=\"1\" length=\"65535\">");
    at += sprintf(at, "<array name=\"B\" offsets=\"\"><reg32 name=\"R\" offset=\"0\"/></array>");
    sprintf(at, "</array></array></array></stripe></domain></database>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_non_null(strstr(log.text, "xml-count"));

    /* one array larger than the limit of numbers, and too many names */
    at = text + sprintf(text, "<database><domain name=\"A6XX\">");
    for (unsigned i = 0; i < 100; i++)
        at += sprintf(at, "<array name=\"A%u\" offset=\"0\" stride=\"4\" length=\"65535\"/>", i);
    sprintf(at, "</domain></database>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_non_null(strstr(log.text, "xml-count"));
    at = text + sprintf(text, "<database><domain name=\"A6XX\">");
    for (unsigned i = 0; i < 60001; i++)
        at += sprintf(at, "<reg32 name=\"R%u\" offset=\"%u\"/>", i, i);
    sprintf(at, "</domain></database>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_non_null(strstr(log.text, "xml-count"));

    /* more messages than anyone reads */
    at = text + sprintf(text, "<database><domain name=\"A6XX\">");
    for (unsigned i = 0; i < 50000; i++)
        at += sprintf(at, "<reg32 name=\"R\"/>");
    assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_int_equal(log.count, 21);
    assert_non_null(strstr(log.text, "xml-more"));
    assert_null(xml);
    free(text);

    char *large = malloc(GPUCODE_XML_SIZE_MAX + 2);
    memset(large, ' ', GPUCODE_XML_SIZE_MAX + 1);
    large[GPUCODE_XML_SIZE_MAX + 1] = 0;
    assert_int_equal(load(a6xx, large, &xml, &log), GPUCODE_ERROR_INPUT);
    assert_string_equal(log.text, "xml-size 0:0;");
    free(large);

    /* a name at the limit is taken, one above is not, nor one that grows too long in arrays */
    char name[98], file[600];
    memset(name, 'N', sizeof name);
    name[96] = 0;
    snprintf(file, sizeof file, A6XX("<array name=\"%.94s\" offset=\"8\" stride=\"1\" length=\"65535\"/>"), name);
    assert_int_equal(load(a6xx, file, &xml, &log), GPUCODE_OK);
    char text_of_name[GPUCODE_NAME_MAX];
    assert_int_equal(
        gpucode_name_of(a6xx, gpucode_xml_names(xml), GPUCODE_SPACE_GPU, 0x10000, text_of_name, sizeof text_of_name),
        94 + 8 + 2);
    gpucode_xml_free(xml);
    xml = NULL;
    for (unsigned length = 95; length <= 97; length++) {
        memset(name, 'N', length);
        name[length] = 0;
        snprintf(file, sizeof file, A6XX("<array name=\"%s\" offset=\"8\" stride=\"1\" length=\"2\"/>"), name);
        assert_int_equal(load(a6xx, file, &xml, &log), GPUCODE_ERROR_INPUT);
        assert_string_equal(log.text, "xml-name 3:1;");
        snprintf(file, sizeof file, A6XX("<reg32 name=\"%s\" offset=\"8\"/>"), name);
        assert_int_equal(load(a6xx, file, &xml, &log), length == 97 ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        gpucode_xml_free(xml);
        xml = NULL;
    }
}

/* Every cut of the sample is refused or read, without harm. */
static void test_cuts(void)
{
    char *text = sample();
    size_t length = strlen(text);
    for (size_t cut = 0; cut < length - 1; cut++) {
        struct log log;
        struct gpucode_xml *xml = NULL;
        char saved = text[cut];
        text[cut] = 0;
        assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_ERROR_INPUT);
        assert_non_null(strstr(log.text, "xml-syntax"));
        text[cut] = saved;
    }
    free(text);
}

static void test_arguments(void)
{
    struct gpucode_xml *xml = NULL;
    assert_int_equal(gpucode_xml_load(NULL, 1, NULL, a6xx, NULL, &xml), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_xml_load("", 0, NULL, NULL, NULL, &xml), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_xml_load("", 0, NULL, a6xx, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_xml_load("<database/>", 11, NULL, nv50, NULL, &xml), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_xml_load_family("<database/>", 11, NULL, 5, NULL, &xml), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_xml_load_family("<database/>", 11, NULL, 1, NULL, &xml), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_xml_load_family(NULL, 1, NULL, 3, NULL, &xml), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_xml_load_family("", 0, NULL, 3, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_null(xml);
    assert_int_equal(gpucode_xml_load("<database/>", 11, NULL, a6xx, NULL, &xml), GPUCODE_OK);
    assert_int_equal(gpucode_xml_load_family("<database/>", 11, NULL, 3, NULL, &xml), GPUCODE_ERROR_ARGUMENT);
    assert_non_null(xml);
    gpucode_xml_free(xml);
    gpucode_xml_free(NULL);
    assert_null(gpucode_xml_names(NULL));
    assert_int_equal(gpucode_xml_count(NULL), 0);
}

static void meaning(const struct gpucode_xml *xml, uint32_t number, uint64_t value, const char *expected)
{
    char text[512];
    struct gpucode_field_value fields[GPUCODE_FIELD_VALUES_MAX];
    const struct gpucode_meanings *own = gpucode_xml_meanings(xml);
    gpucode_meanings_text(own, 6, number, value, text, sizeof text);
    assert_string_equal(text, expected);
    assert_true(gpucode_meanings_fields(own, 6, number, value, fields, GPUCODE_FIELD_VALUES_MAX) >= 1);
}

/* Types, inline fields, enumerations, in any order and from several files; the first file wins. */
static void meanings_are_read(void)
{
    struct log log;
    struct gpucode_xml *xml = NULL;
    assert_null(gpucode_xml_meanings(NULL));
    assert_int_equal(
        load(a6xx,
             A6XX("<reg32 offset='0x8801' name='MODE' type='mode'/>"
                  "<reg32 offset='0x8802' name='INLINE'>"
                  "<bitfield name='ON' pos='0'/><bitfield name='ODD' pos='1'/>"
                  "<bitfield name='KIND' low='4' high='6'>"
                  "<value name='SMALL' value='1'/><value name='LARGE' value='2'/></bitfield>"
                  "<bitfield name='OTHER' low='8' high='9' variants='A7XX-'/>"
                  "<bitfield name='WHAT' low='8' high='9' type='kind'/>"
                  "<bitfield name='BASE' low='12' high='19' shr='5' type='uint'/>"
                  "<bitfield name='FRACTION' low='20' high='31' radix='4' type='fixed'/></reg32>"
                  "<reg32 offset='0x8803' name='NUMBER' type='float'/>"
                  "<reg64 offset='0x8804' name='BASE' type='waddress'/>"
                  "<array offset='0x8810' name='ARRAY' stride='2' length='3'>"
                  "<reg32 offset='0' name='A' type='uint'/><reg32 offset='1' name='B' type='kind'/></array>"
                  "<reg32 offset='0x8c01' name='NAME_ALONE'/><reg32 offset='0x8c03' name='R' type='a3xx_regid'/>"
                  "<reg32 offset='0x8c02' name='LATE' type='late'/>"),
             &xml, &log),
        GPUCODE_OK);
    assert_string_equal(log.text, "");
    /* types that nobody has given yet: as it is built in */
    assert_int_equal(gpucode_meanings_words(gpucode_xml_meanings(xml), 6, 0x8804), 2);
    assert_int_equal(
        load(a6xx,
             "<database><bitset name='mode' inline='yes'><bitfield name='FIRST' low='0' high='15' type='int'/>"
             "<bitfield name='HIGH' low='16' high='16' type='boolean'/>"
             "<bitfield name='UNK20' low='20' high='23' type='uint'/></bitset>"
             "<enum name='kind'><value name='ZERO' value='0'/><value name='ONE' value='1'/>"
             "<value name='RESERVED'/></enum>"
             "<enum name='late'><value name='OLD' value='1' variants='A5XX'/>"
             "<value name='NEW' value='1' variants='A6XX-'/></enum></database>",
             &xml, &log),
        GPUCODE_OK);
    assert_string_equal(log.text, "");
    meaning(xml, 0x8801, 0x1ffff, "{ FIRST = -1 | HIGH }");
    meaning(xml, 0x8801, 0x100000, "{ FIRST = 0 | UNK20 = 0x1 }");
    meaning(xml, 0x8802, 0xfff03112, "{ ODD = 0x1 | KIND = SMALL | WHAT = ONE | BASE = 96 | FRACTION = -0.062500 }");
    meaning(xml, 0x8802, 0x1 | 1u << 10,
            "{ ON | ODD = 0 | KIND = 0 | WHAT = ZERO | BASE = 0 | FRACTION = 0.000000 | 0x400 }");
    meaning(xml, 0x8803, 0x3fc00000, "1.500000");
    meaning(xml, 0x8804, 0x100001000, "0x100001000");
    meaning(xml, 0x8812, 8, "8");
    meaning(xml, 0x8815, 1, "ONE");
    meaning(xml, 0x8815, 2, "0x2");
    meaning(xml, 0x8c02, 1, "NEW");
    meaning(xml, 0x8c03, 6, "r1.z");
    meaning(xml, 0x8c01, 5, "0x5"); /* built in: only the name is another one */
    meaning(xml, 0x8820, 0x7e0, "{ ROP_CODE = ROP_COPY | COMPONENT_ENABLE = 0xf }");
    /* another file names what is there, and is refused whole when something in it is wrong */
    assert_int_equal(load(a6xx, A6XX("<reg32 offset='0x8803' name='AGAIN' type='uint'/>"), &xml, &log), GPUCODE_OK);
    meaning(xml, 0x8803, 0x3fc00000, "1.500000");
    assert_int_equal(load(a6xx,
                          A6XX("<reg32 offset='0x8830' name='X' type='uint'>"
                               "<bitfield name='A' low='9' high='3'/></reg32>"),
                          &xml, &log),
                     GPUCODE_ERROR_INPUT);
    assert_string_equal(log.text, "xml-number 3:45;");
    meaning(xml, 0x8803, 0x3fc00000, "1.500000");
    gpucode_xml_free(xml);
}

/* Where an element does not say which chips have it, those of the element around it have it, not those of one before.
 */
static void variants_are_inherited(void)
{
    static const char array[] = "<array offset='0x8f10' name='FOREIGN' stride='1' length='2' variants='A5XX'>"
                                "<reg32 offset='0' name='CHILD'/></array>";
    static const struct {
        const char *variants; /* of what is around */
        bool ours;
    } rows[] = {{"", true}, {" variants='A6XX'", true}, {" variants='A5XX'", false}, {" variants='A7XX-'", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct log log;
        struct gpucode_xml *xml = NULL;
        char text[2048], name[GPUCODE_NAME_MAX];
        const char *around = rows[i].variants;
        snprintf(
            text, sizeof text,
            "<database><domain name='A6XX' width='32'>%s<array offset='0x8f20' name='OURS' stride='1' length='2'%s>"
            "<reg32 offset='0' name='CHILD'/></array>%s</domain>"
            "<enum name='adreno_pm4_type3_packets'%s><value name='CP_OURS' value='0x7b'/></enum>"
            "<domain name='A6XX' width='32'%s>%s<reg32 offset='0x8f30' name='LAST'/></domain></database>",
            array, around, array, around, around, array);
        assert_int_equal(load(a6xx, text, &xml, &log), GPUCODE_OK);
        assert_string_equal(log.text, "");
        assert_false(known(a6xx, xml, GPUCODE_SPACE_GPU, "FOREIGN[0].CHILD"));
        assert_int_equal(known(a6xx, xml, GPUCODE_SPACE_GPU, "OURS[0x1].CHILD"), rows[i].ours);
        assert_int_equal(known(a6xx, xml, GPUCODE_SPACE_GPU, "LAST"), rows[i].ours);
        /* packets of others can be read, but are not shown */
        assert_true(known(a6xx, xml, GPUCODE_SPACE_PACKET, "CP_OURS"));
        gpucode_name_of(a6xx, gpucode_xml_names(xml), GPUCODE_SPACE_PACKET, 0x7b, name, sizeof name);
        assert_int_equal(strcmp(name, "CP_OURS") == 0, rows[i].ours);
        gpucode_xml_free(xml);
    }
}

/* Registers common to all generations do not hide those of the GPU, whichever file is read first. */
static void own_domain_comes_first(void)
{
    struct log log;
    struct gpucode_xml *xml = NULL;
    assert_int_equal(load(a6xx,
                          "<database><domain name='AXXX'><reg32 offset='0x8801' name='COMMON' type='float'/></domain>"
                          "</database>",
                          &xml, &log),
                     GPUCODE_OK);
    assert_int_equal(load(a6xx, A6XX("<reg32 offset='0x8801' name='OWN' type='uint'/>"), &xml, &log), GPUCODE_OK);
    meaning(xml, 0x8801, 7, "7");
    gpucode_xml_free(xml);
}

TESTS(xml, test_sample, meanings_are_read, own_domain_comes_first, test_several_files, test_diagnostics, test_variants,
      variants_are_inherited, test_ends, test_hostile, test_cuts, test_arguments)
