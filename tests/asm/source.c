/* SPDX-License-Identifier: MIT */
/* What editors learn of a source: words, symbols, places in macros and files, what mends an error. */
#include "assembling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The included files: pairs of name and text, ended by null. */
static bool include_from(void *user, const char *from, const char *name, char **text, size_t *length)
{
    const char *const *pair = user;
    (void)from;
    for (; pair && *pair; pair += 2)
        if (strcmp(*pair, name) == 0) {
            *text = strdup(pair[1]);
            *length = strlen(pair[1]);
            return *text;
        }
    return false;
}

/* By file and place, longer ones first; no two are the same. */
static bool goes_before(const struct gpucode_word *a, const struct gpucode_word *b)
{
    if (a->file != b->file || a->span.offset != b->span.offset)
        return a->file != b->file ? a->file < b->file : a->span.offset < b->span.offset;
    return a->span.length > b->span.length ||
           (a->span.length == b->span.length && (a->kind != b->kind || a->symbol < b->symbol));
}

/* The length of the shortest word that covers a place, or else ends there; 0: there is none. */
static size_t shortest_at(const struct gpucode_word *words, uint32_t count, size_t offset, bool covers)
{
    size_t least = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t start = words[i].span.offset, end = start + words[i].span.length;
        if ((covers ? start <= offset && offset < end : end == offset) && (!least || words[i].span.length < least))
            least = words[i].span.length;
    }
    return least;
}

static void check_places(const struct gpucode_source *source, uint32_t file, const struct gpucode_source_file *of)
{
    uint32_t count = 0;
    struct gpucode_span span, before = {0, 0};
    const struct gpucode_word *words = gpucode_source_words(source, file, &count);
    for (size_t offset = 0; offset <= of->length; offset++) {
        uint32_t at = gpucode_source_word_at(source, file, offset);
        size_t covers = shortest_at(words, count, offset, true), ends = shortest_at(words, count, offset, false);
        assert_int_equal(at == GPUCODE_NONE ? 0 : words[at].span.length, covers ? covers : ends);
        if (covers)
            assert_true(words[at].span.offset <= offset && offset < words[at].span.offset + covers);
        else if (ends)
            assert_int_equal(words[at].span.offset + ends, offset);
        /* statements follow each other without gaps, to the end of the file */
        if (!gpucode_source_statement(source, file, offset, &span)) {
            assert_int_equal(before.length, 0);
            continue;
        }
        assert_true(span.offset <= offset && span.offset + span.length <= of->length);
        assert_true(offset < span.offset + span.length || span.offset + span.length == of->length);
        if (before.length)
            assert_true(span.offset == before.offset ? span.length == before.length
                                                     : span.offset == before.offset + before.length);
        before = span;
    }
}

/* The words of all files in their order, the words of each symbol as a list, and what stands at each place. */
static void check_source(const struct gpucode_source *source)
{
    struct gpucode_source_file file;
    uint32_t symbol_count, in_files = 0, of_symbols = 0, named = 0, count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &symbol_count);
    for (uint32_t i = 0; gpucode_source_file(source, i, &file); i++) {
        const struct gpucode_word *words = gpucode_source_words(source, i, &count);
        for (uint32_t k = 0; k < count; k++)
            assert_ptr_equal(gpucode_source_word(source, in_files + k), &words[k]);
        in_files += count;
        check_places(source, i, &file);
    }
    assert_null(gpucode_source_word(source, in_files));
    for (uint32_t i = 0; i < in_files; i++) {
        const struct gpucode_word *word = gpucode_source_word(source, i);
        assert_true(gpucode_source_file(source, word->file, &file));
        assert_true(word->span.length && word->span.offset + word->span.length <= file.length);
        assert_true(!i || goes_before(gpucode_source_word(source, i - 1), word));
        named += word->symbol != GPUCODE_NONE;
    }
    for (uint32_t s = 0; s < symbol_count; s++) {
        uint32_t defined = GPUCODE_NONE;
        for (uint32_t i = symbols[s].first, last = 0; i != GPUCODE_NONE;
             last = i, i = gpucode_source_word(source, i)->next) {
            assert_true(i == symbols[s].first || i > last);
            assert_int_equal(gpucode_source_word(source, i)->symbol, s);
            if (gpucode_source_word(source, i)->defines && defined == GPUCODE_NONE)
                defined = i;
            of_symbols++;
        }
        assert_int_equal(symbols[s].definition, defined);
    }
    assert_int_equal(of_symbols, named);
}

