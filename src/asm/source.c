/* SPDX-License-Identifier: MIT */
/* Where text comes from: files that are included and macros that are expanded. */
#include "asm/context.h"
#include "asm/record.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Included files below one folder, for those who assemble what strangers wrote. */

#define LARGEST ((size_t)256 << 20)
#define NO_SUCH_PLACE (-1)

/* Opens `below`, which has no links, from a folder on: each part by itself, so that a link that appears meanwhile
 * fails. */
static int open_parts(const char *root, char *below)
{
    int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *rest = NULL;
    for (char *part = strtok_r(below, "/", &rest), *next; folder >= 0 && part; part = next) {
        next = strtok_r(NULL, "/", &rest);
        int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (next ? O_DIRECTORY : 0);
        int inner = openat(folder, part, flags), error = errno;
        close(folder);
        errno = error;
        folder = inner;
    }
    return folder;
}

/* The descriptor of an ordinary file, or -1 with errno: EXDEV, when it stands outside of the root. */
static int open_below(const char *root, const char *path)
{
    char *real_root = realpath(root, NULL), *real_path = real_root ? realpath(path, NULL) : NULL;
    int descriptor = NO_SUCH_PLACE, error = errno;
    size_t length = real_root ? strlen(real_root) : 0;
    struct stat status;
    if (length && real_root[length - 1] == '/')
        length--; /* the root of all */
    if (real_path && (strncmp(real_path, real_root, length) != 0 || (real_path[length] && real_path[length] != '/'))) {
        error = EXDEV;
    } else if (real_path) {
        descriptor = open_parts(real_root, real_path + length);
        error = errno;
    }
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(descriptor);
        descriptor = NO_SUCH_PLACE;
        error = EISDIR;
    }
    free(real_root);
    free(real_path);
    errno = error;
    return descriptor;
}

int gpucode_include_open(const char *root, const char *from, const char *name)
{
    if (!root || !name) {
        errno = EINVAL;
        return NO_SUCH_PLACE;
    }
    const char *slash = name[0] == '/' || !from ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0, length = strlen(name);
    char *path = malloc(folder + length + 1);
    if (!path) {
        errno = ENOMEM;
        return NO_SUCH_PLACE;
    }
    if (slash)
        memcpy(path, from, folder);
    memcpy(path + folder, name, length + 1);
    int descriptor = open_below(root, path), error = errno;
    free(path);
    errno = error;
    return descriptor;
}

/* All that a descriptor gives; closes it. Null: *length is GPUCODE_NO_MEMORY, or 0 when it cannot be read. */
static char *read_descriptor(int descriptor, size_t *length)
{
    char *text = NULL;
    size_t room = 0, used = 0;
    ssize_t got = 1;
    while (got > 0 && used <= LARGEST) {
        if (room - used < 4096) {
            char *larger = realloc(text, room = room ? 2 * room : 16384);
            if (!larger) {
                *length = GPUCODE_NO_MEMORY;
                break;
            }
            text = larger;
        }
        got = read(descriptor, text + used, room - used);
        used += got > 0 ? (size_t)got : 0;
    }
    close(descriptor);
    if (got == 0) {
        *length = used;
        return text;
    }
    free(text);
    return NULL;
}

/* What the options have for `.include "name"` in the file `from`; as gpucode_asm_options.include. */
static bool asm_read_include(const struct gpucode_asm_options *options, const char *from, const char *name, char **text,
                             size_t *length)
{
    *length = 0;
    if (options->include)
        return options->include(options->user, from, name, text, length);
    int descriptor = options->include_root ? gpucode_include_open(options->include_root, from, name) : NO_SUCH_PLACE;
    if (descriptor >= 0)
        *text = read_descriptor(descriptor, length);
    else if (options->include_root)
        *length = errno == ENOMEM ? GPUCODE_NO_MEMORY : errno == EXDEV ? GPUCODE_OUTSIDE : 0;
    return descriptor >= 0 && *text;
}

#define EXPANDED_MAX ((size_t)256 << 20)
/* A small file counts as this many bytes: files that each include two others are opened long before they are text. */
#define FILE_LEAST ((size_t)16 << 10)
#define PARAMETERS_MAX 64

static bool asm_push_text(struct asm_context *context, struct asm_source *source)
{
    source->number = (uint32_t)context->sources.count;
    if (!ASM_PUSH(context, context->sources, source) ||
        (context->source && !ASM_PUSH(context, context->frames, (struct asm_frame){context->source, context->scan.at})))
        return false;
    context->source = source;
    context->scan.at = source->text + text_mark(source->text, source->length);
    context->scan.end = source->text + source->length;
    asm_begin_quick(context);
    return true;
}

