/* SPDX-License-Identifier: MIT */
/* Open documents: their texts, what the assembler says of them, and how names of files and URIs go together. */
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places in texts: the library counts bytes, the protocol lines and UTF-16 units. */

bool text_index(struct text *text, const char *bytes, size_t length)
{
    size_t room = 0;
    *text = (struct text){.bytes = bytes, .length = length};
    const char *end = bytes + length;
    bool returns = length && memchr(bytes, '\r', length);
    for (const char *at = bytes;;) {
        if (text->line_count == room) {
            room = room ? room * 2 : 256;
            size_t *lines = memory_resize(text->lines, room * sizeof *lines);
            if (!lines) {
                text_free(text);
                return false;
            }
            text->lines = lines;
        }
        text->lines[text->line_count++] = (size_t)(at - bytes);
        const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (returns) {
            const char *turn = memchr(at, '\r', (size_t)((stop ? stop : end) - at));
            if (turn && !(stop && turn + 1 == stop))
                stop = turn;
        }
        if (!stop)
            return true;
        at = stop + 1;
    }
}

void text_free(struct text *text)
{
    free(text->lines);
    *text = (struct text){0};
}

size_t text_line(const struct text *text, size_t offset)
{
    size_t low = 0, high = text->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (text->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t text_line_end(const struct text *text, size_t line)
{
    size_t start = text->lines[line];
    size_t end = line + 1 < text->line_count ? text->lines[line + 1] : text->length;
    while (end > start && (text->bytes[end - 1] == '\n' || text->bytes[end - 1] == '\r'))
        end--;
    return end;
}

/* Is the place inside of a character? */
static bool is_inside(const struct text *text, size_t offset, size_t end)
{
    return offset < end && ((unsigned char)text->bytes[offset] & 0xc0) == 0x80;
}

/* Units of the character that begins with this byte; those inside of characters have none. */
static size_t units_of(const struct lsp *lsp, unsigned char byte)
{
    if (lsp->client.utf8)
        return 1;
    return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

/* Places beyond a line's end are at its end, after the last line at the end of the text. */
static size_t text_offset(const struct lsp *lsp, const struct text *text, size_t line, size_t character)
{
    if (line >= text->line_count)
        return text->length;
    size_t at = text->lines[line], end = text_line_end(text, line);
    while (at < end && character) {
        size_t units = units_of(lsp, (unsigned char)text->bytes[at]);
        if (units > character) /* inside of a character: in front of it */
            break;
        character -= units;
        at++;
        while (at < end && !units_of(lsp, (unsigned char)text->bytes[at]))
            at++;
    }
    while (at > text->lines[line] && is_inside(text, at, end))
        at--;
    return at;
}

struct position text_position(const struct lsp *lsp, const struct text *text, size_t offset)
{
    struct position position = {text_line(text, offset), 0};
    size_t end = text_line_end(text, position.line);
    /* a place inside a character counts as the end of it */
    for (size_t at = text->lines[position.line]; at < end && (at < offset || is_inside(text, at, end)); at++)
        position.character += units_of(lsp, (unsigned char)text->bytes[at]);
    return position;
}

json_t *text_range(const struct lsp *lsp, const struct text *text, struct gpucode_span span)
{
    struct position start = text_position(lsp, text, span.offset);
    struct position end = text_position(lsp, text, span.offset + span.length);
    return json_pack("{s:{s:I, s:I}, s:{s:I, s:I}}", "start", "line", (json_int_t)start.line, "character",
                     (json_int_t)start.character, "end", "line", (json_int_t)end.line, "character",
                     (json_int_t)end.character);
}

bool text_take(const struct lsp *lsp, const struct text *text, const json_t *position, size_t *offset)
{
    int64_t line = number_of(position, "line", -1), character = number_of(position, "character", -1);
    if (line < 0 || character < 0)
        return false;
    *offset = text_offset(lsp, text, (size_t)line, (size_t)character);
    return true;
}

/* --- names ------------------------------------------------------------------------------------------------ */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

char *name_of_uri(const char *uri)
{
    if (strncmp(uri, "file://", 7) != 0)
        return memory_copy(uri);
    const char *at = strchr(uri + 7, '/');
    char *name = memory_copy(at ? at : "/"), *to = name;
    for (at = name; name && *at;) {
        if (at[0] == '%' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0 && (hex_digit(at[1]) || hex_digit(at[2]))) {
            *to++ = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
            at += 3;
        } else {
            *to++ = *at++;
        }
    }
    if (name)
        *to = 0;
    return name;
}

/* "/a/./b/../c" as "/a/c"; of URIs the path after their scheme and host. In place. */
static void tidy_name(char *name)
{
    char *scheme = strstr(name, "://");
    char *path = scheme ? strchr(scheme + 3, '/') : name;
    if (!path || *path != '/')
        return;
    char *to = path;
    for (const char *at = path; *at;) {
        size_t length = 1 + strcspn(at + 1, "/");
        if (length == 3 && memcmp(at, "/..", 3) == 0) {
            while (to > path && *--to != '/')
                ;
        } else if (!(length == 2 && memcmp(at, "/.", 2) == 0)) {
            memmove(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = 0;
}

char *uri_of_name(const struct lsp *lsp, const char *name)
{
    const struct document *open = document_named(lsp, name);
    if (open)
        return memory_copy(open->uri);
    char *tidy = memory_copy(name);
    if (!tidy || *name != '/') {
        if (tidy)
            tidy_name(tidy);
        return tidy;
    }
    tidy_name(tidy);
    char *uri = memory_alloc(8 + 3 * strlen(tidy)), *to = uri;
    if (uri)
        to += sprintf(uri, "file://");
    for (const char *at = tidy; uri && *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                     strchr("/-._~", *at);
        to += sprintf(to, plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    free(tidy);
    return uri;
}

struct document *document_find(const struct lsp *lsp, const char *uri)
{
    struct document *document = lsp->documents;
    while (document && strcmp(document->uri, uri) != 0)
        document = document->next;
    return document;
}

struct document *document_named(const struct lsp *lsp, const char *name)
{
    char *tidy = memory_copy(name);
    if (!tidy)
        return NULL;
    tidy_name(tidy);
    struct document *document = lsp->documents;
    while (document && strcmp(document->name, tidy) != 0)
        document = document->next;
    free(tidy);
    return document;
}

/* --- what the assembler says ------------------------------------------------------------------------------- */

char *document_read(const struct lsp *lsp, const char *name, size_t *length)
{
    const struct document *open = document_named(lsp, name);
    char *text = NULL;
    *length = 0;
    if (open) {
        text = memory_alloc(open->length + 1);
        *length = text ? open->length : GPUCODE_NO_MEMORY;
        if (text)
            memcpy(text, open->text, open->length);
    } else if (lsp->options.read) {
        char *tidy = memory_copy(name);
        if (tidy)
            tidy_name(tidy);
        if (!tidy || !lsp->options.read(lsp->options.user, tidy, &text, length))
            text = NULL;
        free(tidy);
    }
    return text;
}

static bool include_file(void *user, const char *from, const char *name, char **text, size_t *length)
{
    const struct lsp *lsp = user;
    const char *slash = *name == '/' ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0;
    char *path = memory_alloc(folder + strlen(name) + 1);
    if (!path) {
        *length = GPUCODE_NO_MEMORY;
        return false;
    }
    memcpy(path, from, folder);
    strcpy(path + folder, name);
    *text = document_read(lsp, path, length);
    free(path);
    return *text;
}

static void ignore_diagnostic(void *user, const struct gpucode_diagnostic *diagnostic)
{
    (void)user;
    (void)diagnostic;
}

void document_forget_findings(struct document *document)
{
    for (size_t i = 0; i < document->found_count; i++) {
        free(document->found[i].message);
        free(document->found[i].related);
    }
    free(document->found);
    document->found = NULL;
    document->found_count = document->found_left = 0;
}

static void forget_source(struct document *document)
{
    document_forget_findings(document);
    gpucode_analysis_free(document->analysis);
    document->analysis = NULL;
    gpucode_image_free(document->image);
    document->image = NULL;
    document->analysed = false;
    free(document->unit_words);
    document->unit_words = NULL;
    for (uint32_t i = 0; i < document->file_count; i++)
        text_free(&document->texts[i]);
    free(document->texts);
    document->texts = NULL;
    document->file_count = 0;
    gpucode_source_free(document->source);
    document->source = NULL;
    gpucode_symbols_free(document->symbols);
    document->symbols = NULL;
}

void document_free(struct document *document)
{
    forget_source(document);
    for (size_t i = 0; i < document->published_count; i++)
        free(document->published[i]);
    free(document->published);
    free(document->uri);
    free(document->name);
    free(document->language);
    free(document->text);
    free(document);
}

/* The one that a language has; null: there are several that differ, or none. */
static const struct gpucode_target *only_target(const char *language)
{
    const struct gpucode_target *target, *found = NULL;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        if (strcmp(gpucode_target_isa(target), language) != 0)
            continue;
        if (found && strcmp(gpucode_target_generation(found), gpucode_target_generation(target)) != 0)
            return NULL;
        found = found ? found : target;
    }
    return found;
}

/* The target where the source names none: by the settings, or the name of the document's language. */
static const struct gpucode_target *assumed_target(const struct lsp *lsp, const struct document *document)
{
    const struct gpucode_target *target = gpucode_source_target_of(document->text, document->length, document->name);
    if (target)
        return NULL;
    target = gpucode_target_find(text_of(lsp->settings, "target"));
    if (!target)
        target = gpucode_target_find(document->language);
    return target ? target : only_target(document->language);
}

/* The symbol files of the settings. */
static void read_symbols(struct lsp *lsp, struct document *document, const struct gpucode_target *target)
{
    const json_t *files = json_object_get(lsp->settings, "symbols"), *file;
    size_t i;
    if (!target || !json_array_size(files) || !memory_done(gpucode_symbols_create(target, NULL, &document->symbols)))
        return;
    json_array_foreach(files, i, file)
    {
        size_t length = 0;
        const char *name = json_string_value(file);
        char *text = name ? document_read(lsp, name, &length) : NULL;
        if (text)
            memory_done(gpucode_symbols_read(document->symbols, text, length, name,
                                             (struct gpucode_diagnostic_handler){ignore_diagnostic, NULL}));
        free(text);
    }
}

const struct gpucode_names *document_names(const struct document *document)
{
    return document->symbols ? gpucode_symbols_names(document->symbols) : NULL;
}

void document_refresh(struct lsp *lsp, struct document *document)
{
    if (!document->dirty && document->source)
        return;
    forget_source(document);
    struct gpucode_asm_options options = {
        .target = assumed_target(lsp, document), .file = document->name, .include = include_file, .user = lsp};
    const struct gpucode_target *named = gpucode_source_target_of(document->text, document->length, document->name);
    read_symbols(lsp, document, named ? named : options.target);
    options.names = document_names(document);
    memory_done(gpucode_source_read(document->text, document->length, &options, &document->source));
    document->dirty = false;
    document->unlinted = document->unpublished = true;
    struct gpucode_source_file file;
    uint32_t count = 0;
    while (gpucode_source_file(document->source, count, &file))
        count++;
    document->texts = memory_zeroed(count + 1, sizeof *document->texts);
    for (uint32_t i = 0; document->texts && i < count; i++) {
        gpucode_source_file(document->source, i, &file);
        if (!text_index(&document->texts[i], file.text, file.length))
            break;
        document->file_count++;
    }
    if (document->file_count < count) { /* no memory: as if it had never been read */
        forget_source(document);
        document->unpublished = false;
    }
}

const char *document_file(const struct document *document, uint32_t file)
{
    struct gpucode_source_file found;
    return gpucode_source_file(document->source, file, &found) ? found.name : document->name;
}

uint32_t document_included(const struct document *document, const char *from, const char *name, size_t length)
{
    const char *slash = *name == '/' ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0;
    for (uint32_t i = 1; i < document->file_count; i++) {
        const char *known = document_file(document, i);
        if (strlen(known) == folder + length && memcmp(known, from, folder) == 0 &&
            memcmp(known + folder, name, length) == 0)
            return i;
    }
    return 0;
}

struct document *document_root(struct lsp *lsp, const struct document *document, uint32_t *file)
{
    for (struct document *other = lsp->documents; other; other = other->next) {
        struct gpucode_source_file found;
        for (uint32_t i = 1; other != document && gpucode_source_file(other->source, i, &found); i++)
            if (document_named(lsp, found.name) == document) {
                *file = i;
                return other;
            }
    }
    return NULL;
}

const struct gpucode_image *document_image(struct document *document)
{
    const struct gpucode_program *program = gpucode_source_program(document->source);
    struct gpucode_image_options options = {.target = gpucode_source_chip(document->source),
                                            .on_diagnostic = {ignore_diagnostic, NULL}};
    if (program && !document->image)
        memory_done(gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &options,
                                       &document->image));
    return document->image;
}

struct gpucode_analysis *document_analysis(struct document *document)
{
    const struct gpucode_image *image = document_image(document);
    return image && gpucode_can_follow_values(gpucode_image_info(image)->target)
               ? (struct gpucode_analysis *)document_blocks(document)
               : NULL;
}

const struct gpucode_analysis *document_blocks(struct document *document)
{
    const struct gpucode_image *image = document_image(document);
    if (image && !document->analysed && gpucode_can_analyse(gpucode_image_info(image)->target))
        memory_done(
            gpucode_analyse(image, &(struct gpucode_analysis_options){document_names(document)}, &document->analysis));
    document->analysed = true;
    return document->analysis;
}