/* Tokens are words that stand in a file, with their lines and columns; `text` is that of the first. */
static void check_tokens(const struct gpucode_source *source, const char *text,
                         const struct gpucode_asm_options *options)
{
    struct gpucode_asm_options recording = *options;
    struct gpucode_program *program;
    struct gpucode_token token;
    uint32_t count, words = 0, tokens = 0;
    recording.record_tokens = recording.record_lines = true;
    if (gpucode_assemble(text, strlen(text), &recording, &program) != GPUCODE_OK)
        return;
    const struct gpucode_word *word = gpucode_source_words(source, 0, &count);
    for (uint32_t k = 0; k < count; k++)
        words += word[k].kind <= GPUCODE_TOKEN_COMMENT && word[k].kind != GPUCODE_TOKEN_USE && !word[k].expanded;
    for (unsigned i = 0; gpucode_program_token(program, i, &token); i++) {
        if (strcmp(token.file, "main") != 0)
            continue;
        uint32_t found = 0;
        bool use = token.kind == GPUCODE_TOKEN_USE; /* as a word perhaps a section's name, or a part of a longer name */
        while (found < count &&
               (word[found].span.offset != token.span.offset || (!use && word[found].kind != token.kind)))
            found++;
        if (found == count || (!use && word[found].span.length != token.span.length))
            fail_msg("%u:%u, %.*s", token.line, token.column, (int)token.span.length, text + token.span.offset);
        if (!use && token.kind != GPUCODE_TOKEN_COMMENT) {
            assert_int_equal(word[found].unit, token.unit);
            assert_int_equal(word[found].operand, token.operand);
        }
        tokens += !use;
        unsigned line = 1, column = 0;
        for (size_t at = 0; at < token.span.offset; at++) {
            column = text[at] == '\n' ? 0 : column + 1;
            line += text[at] == '\n';
        }
        assert_int_equal(token.line, line);
        assert_int_equal(token.column, column);
        struct gpucode_line made; /* of the unit that the instruction became */
        if (token.kind == GPUCODE_TOKEN_MNEMONIC && gpucode_program_line(program, token.unit, &made))
            assert_int_equal(made.line, line);
    }
    assert_int_equal(tokens, words);
    gpucode_program_free(program);
}

static struct gpucode_source *read_with(const char *text, const char *const *files, enum gpucode_status expected)
{
    struct gpucode_source *source = NULL;
    struct gpucode_asm_options options = {.file = "main", .include = include_from, .user = (void *)files};
    assert_int_equal(gpucode_source_read(text, strlen(text), &options, &source), expected);
    assert_non_null(source);
    check_source(source);
    check_tokens(source, text, &options);
    return source;
}

static struct gpucode_source *read_text(const char *text, enum gpucode_status expected)
{
    return read_with(text, NULL, expected);
}

/* The text of a word, in a static buffer. */
static const char *text_of(const struct gpucode_source *source, const struct gpucode_word *word)
{
    static char text[128];
    struct gpucode_source_file file;
    assert_true(gpucode_source_file(source, word->file, &file));
    snprintf(text, sizeof text, "%.*s", (int)word->span.length, file.text + word->span.offset);
    return text;
}

static uint32_t symbol_named(const struct gpucode_source *source, const char *name)
{
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(symbols[i].name, name) == 0)
            return i;
    fail_msg("no symbol %s", name);
    return 0;
}

/* Offsets of all words of a symbol: "12 40* 55", a star after definitions, a ~ where only a part stands. */
static const char *places_of(const struct gpucode_source *source, const char *name)
{
    static char text[256];
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &count);
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = symbols[symbol_named(source, name)].first; i != GPUCODE_NONE;) {
        const struct gpucode_word *word = gpucode_source_word(source, i);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:%zu%s%s", used ? " " : "", word->file,
                                 word->span.offset, word->defines ? "*" : "", word->part ? "~" : "");
        i = word->next;
    }
    return text;
}