bool asm_pop_text(struct asm_context *context)
{
    if (!context->frames.count)
        return false;
    const struct asm_frame *frame = &context->frames.items[--context->frames.count];
    context->source = frame->source;
    context->scan.at = frame->at;
    context->scan.end = frame->source->text + frame->source->length;
    asm_begin_quick(context);
    return true;
}

/*
 * Is there too much inside one another, or too much in all with these bytes? Then nothing more is read: two of the same
 * in each of many levels would go on for ever.
 */
static bool too_deep(struct asm_context *context, const char *at, size_t span, size_t bytes)
{
    context->expanded_bytes += bytes + sizeof(struct asm_source);
    if (context->frames.count < ASM_DEPTH_MAX && context->expanded_bytes <= EXPANDED_MAX)
        return false;
    isa_fail(&context->scan, at, span, MSG_TOO_DEEP, NULL, NULL, 0, NULL);
    context->stopped = true;
    return true;
}

/*
 * Is the macro or file inside itself? Nothing is conditional, so that such a source never ends; found at once, because
 * two invocations of itself in a body would grow beyond all bounds long before any depth is reached.
 */
static bool is_open(const struct asm_context *context, const struct asm_macro *macro, const char *file)
{
    for (const struct asm_source *source = context->source; source; source = source->parent)
        if (macro ? source->macro == macro : file && !source->is_macro && strcmp(source->file, file) == 0)
            return true;
    return false;
}

/* A name in double quotes; null with an error noted. */
static char *quoted(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    isa_skip_line(scan);
    if (scan->at >= scan->end || *scan->at != '"') {
        isa_expected(scan, "a file name in double quotes");
        return NULL;
    }
    const char *start = scan->at + 1, *at = start;
    while (at < scan->end && *at != '"' && *at != '\n')
        at++;
    if (at >= scan->end || *at != '"') {
        isa_expected(scan, "a file name in double quotes");
        return NULL;
    }
    scan->at = at + 1;
    char *name = arena_copy(&context->arena, start, (size_t)(at - start));
    context->failed |= !name;
    return name;
}

/* The path of an included file: relative names stand beside the file that includes them. Null with no memory. */
static char *beside(struct asm_context *context, const char *from, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0, length = strlen(name);
    char *path = arena_alloc(&context->arena, folder + length + 1);
    if (path) {
        memcpy(path, from, folder);
        memcpy(path + folder, name, length);
    }
    return path;
}

/*
 * The text of an included file, which stands beside the file that includes it or in one of the folders, and its path;
 * null: *length says why, as gpucode_asm_options.include has it. context->failed with no memory.
 */
static char *find_file(struct asm_context *context, const char *name, char **path, size_t *length)
{
    const char *from = context->source->file, *const *folder = name[0] == '/' ? NULL : context->folders;
    char *text = NULL;
    bool outside = false;
    *path = beside(context, from, name);
    context->failed |= !*path;
    while (!context->failed && !is_open(context, NULL, *path) &&
           !asm_read_include(context->options, from, name, &text, length)) {
        text = NULL;
        outside |= *length == GPUCODE_OUTSIDE;
        context->failed |= *length == GPUCODE_NO_MEMORY;
        if (!folder || !*folder || context->failed)
            break;
        char *within = arena_format(&context->arena, "%s/", *folder++);
        char *other = within ? beside(context, within, name) : NULL;
        context->failed |= !other;
        from = within;
        *path = other ? other : *path;
    }
    if (!text && outside)
        *length = GPUCODE_OUTSIDE;
    return text;
}

bool asm_include(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    isa_skip_line(scan);
    const char *start = scan->at;
    char *name = quoted(context), *path;
    if (!name)
        return false;
    size_t span = (size_t)(scan->at - start), length = 0;
    char *text = find_file(context, name, &path, &length);
    if (context->failed)
        return false;
    if (!text && is_open(context, NULL, path))
        return isa_fail(scan, start, span, MSG_RECURSION, NULL, name, -1, NULL);
    if (!text && length == GPUCODE_OUTSIDE)
        return isa_fail(scan, start, span, MSG_INCLUDE_OUTSIDE,
                        "-I FOLDER or --include-root FOLDER lets files be read there", name, -1, NULL);
    if (!text)
        return isa_fail(scan, start, span, MSG_INCLUDE, NULL, name, -1, NULL);
    if (too_deep(context, start, span, length > FILE_LEAST ? length : FILE_LEAST)) {
        free(text);
        return false;
    }
    char *copy = arena_copy(&context->arena, text, length);
    free(text);
    struct asm_source *source = arena_alloc(&context->arena, sizeof *source);
    if (!copy || !source) {
        context->failed = true;
        return false;
    }
    *source = (struct asm_source){
        .file = path, .text = copy, .length = length, .first_line = 1, .parent = context->source, .parent_at = start};
    asm_record_file(context, source, start + 1, span - 2);
    return asm_push_text(context, source);
}

