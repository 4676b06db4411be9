/* SPDX-License-Identifier: MIT */
/* Scripts in traces, VBIOSes and logs; a trace test for each way in which the existing decoder fails. */
#include "support.h"

#include <stdio.h>

/* What was found, one line a script: origin, target, place, entry, starts, bytes. */
struct found {
    char text[4096];
};

static void take(void *user, const struct gpucode_hwsq_script *script)
{
    static const char *const origins[] = {"started", "uploaded", "vbios", "log"};
    struct found *found = user;
    char *at = found->text + strlen(found->text), *end = found->text + sizeof found->text;
    at += snprintf(at, (size_t)(end - at), "%s %s %llu @%x", origins[script->origin],
                   gpucode_target_name(script->target), (unsigned long long)script->line, script->address);
    if (script->origin == GPUCODE_HWSQ_TRIGGERED)
        at += snprintf(at, (size_t)(end - at), " entry %u%s%c x%u", script->entry, script->slot ? " slot " : "",
                       script->slot ? script->slot : ' ', script->starts);
    at += snprintf(at, (size_t)(end - at), "%s:", script->complete ? "" : " incomplete");
    for (size_t i = 0; i < script->size && end - at > 8; i++)
        at += snprintf(at, (size_t)(end - at), " %02x", script->bytes[i]);
    snprintf(at, (size_t)(end - at), "\n");
}

