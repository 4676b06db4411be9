/* SPDX-License-Identifier: MIT */
/* Crash dumps: sections and keys, encoded words, numbers that are none, places in streams. */
#include "group.h"
#include <gpucode/crash.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char heard[1024];

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    size_t length = strlen(heard);
    (void)user;
    assert_non_null(gpucode_explain(diagnostic->code));
    assert_string_equal(diagnostic->file, "dump");
    snprintf(heard + length, sizeof heard - length, "%s:%u ", diagnostic->code, diagnostic->line);
}

/* Opens a copy of exactly that size, so that sanitizers see reads after it. */
static struct gpucode_crash *open_text(const char *text, char **copy)
{
    struct gpucode_crash_options options = {.file_name = "dump", .on_diagnostic = {hear, NULL}};
    struct gpucode_crash *crash;
    size_t size = strlen(text);
    heard[0] = 0;
    *copy = malloc(size + !size);
    assert_non_null(*copy);
    memcpy(*copy, text, size);
    enum gpucode_status status = gpucode_crash_open(*copy, size, &options, &crash);
    assert_true(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !crash));
    return crash;
}

static void test_arguments(void)
{
    struct gpucode_crash_position position;
    struct gpucode_crash *crash = (struct gpucode_crash *)&position;
    struct gpucode_crash_ring ring;
    uint32_t value;
    void *bytes;
    size_t size;
    assert_int_equal(gpucode_crash_open("", 0, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_open(NULL, 1, NULL, &crash), GPUCODE_ERROR_ARGUMENT);
    assert_null(crash);
    assert_int_equal(gpucode_crash_open("", 0, NULL, &crash), GPUCODE_ERROR_INPUT);
    assert_int_equal(gpucode_crash_redact(NULL, 0, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
    assert_null(gpucode_crash_head(NULL));
    assert_false(gpucode_crash_position(NULL, &position));
    assert_false(gpucode_crash_ring(NULL, 0, &ring));
    assert_false(gpucode_crash_read(NULL, 0, &value));
    assert_false(gpucode_crash_table(NULL, NULL));
    assert_false(gpucode_crash_recognise(NULL, 0));
    assert_false(gpucode_crash_protection(NULL, NULL));
    assert_false(gpucode_crash_handler(NULL, 1, NULL));
    assert_int_equal(gpucode_crash_load(NULL, 0, &value, 4), 0);
    gpucode_crash_free(NULL);
}

static void test_head(void)
{
    char *copy;
    struct gpucode_crash *crash =
        open_text("---\nkernel: 6.9\ncomm: a: b \nfuture: x\n  - y: 1\nrevision: 0 (67.5.10.1)\n"
                  "fault-info:\n  - far: 1234\n  - dir=WRITE\nrbbm-status: 0x00000010\n",
                  &copy);
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    struct gpucode_crash_fault fault;
    assert_non_null(head);
    assert_string_equal(head->kernel, "6.9");
    assert_string_equal(head->comm, "a: b");
    assert_int_equal(head->chip_id, 0x43050a01);
    assert_string_equal(head->gpu, "A740");
    assert_string_equal(head->generation, "a7xx");
    assert_int_equal(head->status, 0x10);
    assert_true(gpucode_crash_fault(crash, &fault));
    assert_int_equal(fault.iova, 0x1234);
    assert_string_equal(fault.direction, "WRITE");
    assert_string_equal(heard, "");
    gpucode_crash_free(crash);
    free(copy);
}

/* The status of protection has another form on a5xx, which tells in its interrupts alone that there was a violation. */
static void test_protection(void)
{
    static const struct {
        const char *revision, *registers;
        bool refused, write, halted;
    } rows[] = {
        {"630 (6.3.0.2)", "0x002090, value: 0x00608c01", true, true, true},
        {"630 (6.3.0.2)", "0x002090, value: 0x00508c01", true, false, false},
        {"630 (6.3.0.2)", "0x002090, value: 0x00008c01", false, true, false},
        {"530 (5.3.0.2)", "0x2c70, value: 0x01023004 }\n  - { offset: 0x2c60, value: 0x00000010", true, true, false},
        {"530 (5.3.0.2)", "0x2c70, value: 0x00023004 }\n  - { offset: 0x2c60, value: 0x00000010", true, false, false},
        {"530 (5.3.0.2)", "0x2c70, value: 0x01023004", false, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gpucode_crash_protection protection;
        char text[256], *copy;
        snprintf(text, sizeof text, "---\nrevision: %s\nregisters:\n  - { offset: %s }\n", rows[i].revision,
                 rows[i].registers);
        struct gpucode_crash *crash = open_text(text, &copy);
        assert_true(gpucode_crash_protection(crash, &protection));
        assert_int_equal(protection.number, 0x8c01);
        assert_int_equal(protection.refused, rows[i].refused);
        assert_int_equal(protection.write, rows[i].write);
        assert_int_equal(protection.halted, rows[i].halted);
        gpucode_crash_free(crash);
        free(copy);
    }
}

static void test_words(void)
{
    char *copy;
    uint32_t words[4] = {9, 9, 9, 9};
    static const unsigned char bytes[16] = {1}; /* of the words, as the GPU has them */
    struct gpucode_crash_buffer buffer;
    assert_int_equal(gpucode_crash_ascii85("z!!!!\"s8W-!z", 12, words, 4), 4);
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 1);
    assert_int_equal(words[2], UINT32_MAX);
    /* one above the highest word, a character that is none, a group that is cut off */
    assert_int_equal(gpucode_crash_ascii85("s8W-\"", 5, words, 4), 0);
    assert_int_equal(gpucode_crash_ascii85("z!!v!!", 6, words, 4), 1);
    assert_int_equal(gpucode_crash_ascii85("zz!!!", 5, words, 4), 2);
    struct gpucode_crash *crash =
        open_text("bos:\n  - iova: 0x1000\n    size: 16\n    data: !!ascii85 |\n     !!!!\"zv\n"
                  "  - iova: 0x2000\n    size: 4\n    name:  \n",
                  &copy);
    assert_string_equal(heard, "crash-ascii85:5 ");
    assert_true(gpucode_crash_buffer(crash, 0, &buffer));
    assert_int_equal(buffer.data.count, 2);
    assert_true(buffer.dumped);
    assert_int_equal(gpucode_crash_load(crash, 0x1000, words, 16), 16);
    assert_memory_equal(words, bytes, 16);
    assert_int_equal(gpucode_crash_load(crash, 0x100e, words, 16), 2);
    assert_int_equal(gpucode_crash_load(crash, 0x2000, words, 4), 0);
    assert_true(gpucode_crash_buffer(crash, 1, &buffer));
    assert_null(buffer.name);
    assert_false(gpucode_crash_buffer(crash, 2, &buffer));
    gpucode_crash_free(crash);
    free(copy);
}

static void test_numbers(void)
{
    char *copy;
    struct gpucode_crash_ring ring;
    uint32_t value;
    struct gpucode_crash *crash =
        open_text("ringbuffer:\r\n  - id: 4294967296\r\n    rptr: -1\r\n    wptr: 7\r\nregisters:\r\n"
                  "  - { offset: 0x000010, value: 0x00000005 }\r\n  - { offset: 0x14 }\r\n"
                  "  - { offset: 0x000010, value: 0x00000006 }\r\n",
                  &copy);
    assert_string_equal(heard, "crash-number:2 crash-number:3 crash-register:7 ");
    assert_true(gpucode_crash_ring(crash, 0, &ring));
    assert_int_equal(ring.wptr, 7);
    assert_true(gpucode_crash_read(crash, 4, &value));
    assert_int_equal(value, 6);
    assert_false(gpucode_crash_read(crash, 5, &value));
    gpucode_crash_free(crash);
    free(copy);
    crash = open_text("nothing\n", &copy);
    assert_null(crash);
    assert_string_equal(heard, "crash-unknown:0 ");
    free(copy);
}

static void test_troubles(void)
{
    struct gpucode_crash_options options = {.limit = 8, .file_name = "dump", .on_diagnostic = {hear, NULL}};
    struct gpucode_crash *crash;
    char *copy, lines[1024] = "registers:\n";
    heard[0] = 0;
    assert_int_equal(gpucode_crash_open("kernel: 1\n", 10, &options, &crash), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard, "crash-large:0 ");
    crash = open_text("bos:\n  - iova: 0x1000\n    data: !!ascii85 |\nkernel: 1\n", &copy);
    assert_string_equal(heard, "crash-no-data:3 ");
    assert_string_equal(gpucode_crash_head(crash)->kernel, "1");
    gpucode_crash_free(crash);
    free(copy);
    for (int i = 0; i < 15; i++)
        strcat(lines, "  - {\n");
    crash = open_text(lines, &copy);
    assert_non_null(strstr(heard, "crash-register:13 crash-warnings:0 "));
    gpucode_crash_free(crash);
    free(copy);
}

/* "kernel: 1", without the check sum at its end */
static void test_damaged(void)
{
    static const unsigned char bytes[] = {31, 139, 8,   0,  0,   0,   0,  0,  2,   3, 203,
                                          78, 45,  202, 75, 205, 177, 82, 48, 228, 2, 0};
    struct gpucode_crash_options options = {.file_name = "dump", .on_diagnostic = {hear, NULL}};
    struct gpucode_crash *crash;
    heard[0] = 0;
    assert_true(gpucode_crash_recognise(bytes, sizeof bytes));
    assert_int_equal(gpucode_crash_open(bytes, sizeof bytes, &options, &crash), GPUCODE_OK);
    assert_string_equal(heard, "crash-damaged:0 ");
    assert_string_equal(gpucode_crash_head(crash)->kernel, "1");
    gpucode_crash_free(crash);
}

/* Sections of a snapshot: a register and one that is shorter than it says, one that leaves the file. */
static void test_snapshot(void)
{
    static const unsigned char bytes[] = {2,    0,    0x4d, 0x50, 0,  0, 3, 0, 0, 0, 5, 0x44, /* head: A830 */
                                          0xcd, 0xab, 1,    2,    20, 0, 0, 0, 2, 0, 0, 0,    /* two registers */
                                          0,    8,    0,    0,    5,  0, 0, 0,                /* but one is there */
                                          0xcd, 0xab, 1,    2,    99, 0, 0, 0};
    struct gpucode_crash_options options = {.file_name = "dump", .on_diagnostic = {hear, NULL}};
    struct gpucode_crash *crash;
    uint32_t value;
    heard[0] = 0;
    assert_int_equal(gpucode_crash_open(bytes, sizeof bytes, &options, &crash), GPUCODE_OK);
    assert_string_equal(heard, "crash-short:0 crash-section:0 crash-short:0 ");
    assert_int_equal(gpucode_crash_head(crash)->format, GPUCODE_CRASH_KGSL);
    assert_string_equal(gpucode_crash_head(crash)->gpu, "A830");
    assert_true(gpucode_crash_read(crash, 0x800, &value));
    assert_int_equal(value, 5);
    gpucode_crash_free(crash);
}

static void test_names(void)
{
    char *copy;
    struct gpucode_crash_block block;
    struct gpucode_crash *crash = open_text(
        "indexed-registers:\n  - regs-name: CP_BV_SQE_STAT_ADDR\n    dwords: 64\n  - regs-name: CP_BV_SQE_STAT_ADDR\n"
        "    dwords: 512\n  - regs-name: CP_MEMPOOOL\n    dwords: 1\n  - regs-name: CP_NEW_ADDR\n    dwords: 1\n",
        &copy);
    static const char *const wanted[] = {"BV_SQE_STAT", "BV_DRAW_STATE", "MEM_POOL_DBG", "CP_NEW_ADDR"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(gpucode_crash_block(crash, i, &block));
        assert_string_equal(block.name, wanted[i]);
    }
    assert_false(gpucode_crash_block(crash, 4, &block));
    gpucode_crash_free(crash);
    free(copy);
}

/* The chip that a target stands for, else the first one of its generation; numbers of registers by what they are for.
 */
static void test_targets(void)
{
    static const struct {
        const char *target;
        uint32_t chip, base;
    } wanted[] = {
        {"afuc:a530", 0x05030002, 0x800},
        {"afuc:a630", 0x06030002, 0x800},
        {"afuc:a702", 0x07002000, 0x800},
        {"afuc:a740", 0x43050a01, 0x800},
        {"afuc:gen71500", 0x43030c00, 0x800},
        {"afuc:gen71700", 0x43050a01, 0x800},
        {"afuc:gen80100", 0x44070041, 0x800},
        {"afuc:gen80300", 0x44050000, 0x800},
        {"hwsq:g94", 0, 0},
        {"ir3:a630", 0, 0},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct gpucode_target *target = gpucode_target_find(wanted[i].target);
        assert_int_equal(gpucode_crash_chip(target), wanted[i].chip);
        assert_int_equal(gpucode_crash_number_of(target, GPUCODE_CRASH_RB_BASE), wanted[i].base);
        assert_int_equal(gpucode_crash_number_of(target, GPUCODE_CRASH_ROLES), 0);
        assert_int_equal(gpucode_crash_number_of(target, (enum gpucode_crash_role)99), 0);
    }
    assert_int_equal(gpucode_crash_chip(NULL), 0);
    assert_int_equal(gpucode_crash_number_of(NULL, GPUCODE_CRASH_RB_BASE), 0);
    assert_int_equal(gpucode_crash_number_of(gpucode_target_find("afuc:gen80000"), GPUCODE_CRASH_IB1_AVAIL), 0x919);
}

static const char *text_of(const struct gpucode_answer_value *value, const char *key)
{
    const struct gpucode_answer_value *member = gpucode_answer_member(value, key);
    assert_non_null(member);
    return member->text;
}

/* The explanation as a value: what a caller reads without printing anything. */
static void test_explained(void)
{
    static const char text[] = "---\nkernel: 6.9.0\nrevision: 630 (6.3.0.2)\nrbbm-status: 0x00000000\n"
                               "registers:\n  - { offset: 0x002000, value: 0x00000001 }\n"
                               "bos:\n  - iova: 0x0000000100000000\n    size: 4096\n";
    struct gpucode_answer *answer = gpucode_answer_create();
    const struct gpucode_answer_value *value;
    char *copy;
    struct gpucode_crash *crash = open_text(text, &copy);
    assert_int_equal(gpucode_crash_explain(crash, NULL, answer), GPUCODE_OK);
    value = gpucode_answer_first(answer);
    assert_string_equal(text_of(value, "format"), "devcoredump");
    assert_non_null(strstr(text_of(value, "verdict"), "No error is flagged"));
    assert_string_equal(text_of(gpucode_answer_member(value, "gpu"), "name"), "A630");
    const struct gpucode_answer_value *buffer = gpucode_answer_member(value, "buffers")->first;
    assert_true(gpucode_answer_member(buffer, "iova")->number == 0x100000000);
    assert_true(buffer->quiet);
    assert_null(gpucode_answer_member(value, "position"));
    gpucode_answer_free(answer);
    answer = gpucode_answer_create();
    assert_int_equal(gpucode_crash_explain_section(crash, "registers", NULL, answer), GPUCODE_OK);
    value = gpucode_answer_member(gpucode_answer_first(answer), "lines")->first;
    assert_non_null(value->next);
    assert_int_equal(gpucode_crash_explain_section(crash, "nothing", NULL, answer), GPUCODE_ERROR_INPUT);
    gpucode_answer_free(answer);
    gpucode_crash_free(crash);
    free(copy);
}

static void test_explained_log(void)
{
    static const char line[] = "*** gpu fault: iova=0000000000001000 dir=READ type=TRANSLATION source=CP (0,0,0,0)\n";
    struct gpucode_answer *answer = gpucode_answer_create();
    assert_true(gpucode_crash_log_recognise(line, strlen(line)));
    assert_int_equal(gpucode_crash_explain_log(line, strlen(line), NULL, answer), GPUCODE_OK);
    const struct gpucode_answer_value *status = gpucode_answer_member(gpucode_answer_first(answer), "status");
    const struct gpucode_answer_value *fault = gpucode_answer_member(status, "fault");
    assert_true(gpucode_answer_member(fault, "iova")->number == 0x1000);
    assert_int_equal(gpucode_crash_explain_log("nothing", 7, NULL, answer), GPUCODE_ERROR_INPUT);
    gpucode_answer_free(answer);
}

TESTS(loader, test_arguments, test_head, test_words, test_numbers, test_names, test_targets, test_troubles,
      test_damaged, test_snapshot, test_protection, test_explained, test_explained_log)