static void words_have_kinds(void)
{
    struct gpucode_source *source = read_text(".target afuc:a630 ; x\n.equ SIZE, 4\nstart: (rep)mov $02, SIZE + 1\n"
                                              "cwrite $02, [$00 + @REG_READ_ADDR], 0x0\nmov $01, CP_SCRATCH[2].REG\n",
                                              GPUCODE_OK);
    static const struct {
        enum gpucode_token_kind kind;
        const char *text;
    } expected[] = {
        {GPUCODE_TOKEN_DIRECTIVE, ".target"},
        {GPUCODE_TOKEN_TARGET, "afuc:a630"},
        {GPUCODE_TOKEN_COMMENT, "; x"},
        {GPUCODE_TOKEN_DIRECTIVE, ".equ"},
        {GPUCODE_TOKEN_CONSTANT, "SIZE"},
        {GPUCODE_TOKEN_NUMBER, "4"},
        {GPUCODE_TOKEN_LABEL, "start"},
        {GPUCODE_TOKEN_FLAG, "(rep)"},
        {GPUCODE_TOKEN_MNEMONIC, "mov"},
        {GPUCODE_TOKEN_OPERAND, "$02"},
        {GPUCODE_TOKEN_OPERAND, "SIZE + 1"},
        {GPUCODE_TOKEN_USE, "SIZE"},
        {GPUCODE_TOKEN_NUMBER, "1"},
        {GPUCODE_TOKEN_MNEMONIC, "cwrite"},
        {GPUCODE_TOKEN_OPERAND, "$02"},
        {GPUCODE_TOKEN_OPERAND, "$00"},
        {GPUCODE_TOKEN_OPERAND, "@REG_READ_ADDR"},
        {GPUCODE_TOKEN_NAME, "REG_READ_ADDR"},
        {GPUCODE_TOKEN_NUMBER, "0x0"},
        {GPUCODE_TOKEN_MNEMONIC, "mov"},
        {GPUCODE_TOKEN_OPERAND, "$01"},
        {GPUCODE_TOKEN_OPERAND, "CP_SCRATCH[2].REG"},
        {GPUCODE_TOKEN_NAME, "CP_SCRATCH[2].REG"},
    };
    uint32_t count;
    const struct gpucode_word *words = gpucode_source_words(source, 0, &count);
    assert_int_equal(count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(text_of(source, &words[i]), expected[i].text);
        assert_int_equal(words[i].kind, expected[i].kind);
    }
    assert_int_equal(words[17].space, GPUCODE_SPACE_CONTROL);
    struct gpucode_row row;
    assert_true(gpucode_row(gpucode_source_chip(source), words[8].row, &row));
    assert_string_equal(row.mnemonic, "mov");
    assert_string_equal(places_of(source, "SIZE"), "0:27* 0:56");
    assert_non_null(gpucode_source_program(source));
    gpucode_source_free(source);
}

static void errors_hide_nothing(void)
{
    struct gpucode_source *source =
        read_text(".target afuc:a630\na: jump #b\nnop\nmvo $01, $02\nb: jump #a\nnop\nbrne $01, 3, #c\nnop\n",
                  GPUCODE_ERROR_INPUT);
    assert_null(gpucode_source_program(source));
    assert_string_equal(places_of(source, "a"), "0:18* 0:55");
    assert_string_equal(places_of(source, "b"), "0:27 0:46*");
    uint32_t count;
    const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &count);
    assert_int_equal(count, 2);
    assert_string_equal(diagnostics[0].code, "unknown-mnemonic");
    assert_int_equal(diagnostics[0].span.offset, 33);
    assert_string_equal(diagnostics[1].code, "undefined");
    gpucode_source_free(source);
    /* no target at all */
    source = read_text("one\n", GPUCODE_ERROR_INPUT);
    assert_null(gpucode_source_chip(source));
    gpucode_source_words(source, 0, &count);
    assert_int_equal(count, 0);
    gpucode_source_free(source);
}