/* --- macros ------------------------------------------------------------------------------------------- */

static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* Does this line begin with the directive? */
static bool line_is(const char *at, const char *end, const char *directive)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    size_t length = strlen(directive);
    return (size_t)(end - at) >= length && memcmp(at, directive, length) == 0 &&
           (at + length == end || !isa_name_byte(at[length]));
}

static unsigned macro_hash(const char *name, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return (hash ^ hash >> 16) % ASM_MACRO_HASHES;
}

const struct asm_macro *asm_find_macro(const struct asm_context *context, const char *name, size_t length)
{
    for (uint32_t i = context->macro_hash[macro_hash(name, length)]; i; i = context->macros.items[i - 1].behind) {
        const struct asm_macro *macro = &context->macros.items[i - 1];
        if (macro->name_length == length && memcmp(macro->name, name, length) == 0)
            return macro;
    }
    return NULL;
}

/* Of two with one name the first counts. */
static bool add_macro(struct asm_context *context, const struct asm_macro *macro)
{
    bool known = asm_find_macro(context, macro->name, macro->name_length);
    uint32_t *first = &context->macro_hash[macro_hash(macro->name, macro->name_length)];
    if (!ASM_PUSH(context, context->macros, *macro))
        return false;
    if (!known) {
        context->macros.items[context->macros.count - 1].behind = *first;
        *first = (uint32_t)context->macros.count;
    }
    return true;
}

/* Line of the macro's body, counted on from the last macro of the same text. */
static unsigned find_body_line(const struct asm_context *context, const struct asm_macro *macro)
{
    const struct asm_macro *last = context->macros.count ? &context->macros.items[context->macros.count - 1] : NULL;
    bool before = last && last->source == macro->source && last->body <= macro->body;
    const char *from = before ? last->body : macro->source->text;
    unsigned line = before ? last->body_line : macro->source->first_line;
    for (const char *c = from; c < macro->body; c++)
        line += *c == '\n';
    return line;
}

/* Takes the lines up to the .endm that belongs to the macro. */
static bool take_body(struct asm_context *context, struct asm_macro *macro)
{
    struct isa_scan *scan = &context->scan;
    unsigned depth = 1;
    for (const char *at = macro->body; at < scan->end;) {
        const char *end = line_end(at, scan->end);
        depth += line_is(at, end, ".macro");
        if (line_is(at, end, ".endm") && --depth == 0) {
            macro->body_end = at;
            scan->at = end;
            asm_record_body(context, macro);
            return add_macro(context, macro);
        }
        at = end + (end < scan->end);
    }
    scan->at = scan->end;
    return isa_fail(scan, macro->name, macro->name_length, MSG_NO_ENDM, NULL, macro->name, (int)macro->name_length,
                    NULL);
}

bool asm_define_macro(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    isa_skip_line(scan);
    const char *name = scan->at;
    size_t length = isa_name(scan);
    if (!length)
        return isa_expected(scan, "a macro name");
    if (asm_find_macro(context, name, length)) { /* its body is read all the same, so that one slip is one error */
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        asm_report(context, context->source, name, length, MSG_DUPLICATE_MACRO, NULL, text);
    }
    scan->at += length;
    const char *parameters[PARAMETERS_MAX];
    unsigned count = 0;
    size_t mark = asm_record_mark(context);
    for (isa_skip_line(scan); scan->at < scan->end && *scan->at != '\n'; isa_skip_line(scan)) {
        if (count && *scan->at == ',') {
            scan->at++;
            isa_skip_line(scan);
        }
        size_t parameter = isa_name(scan);
        if (!parameter || count == PARAMETERS_MAX)
            return isa_expected(scan, parameter ? "no more than 64 parameters" : "a parameter name");
        asm_record_word(context, GPUCODE_TOKEN_PARAMETER, scan->at, parameter);
        parameters[count] = arena_copy(&context->arena, scan->at, parameter);
        context->failed |= !parameters[count];
        count++;
        scan->at += parameter;
    }
    if (scan->at < scan->end)
        scan->at++;
    asm_record_words(context, mark, GPUCODE_TOKEN_MACRO_NAME, name, length, (uint32_t)context->macros.count);
    struct asm_macro macro = {.name = name,
                              .name_length = (uint32_t)length,
                              .parameter_count = count,
                              .source = context->source,
                              .body = scan->at};
    const char **copies = arena_array(&context->arena, count + 1, sizeof *copies);
    if (!copies || context->failed) {
        context->failed = true;
        return false;
    }
    memcpy(copies, parameters, count * sizeof *copies);
    macro.parameters = copies;
    macro.body_line = find_body_line(context, &macro);
    return take_body(context, &macro);
}

