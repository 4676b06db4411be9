/* SPDX-License-Identifier: MIT */
/*
 * Any text as an editor's source. It assembles to what gpucode_assemble() makes of it; words, statements and
 * diagnostics lie in their files; every symbol's words name it; what an instruction begins with can be asked anywhere.
 */
#include "given.h"

static char included[] = ".equ IN, 4\n.macro deep a\n\\a: nop\nx\\@: mov $01, IN\n.endm\nlabel: nop\n";

static void ignore_expected(void *user, const struct gpucode_expected *expected)
{
    (void)user;
    check(!expected->length || expected->name);
}

static void check_words(const struct gpucode_source *source)
{
    struct gpucode_source_file file;
    uint32_t symbol_count, before = 0;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &symbol_count);
    for (uint32_t f = 0; gpucode_source_file(source, f, &file); f++) {
        uint32_t count;
        const struct gpucode_word *words = gpucode_source_words(source, f, &count);
        for (uint32_t i = 0; i < count; i++) {
            check(words[i].file == f && words[i].span.offset <= file.length &&
                  words[i].span.length <= file.length - words[i].span.offset);
            check(!i || words[i].span.offset >= words[i - 1].span.offset);
            check(words[i].symbol == GPUCODE_NONE || words[i].symbol < symbol_count);
            check(gpucode_source_word(source, before + i) == &words[i]);
            if (words[i].symbol != GPUCODE_NONE && !words[i].part)
                check(strlen(symbols[words[i].symbol].name) == words[i].span.length &&
                      memcmp(symbols[words[i].symbol].name, file.text + words[i].span.offset, words[i].span.length) ==
                          0);
        }
        before += count;
        struct gpucode_span span;
        for (size_t at = 0; at <= file.length; at += 7)
            if (gpucode_source_statement(source, f, at, &span)) {
                check(span.offset <= at && span.offset + span.length <= file.length);
                gpucode_source_word_at(source, f, at);
                gpucode_expect(gpucode_source_chip(source), NULL, file.text + span.offset, at - span.offset,
                               ignore_expected, NULL);
            }
    }
    for (uint32_t i = 0; i < symbol_count; i++)
        for (uint32_t at = symbols[i].first, seen = 0; at != GPUCODE_NONE; seen++) {
            const struct gpucode_word *word = gpucode_source_word(source, at);
            check(word && word->symbol == i && seen <= before);
            at = word->next;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_asm_options options = {
        .target = given_source_target(bytes, size), .include = given_include, .user = included};
    struct gpucode_source *source;
    struct gpucode_program *program;
    enum gpucode_status status = gpucode_source_read((const char *)bytes, size, &options, &source);
    check(gpucode_assemble((const char *)bytes, size, &options, &program) == status);
    check(status == GPUCODE_OK || status == GPUCODE_ERROR_INPUT);
    const struct gpucode_program *same = gpucode_source_program(source);
    check(!program == !same);
    if (program) {
        check(gpucode_program_size(program) == gpucode_program_size(same));
        check(memcmp(gpucode_program_bytes(program), gpucode_program_bytes(same), gpucode_program_size(same)) == 0);
    }
    uint32_t count, errors = 0;
    struct gpucode_source_file file;
    const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &count);
    for (uint32_t i = 0; i < count; i++) {
        errors += diagnostics[i].severity == GPUCODE_ERROR;
        check(diagnostics[i].file == GPUCODE_NONE || gpucode_source_file(source, diagnostics[i].file, &file));
        check(diagnostics[i].file == GPUCODE_NONE ||
              diagnostics[i].span.offset + diagnostics[i].span.length <= file.length);
        check(!diagnostics[i].replacement ||
              diagnostics[i].replaced.offset + diagnostics[i].replaced.length <= file.length);
    }
    check((errors != 0) == (status == GPUCODE_ERROR_INPUT));
    check_words(source);
    gpucode_program_free(program);
    gpucode_source_free(source);
    return 0;
}