static void macros_are_mapped(void)
{
    static const char text[] = ".target afuc:a630\n.equ K, 3\n.macro wait reg, where\nl\\@: brne \\reg, K, #l\\@\nnop\n"
                               "jump #\\where\nnop\n.endm\nwait $01, end\nwait $02, end\nend: nop\n";
    struct gpucode_source *source = read_text(text, GPUCODE_OK);
    size_t body = (size_t)(strchr(text, '@') - 2 - text), first = (size_t)(strstr(text, "$01") - text);
    size_t second = (size_t)(strstr(text, "$02") - text), end = (size_t)(strstr(text, "end: ") - text);
    char expected[128];
    /* the argument is where the name stands; the body's label is made up of two parts */
    snprintf(expected, sizeof expected, "0:%zu 0:%zu 0:%zu*", first + 5, second + 5, end);
    assert_string_equal(places_of(source, "end"), expected);
    snprintf(expected, sizeof expected, "0:%zu*~ 0:%zu~", body, body + 20);
    assert_string_equal(places_of(source, "l0"), expected);
    assert_string_equal(places_of(source, "l1"), expected);
    snprintf(expected, sizeof expected, "0:23* 0:%zu", body + 16);
    assert_string_equal(places_of(source, "K"), expected); /* once, though it was read twice */
    uint32_t count, macro = symbol_named(source, "wait");
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &count);
    assert_int_equal(symbols[macro].kind, GPUCODE_SOURCE_MACRO);
    assert_int_equal(symbols[macro].parameters, 2);
    assert_string_equal(symbols[macro + 1].name, "reg");
    assert_string_equal(symbols[macro + 1].parent, "wait");
    snprintf(expected, sizeof expected, "0:40* 0:%zu", body + 11);
    assert_string_equal(places_of(source, "reg"), expected);
    gpucode_source_free(source);
    /* an error in the body and one in an argument stand where they were written */
    source = read_text(".target afuc:a630\n.macro m a\nmvo $01, 3\nmov $01, \\a\n.endm\nm 1\nm 0x12345\n",
                       GPUCODE_ERROR_INPUT);
    const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &count);
    assert_int_equal(count, 6);
    assert_int_equal(diagnostics[0].span.offset, 29);
    assert_true(diagnostics[0].exact);
    assert_string_equal(diagnostics[1].code, "expanded-here");
    assert_int_equal(diagnostics[1].span.offset, 58);
    assert_string_equal(diagnostics[4].code, "out-of-range");
    assert_int_equal(diagnostics[4].span.offset, 64);
    assert_int_equal(diagnostics[4].span.length, 7);
    gpucode_source_free(source);
    /* what is made up stands in the body for it: the two characters of \\@ */
    source = read_text(".target afuc:a630\n.macro m\nmov \\@, $01\n.endm\nm\n", GPUCODE_ERROR_INPUT);
    diagnostics = gpucode_source_diagnostics(source, &count);
    assert_int_equal(diagnostics[0].span.offset, 31);
    assert_int_equal(diagnostics[0].span.length, 2);
    assert_false(diagnostics[0].exact);
    gpucode_source_free(source);
}

static void files_are_told_apart(void)
{
    static const char *const files[] = {"one.inc", ".equ ONE, 1\n.include \"two.inc\"\n", "two.inc",
                                        "two: mov $01, ONE\nbda\n", NULL};
    struct gpucode_source *source =
        read_with(".target afuc:a630\n.include \"one.inc\"\njump #two\nnop\n", files, GPUCODE_ERROR_INPUT);
    struct gpucode_source_file file;
    assert_true(gpucode_source_file(source, 2, &file));
    assert_string_equal(file.name, "two.inc");
    assert_false(gpucode_source_file(source, 3, &file));
    assert_string_equal(places_of(source, "two"), "0:43 2:0*");
    assert_string_equal(places_of(source, "ONE"), "1:5* 2:14");
    uint32_t count;
    const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &count);
    assert_int_equal(diagnostics[0].file, 2);
    assert_int_equal(diagnostics[0].span.offset, 22); /* where the colon is missed: at the end of the text */
    assert_string_equal(diagnostics[0].replacement, ":");
    assert_string_equal(text_of(source, &gpucode_source_words(source, 0, &count)[3]), "one.inc");
    gpucode_source_free(source);
}

static void sections_are_symbols(void)
{
    struct gpucode_source *source = read_text("[01730001]\n.section BV\na: nop\n.section LPAC\njump #BV:a\nnop\n"
                                              "mov $01, #BV::a\n",
                                              GPUCODE_OK);
    assert_string_equal(places_of(source, "BV"), "0:20* 0:50 0:69");
    assert_string_equal(places_of(source, "a"), "0:23* 0:53 0:73");
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &count);
    assert_int_equal(symbols[symbol_named(source, "a")].parent_symbol, symbol_named(source, "BV"));
    gpucode_source_free(source);
}

/* What mends the first diagnostic of a text: "OFFSET+LENGTH TEXT". */
static void expect_mended(const char *text, const char *mended)
{
    struct gpucode_source *source = read_text(text, GPUCODE_ERROR_INPUT);
    uint32_t count;
    const struct gpucode_source_diagnostic *first = gpucode_source_diagnostics(source, &count);
    char got[128];
    assert_non_null(first->replacement);
    snprintf(got, sizeof got, "%zu+%zu %s", first->replaced.offset, first->replaced.length, first->replacement);
    assert_string_equal(got, mended);
    gpucode_source_free(source);
}

