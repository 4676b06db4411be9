/* SPDX-License-Identifier: MIT */
/* Damaged files: never a crash, never other code than what was written. */
#include "assembling.h"

#include <gpucode/elf.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = ".macro m\nnop\nnop\n.endm\n[01730001]\n[01000000]\nfirst: m\n.section BV\nsecond: nop\n";

struct file {
    unsigned char *bytes;
    size_t size;
    struct gpucode_program *program;
};

static struct file make_file(void)
{
    struct assembled made;
    struct gpucode_asm_options options = {.target = target_named("afuc:a7xx"), .record_lines = true};
    struct file file;
    void *bytes;
    assemble_bytes(&made, source, strlen(source), &options);
    assert_int_equal(made.status, GPUCODE_OK);
    assert_int_equal(gpucode_elf_write(made.program, "a.asm", &bytes, &file.size), GPUCODE_OK);
    file.bytes = bytes;
    file.program = made.program;
    return file;
}

static void free_file(struct file *file)
{
    gpucode_program_free(file->program);
    free(file->bytes);
}

/* Reads a copy of exactly that size; returns what was said. */
static enum gpucode_status read_copy(const unsigned char *bytes, size_t size, struct heard *heard, size_t *code_size)
{
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    *heard = (struct heard){0};
    struct gpucode_diagnostic_handler handler = listen(heard);
    struct gpucode_elf_code code = {0};
    enum gpucode_status status = gpucode_elf_read(copy, size, "a.elf", &handler, &code);
    *code_size = code.size;
    free(code.bytes);
    free(copy);
    return status;
}

static void every_cut_is_noticed(void)
{
    struct file file = make_file();
    struct heard heard;
    size_t size;
    for (size_t cut = 0; cut < file.size; cut++) {
        /* the table of sections is at the end */
        assert_int_equal(read_copy(file.bytes, cut, &heard, &size), GPUCODE_ERROR_UNSUPPORTED);
        assert_int_equal(heard.count, 0);
    }
    assert_int_equal(read_copy(file.bytes, file.size, &heard, &size), GPUCODE_OK);
    assert_int_equal(size, gpucode_program_size(file.program));
    free_file(&file);
}

/* Each byte with each bit turned: read, refused with a word, or no file of ours; code is never more than the file. */
static void every_turned_bit_is_survived(void)
{
    struct file file = make_file();
    unsigned refused = 0;
    for (size_t at = 0; at < file.size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            struct heard heard;
            size_t size;
            file.bytes[at] ^= (unsigned char)(1u << bit);
            enum gpucode_status status = read_copy(file.bytes, file.size, &heard, &size);
            file.bytes[at] ^= (unsigned char)(1u << bit);
            assert_true(status == GPUCODE_OK || status == GPUCODE_ERROR_UNSUPPORTED || status == GPUCODE_ERROR_INPUT);
            assert_int_equal(heard.errors, status == GPUCODE_ERROR_INPUT);
            assert_true(size <= file.size);
            refused += status == GPUCODE_ERROR_INPUT;
        }
    assert_true(refused > 100);
    free_file(&file);
}

/* The offset of the entry of section number `index` in the table. */
static size_t entry_of(const struct file *file, unsigned index)
{
    return (file->bytes[32] | (size_t)file->bytes[33] << 8) + 40 * (size_t)index;
}

static void damage_is_named(void)
{
    struct file file = make_file();
    struct heard heard;
    size_t size, moved = entry_of(&file, 3) + 12; /* the address of .text.BV */
    file.bytes[moved] ^= 4;
    assert_int_equal(read_copy(file.bytes, file.size, &heard, &size), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard.said[0].code, "elf-code");
    file.bytes[moved] ^= 4;
    /* sections: .prefix, .text, .text.BV, .note.gpucode and what can be left out; the next one gets the name of one */
    for (unsigned i = 1; i <= 4; i += 3) {
        unsigned char *name = file.bytes + entry_of(&file, 5), kept[4];
        memcpy(kept, name, sizeof kept);
        memcpy(name, file.bytes + entry_of(&file, i), sizeof kept);
        assert_int_equal(read_copy(file.bytes, file.size, &heard, &size), GPUCODE_ERROR_INPUT);
        assert_string_equal(heard.said[0].code, "elf-twice");
        memcpy(name, kept, sizeof kept);
    }
    unsigned char *target = memmem(file.bytes, file.size, "afuc:a7xx", 9);
    assert_non_null(target);
    *target = 'b';
    assert_int_equal(read_copy(file.bytes, file.size, &heard, &size), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard.said[0].code, "elf-note");
    assert_string_equal(heard.said[0].file, "a.elf");
    free_file(&file);
}

TESTS(damage, every_cut_is_noticed, every_turned_bit_is_survived, damage_is_named)