static enum gpucode_status extract(const char *target, const void *bytes, size_t size, struct found *found,
                                   struct told *told)
{
    unsigned count, lines = 0;
    struct gpucode_hwsq_extract_options options = {.target = target ? gpucode_target_find(target) : NULL,
                                                   .file_name = "file",
                                                   .on_diagnostic = told_handler(told),
                                                   .script = take,
                                                   .user = found};
    memset(found, 0, sizeof *found);
    enum gpucode_status status = gpucode_hwsq_extract(bytes, size, &options, &count);
    for (const char *c = found->text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(count, lines);
    return status;
}

static void finds(const char *target, const char *text, const char *expected, const char *codes)
{
    struct found found;
    struct told told;
    extract(target, text, strlen(text), &found, &told);
    if (strcmp(found.text, expected) != 0)
        fail_msg("%s\nfound:\n%s", text, found.text);
    assert_string_equal(told.codes, codes);
}

/* A device at d0000000 whose chipset is 94 (nv92) or 84 (nv50). */
#define HEAD(id)                                                                                                       \
    "VERSION 20070824\n"                                                                                               \
    "PCIDEV 0100 10de0622 10 d0000000 c000000c 0 ce000004 0 ef01 0 1000000 10000000 0 2000000 0 80 0 nvidia\n"         \
    "MAP 1.000000 1 0xd0000000 0xf8000000 0x1000000 0x0 0\n"                                                           \
    "R 4 1.000100 1 0xd0000000 0x0" id "000a2 0x0 0\n"
#define W(offset, value) "W 4 2.5 1 0xd" offset " " value " 0x0 0\n"
#define R(offset, value) "R 4 2.5 1 0xd" offset " " value " 0x0 0\n"

/* set1 16; ewait 0 1; set0 16; exit, as words */
#define WORD_0 "0x01005fb0"
#define WORD_1 "0x7f7f7fd0"
#define CODE " b0 5f 00 01 d0 7f\n"

static void a_driver_uploads_and_starts(void)
{
    finds(NULL,
          HEAD("94") W("0001304", "0x0") W("0001318", "0x0") W("0080000", WORD_0) W("0080004", WORD_1)
              W("000130c", "0x1"),
          "started hwsq:g94 9 @0 entry 0  x1:" CODE, "");
    finds(NULL,
          HEAD("84") W("0001304", "0x0") W("0001400", WORD_0) W("0001404", WORD_1) W("000130c", "0x3")
              W("000130c", "0x3"),
          "started hwsq:g84 8 @0 entry 0 slot A x2:" CODE, "");
}

static void the_trace_ends_after_the_upload(void)
{
    finds(NULL, HEAD("84") W("0001400", WORD_0) W("0001404", WORD_1), "uploaded hwsq:g84 6 @0:" CODE, "");
}

static void an_upload_that_does_not_start_at_word_0(void)
{
    finds(NULL, HEAD("84") W("0001440", WORD_0) W("0001444", WORD_1), "uploaded hwsq:g84 6 @40:" CODE, "");
    finds(NULL, HEAD("84") W("0001440", WORD_0) W("0001444", WORD_1) W("0001304", "0x40000000") W("000130c", "0xf"),
          "started hwsq:g84 8 @40 entry 3 slot A x1:" CODE, "");
}

static void an_upload_interrupted_by_other_accesses(void)
{
    finds(NULL,
          HEAD("84") W("0001400", WORD_0) R("0009400", "0x123")
              W("0610050", "0x1") "MARK 2.5 hello\nUNKNOWN 2.5 1 0xd0000000 0 0x0 0\n" W("0001404", WORD_1)
                  W("000130c", "0x3"),
          "started hwsq:g84 11 @0 entry 0 slot A x1:" CODE, "");
}

static void an_upload_in_any_order(void)
{
    finds(NULL, HEAD("84") W("0001404", WORD_1) W("0001400", WORD_0) W("000130c", "0x3"),
          "started hwsq:g84 7 @0 entry 0 slot A x1:" CODE, "");
}

static void an_upload_of_any_width(void)
{
    finds(NULL,
          HEAD("84") "W 1 2.5 1 0xd0001400 0xb0 0x0 0\nW 1 2.5 1 0xd0001401 0x5f 0x0 0\nW 2 2.5 1 0xd0001402 0x0100 "
                     "0x0 0\n"
                     "W 8 2.5 1 0xd0001404 0x7f7f7f7f7f7f7fd0 0x0 0\n" W("000130c", "0x1"),
          "started hwsq:g84 9 @0 entry 0 slot B x1:" CODE, "");
}

static void read_back_is_no_upload(void)
{
    finds(NULL, HEAD("84") R("0001400", WORD_0) R("0001404", WORD_1), "", "");
    finds(NULL,
          HEAD("84") W("0001400", WORD_0) W("0001404", WORD_1) R("0001400", WORD_0) R("0001404", WORD_1)
              W("000130c", "0x3"),
          "started hwsq:g84 9 @0 entry 0 slot A x1:" CODE, "");
    /* started without having been written: what was read is what runs */
    finds(NULL, HEAD("84") R("0001400", WORD_0) R("0001404", WORD_1) W("000130c", "0x3"),
          "started hwsq:g84 7 @0 entry 0 slot A x1:" CODE, "");
    finds(NULL, HEAD("84") W("0001400", "0x7f7f7f7f") R("0001400", "0x7f7f7f00") W("000130c", "0x3"),
          "started hwsq:g84 7 @0 entry 0 slot A x1: 00 7f\n", "extract-readback ");
}

static void scripts_uploaded_one_after_the_other(void)
{
    finds(NULL,
          HEAD("84") W("0001400", WORD_0) W("0001404", WORD_1) W("000130c", "0x3") W("0001400", "0x7f7f0e00")
              W("000130c", "0x3") W("000130c", "0x3"),
          "started hwsq:g84 7 @0 entry 0 slot A x1:" CODE "started hwsq:g84 9 @0 entry 0 slot A x2: 00 0e 7f\n", "");
    /* the first is never started, and not lost */
    finds(NULL, HEAD("84") W("0001400", WORD_0) W("0001404", WORD_1) W("0001400", "0x7f7f0e00") W("000130c", "0x3"),
          "uploaded hwsq:g84 6 @0:" CODE "started hwsq:g84 8 @0 entry 0 slot A x1: 00 0e 7f\n", "");
}

static void several_entry_points(void)
{
    /* entry 1 at 3 is inside what a decoder from byte 0 would take for the operand of addr */
    finds(NULL,
          HEAD("84") W("0001400", "0xb00000e0") W("0001404", "0x7f7fd002") W("0001304", "0x00000300")
              W("000130c", "0x7"),
          "started hwsq:g84 8 @3 entry 1 slot A x1: b0 02 d0 7f\n"
          "uploaded hwsq:g84 6 @0: e0 00 00 b0 02 d0 7f\n", /* what entry 0 would run */
          "");
}

static void no_chipset_in_the_trace(void)
{
    static const char trace[] =
        "VERSION 20070824\n"
        "PCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 nvidia\n" W("0001400", WORD_0)
            W("0001404", WORD_1) W("000130c", "0x3");
    finds(NULL, trace, "", "extract-target ");
    finds("hwsq:nv50", trace, "started hwsq:nv50 5 @0 entry 0 slot A x1:" CODE, "");
    finds(NULL, HEAD("2a") W("0001400", "0x7f7f7f00") W("000130c", "0x3"), "", "extract-no-hwsq ");
    /* a trace that uploads nothing needs no chipset */
    finds(NULL,
          "VERSION 20070824\nPCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 x\n" W("0009400", "0x1"),
          "", "");
    /* the chipset may be read later than the upload */
    finds(NULL,
          "VERSION 20070824\nPCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 x\n" W("0001400", WORD_0)
              W("0001404", WORD_1) W("000130c", "0x3") R("0000000", "0x084000a2"),
          "started hwsq:g84 5 @0 entry 0 slot A x1:" CODE, "");
}

/* A device that is named late: until then any address counts, from there on its own alone. */
static void device_named_late(void)
{
    finds(NULL,
          "VERSION 20070824\n" W(
              "0009400", "0x1") "PCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 x\n" R("0000000",
                                                                                                         "0x084000a2")
              W("0001400", WORD_0) W("0001404", WORD_1) W("1001404", "0x12345678") W("000130c", "0x3"),
          "started hwsq:g84 8 @0 entry 0 slot A x1:" CODE, "extract-device ");
    finds("hwsq:g84", "VERSION 20070824\n" W("0001400", WORD_0) W("1001404", WORD_1) W("000130c", "0x3"),
          "started hwsq:g84 4 @0 entry 0 slot A x1:" CODE, "extract-device ");
}

/* 0x45 is an NV40 though it is above 0x41: no numeric comparison. */
static void chipset_45_is_an_nv40(void)
{
    finds(NULL, HEAD("45") W("0001400", "0x7f0ea0a1") W("000130c", "0x3"),
          "started hwsq:nv45 6 @0 entry 0 slot A x1: a1 a0 0e 7f\n", "");
}

/* Trigger 3 on G92 is not a residue: with one slot bit 1 is ignored. Old drivers use the old window there. */
static void g92_through_the_old_window(void)
{
    finds(NULL, HEAD("92") W("0001400", WORD_0) W("0001404", WORD_1) W("000130c", "0x3"),
          "started hwsq:g92 7 @0 entry 0  x1:" CODE, "");
}

static void entry_points_above_0x100(void)
{
    finds(NULL,
          HEAD("94") W("0080100", WORD_0) W("0080104", WORD_1) W("0001304", "0x0") W("0001318", "0x1")
              W("000130c", "0x1"),
          "started hwsq:g94 9 @100 entry 0  x1:" CODE, "");
}

static void accesses_of_other_devices(void)
{
    finds(NULL,
          HEAD("84") "W 4 2.5 2 0xe0001400 0x12345678 0x0 0\n" W("0001400", WORD_0) W("0001404", WORD_1)
              W("000130c", "0x3"),
          "started hwsq:g84 8 @0 entry 0 slot A x1:" CODE, "");
}

static void code_that_was_not_seen_whole(void)
{
    finds(NULL, HEAD("84") W("0001400", WORD_0) W("000130c", "0x3"),
          "started hwsq:g84 6 @0 entry 0 slot A x1 incomplete: b0 5f 00 01\n", "");
}

/* What is just within a register, a window or the code RAM, and what is just behind it. */
static void ends_of_what_is_followed(void)
{
    /* an exit in front of which a script ends is one of its own when an entry point says so, else padding */
    finds(NULL, HEAD("84") W("0001400", WORD_0) W("0001404", WORD_1) W("0001304", "0x06000000"),
          "uploaded hwsq:g84 6 @0:" CODE "uploaded hwsq:g84 6 @6: 7f\n", "");
    /* a start behind the code RAM starts nothing: the one after it is the second of the same script */
    finds(NULL,
          HEAD("45") W("0001400", "0x7f0ea0a1") W("000130c", "0x3") W("0001304", "0xff") W("000130c", "0x3")
              W("0001304", "0x0") W("000130c", "0x3"),
          "started hwsq:nv45 6 @0 entry 0 slot A x2: a1 a0 0e 7f\n", "");
    /* the old window ends at 0x1500, the new one at 0x80200 */
    finds(NULL,
          HEAD("94") W("00014fc", "0x7f0ea0a1") W("0001500", "0x7f7f7f00") W("0001304", "0xfc") W("000130c", "0x1"),
          "started hwsq:g94 8 @fc entry 0  x1: a1 a0 0e 7f\n", "");
    finds(NULL,
          HEAD("94") W("00801fc", "0x7f0ea0a1") W("0080200", "0x7f7f7f00") W("0001304", "0xfc") W("0001318", "0x1")
              W("000130c", "0x1"),
          "started hwsq:g94 9 @1fc entry 0  x1: a1 a0 0e 7f\n", "");
    /* what lies behind the entry points is none */
    finds(NULL,
          HEAD("94") W("0080000", "0x7f0ea0a1") W("0080100", "0x7f0ea1a0") W("0001308", "0x1") W("000131c", "0x1")
              W("000130c", "0x1"),
          "started hwsq:g94 9 @0 entry 0  x1: a1 a0 0e 7f\nuploaded hwsq:g94 6 @100: a0 a1 0e 7f\n", "");
    /* a device whose registers end where the code RAM begins */
    finds("hwsq:g84",
          "VERSION 20070824\nPCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1400 0 0 0 0 0 0 x\n" W("0001400", WORD_0),
          "", "");
}

static void count(void *user, const struct gpucode_diagnostic *diagnostic)
{
    (void)diagnostic;
    ++*(unsigned *)user;
}

/* Words that are longer than numbers are, and the last warning that is given. */
static void words_that_are_long(void)
{
    static const char head[] = HEAD("84") "W 4 2.", tail[] = " 1 0xd0001400 0x0000000000000000000001005fb0 0x0 0\n";
    char text[sizeof head + sizeof tail + 400 + sizeof W("0001404", WORD_1)];
    snprintf(text, sizeof text, "%s%0400d%s%s", head, 5, tail, W("0001404", WORD_1));
    finds(NULL, text, "uploaded hwsq:g84 6 @0:" CODE, "");
    finds(NULL, HEAD("84") "W 4 2.5 1 0xd0001400 0x00000000000000000000000000000001005fb0 0x0 0\n", "",
          "extract-line ");
    static const char damaged[] = "VERSION 20070824\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n?\n";
    unsigned warnings = 0, scripts;
    struct gpucode_hwsq_extract_options options = {.on_diagnostic = {count, &warnings}};
    assert_int_equal(gpucode_hwsq_extract(damaged, sizeof damaged - 1, &options, &scripts), GPUCODE_OK);
    assert_int_equal(warnings, 20); /* of 21 */
    /* nobody need take the scripts */
    options.target = gpucode_target_find("hwsq:g84");
    assert_int_equal(gpucode_hwsq_extract("hwsq b0 7f\n", 11, &options, &scripts), GPUCODE_OK);
    assert_int_equal(scripts, 1);
}

static void lines_that_are_damaged(void)
{
    finds(NULL, HEAD("84") "W 4 2.5 1 0xd0001400\nW 3 2.5 1 0xd0001400 0 0 0\nnonsense\nW 4 x 1 0xd0001400 0x1 0 0\n",
          "", "extract-line extract-line extract-line extract-line ");
    finds("hwsq:nv50", "VERSION 20070824\n" W("0001400", "0x7f7f7f00") W("000130c", "0x3"),
          "started hwsq:nv50 3 @0 entry 0 slot A x1: 00 7f\n", "extract-device ");
}

/* --- VBIOS ------------------------------------------------------------------------------------------------- */

static void vbios_tables(void)
{
    unsigned char image[512] = {0x55, 0xaa};
    memcpy(image + 32, "\377\177NV\0", 5);
    memcpy(image + 100, "HWSQ\2\44", 6);
    memcpy(image + 106, "\0\3\0\0\xa0\x0e\x7f\xa1\x7f", 9);
    memset(image + 115, 0x7f, 27);
    memset(image + 142, 0x7f, 36);
    memcpy(image + 142, "\0\0\0\0\xc0", 5);
    struct found found;
    struct told told;
    assert_int_equal(extract(NULL, image, sizeof image, &found, &told), GPUCODE_OK);
    char expected[512] = "vbios hwsq:nv17 106 @0: a0 0e 7f a1";
    for (unsigned i = 0; i < 28; i++)
        strcat(expected, " 7f");
    strcat(expected, "\nvbios hwsq:nv17 142 @0: c0");
    for (unsigned i = 0; i < 31; i++)
        strcat(expected, " 7f");
    strcat(expected, "\n");
    assert_string_equal(found.text, expected);
    /* another target, when asked */
    assert_int_equal(extract("hwsq:nv34", image, sizeof image, &found, &told), GPUCODE_OK);
    assert_int_equal(strncmp(found.text, "vbios hwsq:nv34 106 ", 20), 0);
    /* every cut of the file */
    for (size_t size = 100; size < 178; size++) {
        unsigned char *copy = malloc(size);
        memcpy(copy, image, size);
        enum gpucode_status status = extract(NULL, copy, size, &found, &told);
        assert_int_equal(status, GPUCODE_ERROR_INPUT);
        assert_string_equal(told.codes, size < 104 ? "extract-kind " : "extract-table ");
        /* the entry that is whole is found all the same */
        assert_int_equal(strncmp(found.text, "vbios hwsq:nv17 106 @0: a0", 26) == 0, size >= 142);
        assert_null(strstr(found.text, "142 @0"));
        free(copy);
    }
    /* not a BMP VBIOS: nothing says what it is for */
    image[32] = 0;
    assert_int_equal(extract(NULL, image, sizeof image, &found, &told), GPUCODE_ERROR_INPUT);
    assert_string_equal(told.codes, "extract-target ");
    image[105] = 4;
    assert_int_equal(extract("hwsq:nv17", image, sizeof image, &found, &told), GPUCODE_ERROR_INPUT);
    assert_string_equal(told.codes, "extract-table-size ");
}

/* --- logs --------------------------------------------------------------------------------------------------- */

static void logs(void)
{
    finds("hwsq:nv50", "[   12.3] nouveau 0000:01:00.0: bus: hwsq cmd: b0 5f 00 01 d0 7f\n", "log hwsq:nv50 1 @0:" CODE,
          "");
    finds("hwsq:nv50",
          "boot\n[  1.0] nouveau 0000:01:00.0: bus: hwsq exec timeout\n[  1.0] nouveau 0000:01:00.0: bus: \t01005fb0\n"
          "[  1.0] nouveau 0000:01:00.0: bus: \t7f7f7fd0\n[  1.1] nouveau 0000:01:00.0: fb: done 12345678\n",
          "log hwsq:nv50 2 @0: b0 5f 00 01 d0 7f 7f 7f\n", "");
    finds("hwsq:nv50", "HWSQ: 0x7f7f7fb0\nother\nhwsq 00 7f\n",
          "log hwsq:nv50 1 @0: b0 7f 7f 7f\nlog hwsq:nv50 3 @0: 00 7f\n", "");
    finds(NULL, "hwsq b0 7f\n", "", "extract-target ");
    /* runs of bytes; pointers are none */
    finds("hwsq:nv50", "hwsq code = B05F0001D07F\n", "log hwsq:nv50 1 @0:" CODE, "");
    finds("hwsq:nv50", "hwsq at ffff888012345678 b0 7f\n", "log hwsq:nv50 1 @0: b0 7f\n", "");
    /* numbers that are not of the dump */
    finds("hwsq:nv50", "hwsq 12 bytes: b0 5f 00 01 d0 7f\r\n", "log hwsq:nv50 1 @0:" CODE, "");
    finds("hwsq:nv50", "hwsq[10]: 0x01005fb0\nhwsq[11]: 0x7f7f7fd0\n", "log hwsq:nv50 1 @0: b0 5f 00 01 d0 7f 7f 7f\n",
          "");
    finds("hwsq:nv50", "hwsq: 00000000: b0 5f 00 01  .__b0.\nhwsq: 00000004: d0 7f              ..\n",
          "log hwsq:nv50 1 @0:" CODE, "");
    finds("hwsq:nv50", "hwsq:\n00000000  b0 5f 00 01  d0 7f   |._..ab 12|\nend\n", "log hwsq:nv50 1 @0:" CODE, "");
    /* two dumps, one after the other */
    finds("hwsq:nv50", "hwsq: b0 7f\nhwsq: d0 7f\n", "log hwsq:nv50 1 @0: b0 7f\nlog hwsq:nv50 2 @0: d0 7f\n", "");
    finds("hwsq:nv50", "hwsq: b0 7f\nhwsq: 7f 7f\n", "log hwsq:nv50 1 @0: b0 7f 7f 7f\n", "");
    finds("hwsq:nv50", "hwsq: b0 5f 00\nhwsq: 01 d0 7f\nhwsq done\n90 7f\n",
          "log hwsq:nv50 1 @0:" CODE "log hwsq:nv50 3 @0: 90 7f\n", "");
    /* the word stands alone; a colon at the end of a line makes no offset of the number before it */
    finds("hwsq:nv50", "hwsq0 b0 7f\n", "", "extract-kind ");
    finds("hwsq:nv50", "hwsqz b0 7f\n", "", "extract-kind ");
    finds("hwsq:nv50", "hwsq a0 b0 c0 7f:", "log hwsq:nv50 1 @0: a0 b0 c0 7f\n", "");
    finds("hwsq:nv50", "hwsq 10: \n", "", "");
    finds("hwsq:nv50", "nothing here\n", "", "extract-kind ");
    finds("hwsq:nv50", "hwsq starts\n", "", "");
    finds("hwsq:nv50", "", "", "extract-kind ");
}

TESTS(extract, a_driver_uploads_and_starts, the_trace_ends_after_the_upload, an_upload_that_does_not_start_at_word_0,
      an_upload_interrupted_by_other_accesses, an_upload_in_any_order, an_upload_of_any_width, read_back_is_no_upload,
      scripts_uploaded_one_after_the_other, several_entry_points, no_chipset_in_the_trace, device_named_late,
      chipset_45_is_an_nv40, g92_through_the_old_window, entry_points_above_0x100, accesses_of_other_devices,
      code_that_was_not_seen_whole, ends_of_what_is_followed, words_that_are_long, lines_that_are_damaged, vbios_tables,
      logs)