static void hints_can_be_applied(void)
{
    expect_mended(".target afuc:a630\ncwrit $01, [$00 + @REG_READ_ADDR], 0x0\n", "18+5 cwrite");
    expect_mended(".target afuc:a630\ncwrite $01, [$00 + @REG_READ_ADR], 0x0\n", "37+13 @REG_READ_ADDR");
    expect_mended(".target afuc:a630\nhere: jump #her\nnop\n", "30+3 here");
    expect_mended(".target afuc:a63\nnop\n", "8+8 afuc:a630");
    expect_mended(".target afuc:a630\nhere\nnop\n", "22+0 :");
    expect_mended("[01730001]\n.section BV\na: nop\n.section LPAC\njump #a\nnop\n", "50+1 BV:a");
    expect_mended(".target afuc:a630\nmov $02, CP_RB_BAS\n", "27+9 CP_RB_BASE");
    expect_mended(".target hwsq:g94\nset1 #FB_PAUS\n", "22+8 #FB_PAUSE");
}

/* A note shows the end of a line that is not complete, where a statement begins in the next one. */
static void incomplete_lines(void)
{
    static const char line[] = ".target afuc:a630\nadd $02, $03";
    static const char *const statements[] = {"(rep)nop\n", "(rep)(sds2)(rep)nop\n",
                                             ".word 1\n",  "[01000000]\n",
                                             "b: nop\n",   "nop\n",
                                             " nop\n",     "; b\nnop\n",
                                             "\n\tnop\n",  "(rep)"};
    static const char *const others[] = {"(rep nop\n", "(rep)foo\n", "[0100000]\n", "*foo\n", "(rep)[0]\n"};
    const unsigned count = sizeof statements / sizeof *statements, all = count + sizeof others / sizeof *others;
    for (unsigned i = 0; i < all; i++) {
        char text[80];
        const char *behind = i < count ? statements[i] : others[i - count];
        snprintf(text, sizeof text, "%s\n%s", line, behind);
        struct gpucode_source *source = read_text(text, GPUCODE_ERROR_INPUT);
        uint32_t told;
        const struct gpucode_source_diagnostic *first = gpucode_source_diagnostics(source, &told);
        bool noted = told > 1 && strcmp(first[1].code, "line-ends") == 0;
        if (noted != (i < count))
            fail_msg("%s: %s", behind, first->code);
        size_t blanks = *behind == ';' ? 4 : strspn(behind, "\n\t ");
        assert_int_equal(first->span.offset, strlen(line) + 1 + blanks);
        if (noted)
            assert_int_equal(first[1].span.offset, strlen(line));
        gpucode_source_free(source);
    }
}

/* Each directive with what may stand in its line, names and numbers and comments, in a file and in a macro. */
static void words_of_directives(void)
{
    static const char *const files[] = {"none", "; nothing\r\n\n", NULL};
    static const char text[] =
        "; first\n.target afuc:a630 ; t\n.equ A, 1 ; a\n.equ B, A + (A << 2) ; b\n[016ee001]\n"
        ".macro two x, y ; head\n.word \\x + \\y, A + 1, B ; in\n.byte \\@, A, \\y, 0 ; at\nnop ; of\n"
        ".endm ; end\na: .word A, B + 1, 0x3 * A, #b - #a, A+1, A+2, A+3, A+4, A+5 ; many\n"
        ".align 4 ; x\n.byte ~A & 1, -B, !A, (A)\ntwo B, 3\n"
        "b:two 1, A ; once\n.org B + 60 + A ; there\n.skip A + 3 ; y\n.section S ; s\n"
        ".size A + 299\n.include \"none\" ; z\nnop;end";
    for (unsigned crlf = 0; crlf < 2; crlf++) {
        struct gpucode_source *source = NULL;
        struct gpucode_asm_options options = {.file = "main", .include = include_from, .user = (void *)files};
        char copy[2 * sizeof text], *out = copy;
        for (const char *at = text; *at; *out++ = *at++)
            if (*at == '\n' && crlf)
                *out++ = '\r';
        *out = 0;
        assert_int_equal(gpucode_source_read(copy, (size_t)(out - copy), &options, &source), GPUCODE_OK);
        check_source(source);
        check_tokens(source, copy, &options);
        uint32_t count; /* each of the symbols is defined by one word */
        const struct gpucode_source_symbol *symbols = gpucode_source_symbols(source, &count);
        for (uint32_t k = 0; k < count; k++) {
            unsigned definitions = 0;
            for (uint32_t i = symbols[k].first; i != GPUCODE_NONE; i = gpucode_source_word(source, i)->next)
                definitions += gpucode_source_word(source, i)->defines;
            if (definitions != 1)
                fail_msg("%s is defined by %u words", symbols[k].name, definitions);
        }
        gpucode_source_free(source);
    }
}