struct argument {
    const char *at;
    size_t length;
};

/* Arguments to the end of the line, separated by commas outside brackets. */
static unsigned split_arguments(struct asm_context *context, struct argument *arguments, unsigned room)
{
    struct isa_scan *scan = &context->scan;
    const struct gpucode_syntax *syntax = &context->isa->text.syntax;
    unsigned count = 0;
    isa_skip_line(scan);
    while (scan->at < scan->end && *scan->at != '\n' && *scan->at != syntax->separator) {
        const char *start = scan->at, *at = start, *last = start;
        int nesting = 0;
        size_t comment = strlen(syntax->comment);
        for (; at < scan->end && *at != '\n' && (nesting || *at != ',') && *at != syntax->separator; at++) {
            if ((size_t)(scan->end - at) >= comment && memcmp(at, syntax->comment, comment) == 0)
                break;
            nesting += *at == '(' || *at == '[';
            nesting -= (*at == ')' || *at == ']') && nesting;
            if (*at != ' ' && *at != '\t' && *at != '\r')
                last = at + 1;
        }
        scan->at = at;
        if (count < room)
            arguments[count] = (struct argument){start, (size_t)(last - start)};
        count++;
        isa_skip_line(scan);
        if (scan->at >= scan->end || *scan->at != ',')
            break;
        scan->at++;
        isa_skip_line(scan);
    }
    return count;
}

/* The body with \name, \@ and \\ replaced. */
static void substitute(struct asm_context *context, const struct asm_macro *macro, const struct argument *arguments,
                       struct buffer *out)
{
    size_t number = context->expansions++;
    for (const char *at = macro->body, *end = macro->body_end; at < end;) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        asm_record_piece(context, out->length, macro->source, at);
        buffer_append(out, at, (size_t)((slash ? slash : end) - at));
        if (!slash)
            return;
        at = slash + 1;
        if (at < end && *at == '@') {
            asm_record_piece(context, out->length, NULL, at - 1);
            buffer_format(out, "%zu", number);
            at++;
            continue;
        }
        size_t length;
        unsigned i = asm_macro_parameter(macro, at, &length);
        if (i < macro->parameter_count) {
            asm_record_piece(context, out->length, context->source, arguments[i].at);
            buffer_append(out, arguments[i].at, arguments[i].length);
            at += length;
        } else {
            asm_record_piece(context, out->length, macro->source, slash);
            buffer_append(out, "\\", 1); /* left as it stands; the reader of the line complains */
        }
    }
}

int asm_expand_macro(struct asm_context *context, size_t name_length)
{
    struct isa_scan *scan = &context->scan;
    const char *name = scan->at;
    const struct asm_macro *macro = context->macros.count ? asm_find_macro(context, name, name_length) : NULL;
    if (!macro)
        return 0;
    if (is_open(context, macro, NULL)) {
        isa_fail(scan, name, name_length, MSG_RECURSION, NULL, name, (int)name_length, NULL);
        return -1;
    }
    scan->at += name_length;
    struct argument arguments[PARAMETERS_MAX];
    unsigned count = split_arguments(context, arguments, PARAMETERS_MAX);
    if (count != macro->parameter_count) {
        snprintf(scan->hint, sizeof scan->hint, "it takes %u, here are %u", macro->parameter_count, count);
        isa_fail(scan, name, name_length, MSG_MACRO_ARGUMENTS, scan->hint, name, (int)name_length, NULL);
        return -1;
    }
    struct buffer body = {0};
    asm_record_pieces(context);
    substitute(context, macro, arguments, &body);
    if (too_deep(context, name, name_length, body.length)) {
        buffer_free(&body);
        return -1;
    }
    char *text = body.failed ? NULL : arena_copy(&context->arena, body.bytes, body.length);
    const char *macro_name = arena_copy(&context->arena, macro->name, macro->name_length);
    struct asm_source *source = arena_alloc(&context->arena, sizeof *source);
    size_t length = body.length;
    buffer_free(&body);
    if (!text || !macro_name || !source) {
        context->failed = true;
        return -1;
    }
    *source = (struct asm_source){.file = macro->source->file,
                                  .text = text,
                                  .length = length,
                                  .first_line = macro->body_line,
                                  .is_macro = true,
                                  .macro = macro,
                                  .macro_name = macro_name,
                                  .macro_source = macro->source,
                                  .parent = context->source,
                                  .parent_at = name};
    asm_record_expansion(context, source);
    return asm_push_text(context, source) ? 1 : -1;
}