/* Parts of a section lie one after the other, whatever stands between them, and take their words along. */
static void words_of_parts(void)
{
    static const char text[] = ".target mme:fermi\n.section one\nmov $r1 0x1 // a\nx: mov $r2 0x2\n.section two\n"
                               "mov $r3 0x3 // b\ny: mov $r4 0x4\n.section one\nmov $r5 0x5\nbra #x\n.section three\n"
                               "mov $r6 0x6\n.section two\nbra #y\nexit\n.section one\nexit mov $r7 0x7\nnop // c";
    static const unsigned lines[] = {3, 4, 9, 10, 17, 18, 6, 7, 14, 15, 12}; /* of the units in their order */
    struct gpucode_source *source = read_text(text, GPUCODE_OK);
    uint32_t count, instructions = 0;
    const struct gpucode_word *words = gpucode_source_words(source, 0, &count);
    for (uint32_t i = 0; i < count; i++) {
        unsigned line = 1;
        for (size_t at = 0; at < words[i].span.offset; at++)
            line += text[at] == '\n';
        if (words[i].kind != GPUCODE_TOKEN_MNEMONIC)
            continue;
        assert_true(words[i].unit < sizeof lines / sizeof *lines);
        assert_int_equal(lines[words[i].unit], line);
        instructions++;
    }
    assert_int_equal(instructions, sizeof lines / sizeof *lines);
    gpucode_source_free(source);
}

static void statements_and_words_at_places(void)
{
    struct gpucode_source *source = read_text(".target afuc:a630\na: mov $01, K\n.equ K, 2\n", GPUCODE_OK);
    struct gpucode_span span;
    assert_true(gpucode_source_statement(source, 0, 25, &span));
    assert_int_equal(span.offset, 21);
    assert_int_equal(span.length, 11);
    uint32_t count, at = gpucode_source_word_at(source, 0, 31); /* after K, at the end of the line */
    const struct gpucode_word *words = gpucode_source_words(source, 0, &count);
    assert_int_equal(words[at].kind, GPUCODE_TOKEN_USE);
    assert_int_equal(gpucode_source_word_at(source, 0, 1000), GPUCODE_NONE);
    assert_false(gpucode_source_statement(source, 7, 0, &span));
    gpucode_source_free(source);
}

struct wanted {
    char text[512];
    size_t used;
};

static void add_expected(void *user, const struct gpucode_expected *expected)
{
    struct wanted *wanted = user;
    static const char kinds[] = "MOITE";
    wanted->used += (size_t)snprintf(wanted->text + wanted->used, sizeof wanted->text - wanted->used, "%s%c%u%.*s",
                                     wanted->used ? ", " : "", kinds[expected->kind], expected->operand,
                                     (int)expected->length, expected->name ? expected->name : "");
}

static void expect_next(const char *target, const char *text, const char *next)
{
    struct wanted wanted = {.used = 0};
    char *copy = malloc(strlen(text) + 1); /* its exact size, so that a sanitizer sees reading after it */
    assert_non_null(copy);
    memcpy(copy, text, strlen(text));
    assert_int_equal(gpucode_expect(target_named(target), NULL, copy, strlen(text), add_expected, &wanted), GPUCODE_OK);
    assert_string_equal(wanted.text, next);
    free(copy);
}

static void what_may_stand_there(void)
{
    expect_next("afuc:a630", "", "M0");
    expect_next("afuc:a630", "add $02, ", "O1source register, O1source register");
    expect_next("afuc:a630", "jump ", "O0branch target, words from the branch");
    expect_next("afuc:a630", "add $02, $03, 4 + ", "I216-bit immediate, I2second source register");
    expect_next("afuc:a630", "nop", "E0");
    expect_next("afuc:a630", "add $02", "T1, , T1, ");
    expect_next("afuc:a630", "cwrite $02, [$03 ", "T2 + ");
    expect_next("afuc:a630", "nonsense $01, ", "");
    expect_next("afuc:a630", "jump #label\n", "");
    expect_next("afuc:a630", "mov $02, #label\n", "");
    expect_next("mme:fermi", "bra #label\n", "");
    expect_next("hwsq:g94", "exit\n", "");
    char text[GPUCODE_TEXT_MAX];
    const struct gpucode_target *target = target_named("afuc:a630");
    struct gpucode_row row;
    unsigned add = 0;
    while (gpucode_row(target, add, &row) && strcmp(row.id, "ADD_IMM") != 0)
        add++;
    assert_true(gpucode_choice(target, add, 'd', 3, text, sizeof text) && strcmp(text, "$03") == 0);
    assert_int_equal(gpucode_choice(target, add, 'd', 32, text, sizeof text), 0);
    assert_int_equal(gpucode_choice(target, add, 'i', 0, text, sizeof text), 0); /* a number has no choices */
}

/* All directives that are listed exist: whatever else is wrong with a line, its directive is known. */
static void directives_exist(void)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        struct gpucode_directive directive;
        for (unsigned d = 0; gpucode_directive_at(target, d, &directive); d++) {
            char text[64];
            if (strcmp(directive.name, ".endm") == 0)
                continue;
            struct gpucode_source *source;
            struct gpucode_asm_options options = {.target = target};
            snprintf(text, sizeof text, "%s\n", directive.name);
            assert_true(gpucode_source_read(text, strlen(text), &options, &source) <= GPUCODE_ERROR_INPUT);
            uint32_t count;
            const struct gpucode_source_diagnostic *diagnostics = gpucode_source_diagnostics(source, &count);
            for (uint32_t k = 0; k < count; k++)
                if (strcmp(diagnostics[k].code, "unknown-directive") == 0 || strstr(diagnostics[k].code, "-directive"))
                    fail_msg("%s: %s", gpucode_target_name(target), directive.name);
            gpucode_source_free(source);
        }
    }
}

static void arguments_are_checked(void)
{
    struct gpucode_source *source;
    struct gpucode_span span;
    uint32_t count;
    assert_int_equal(gpucode_source_read(NULL, 1, NULL, &source), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_source_read("", 0, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_null(gpucode_source_words(NULL, 0, &count));
    assert_null(gpucode_source_word(NULL, 0));
    assert_null(gpucode_source_chip(NULL));
    assert_null(gpucode_source_program(NULL));
    assert_null(gpucode_source_symbols(NULL, &count));
    assert_null(gpucode_source_diagnostics(NULL, &count));
    assert_false(gpucode_source_file(NULL, 0, NULL));
    assert_false(gpucode_source_statement(NULL, 0, 0, &span));
    assert_int_equal(gpucode_source_word_at(NULL, 0, 0), GPUCODE_NONE);
    assert_int_equal(gpucode_expect(NULL, NULL, "", 0, add_expected, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_choice(NULL, 0, 'd', 0, NULL, 0), 0);
    assert_false(gpucode_directive_at(NULL, 0, NULL));
    gpucode_source_free(NULL);
    struct gpucode_program_section section;
    struct gpucode_symbol symbol;
    struct gpucode_line line;
    assert_int_equal(gpucode_program_prefix(NULL), 0);
    assert_int_equal(gpucode_program_hash(NULL), 0);
    assert_int_equal(gpucode_program_size(NULL), 0);
    assert_null(gpucode_program_bytes(NULL));
    assert_null(gpucode_program_target(NULL));
    assert_false(gpucode_program_section(NULL, 0, &section));
    assert_false(gpucode_program_symbol(NULL, 0, &symbol));
    assert_false(gpucode_program_line(NULL, 0, &line));
    assert_int_equal(gpucode_target_unit_bytes(NULL), 0);
    assert_int_equal(gpucode_target_unit_bytes(gpucode_target_find("ir3:a650")), 8);
    assert_int_equal(gpucode_target_unit_bytes(gpucode_target_find("hwsq:g94")), 1);
}

TESTS(source, words_have_kinds, errors_hide_nothing, macros_are_mapped, files_are_told_apart, sections_are_symbols,
      hints_can_be_applied, incomplete_lines, words_of_directives, words_of_parts, statements_and_words_at_places,
      what_may_stand_there, directives_exist, arguments_are_checked)
