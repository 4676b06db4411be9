/* SPDX-License-Identifier: MIT */
/* What the server's files share. */
#ifndef LSP_SERVER_H
#define LSP_SERVER_H

#include "front/chapters.h"
#include "lsp/lsp.h"
#include "wire/wire.h"
#include <gpucode/gpucode.h>
#include <jansson.h>
#include <stdint.h>

/* Errors of JSON-RPC and the protocol. */
enum {
    ERROR_PARSE = -32700,
    ERROR_REQUEST = -32600,
    ERROR_METHOD = -32601,
    ERROR_PARAMS = -32602,
    ERROR_INTERNAL = -32603,
    ERROR_NOT_INITIALIZED = -32002,
    ERROR_CANCELLED = -32800,
    ERROR_FAILED = -32803, /* the request was right, and nothing can be done */
};

/* A text and where its lines begin; lines end with \n, \r\n or \r. */
struct text {
    const char *bytes;
    size_t length;
    size_t *lines;
    size_t line_count; /* at least 1 */
};

/* A place as the protocol has it: from 0, characters are UTF-16 units. */
struct position {
    size_t line, character;
};

/* What lint says, with its place. */
struct found {
    uint32_t file;
    struct gpucode_span span;
    enum gpucode_severity severity;
    const char *code, *reason;
    char *message;
    char *related; /* a second place's message, or null */
    uint32_t related_file;
    struct gpucode_span related_span;
};

struct document {
    struct document *next;
    char *uri, *name; /* the name is what the assembler calls it: a path, or the URI */
    char *language;
    char *text; /* as the client has it */
    size_t length;
    int64_t version;
    bool dirty;    /* changed since `source` was read */
    bool unlinted; /* `found` is not of this source */
    bool unpublished;
    struct gpucode_source *source; /* null: never read, or no memory */
    struct text *texts;            /* of the source's files */
    uint32_t file_count;
    struct found *found;
    size_t found_count;
    size_t found_left;           /* more of the last one's file, which are only counted */
    struct gpucode_image *image; /* of the program; made when asked for */
    struct gpucode_analysis *analysis;
    struct gpucode_symbols *symbols; /* of the symbol files, for the target of the source */
    bool analysed;
    uint32_t *unit_words; /* of place.c */
    char **published;     /* URIs that diagnostics were sent for */
    size_t published_count;
};

/* What the client can do. */
struct client {
    bool markdown, hierarchical, document_changes, related, utf8;
};

struct queued {
    struct queued *next;
    json_t *message;
    bool cancelled;
};

struct lsp {
    struct lsp_options options;
    struct client client;
    struct document *documents;
    struct queued *first, *last;
    bool initialized, down, ended;
    json_t *settings; /* an object */
};

/* A place that a request is about. */
struct view {
    struct document *document; /* whose source it is: the one that includes the file, perhaps */
    const struct gpucode_source *source;
    const struct gpucode_target *target; /* null: not known */
    uint32_t file;
    const struct text *text;
    const struct gpucode_word *words;
    uint32_t word_count;
    size_t offset;
    uint32_t word; /* at the offset, index into words; GPUCODE_NONE */
};

/* A request's answer: `result` is taken over, null is JSON's null. */
struct answer {
    json_t *result;
    int error; /* 0: none */
    char message[512];
};
typedef void request_function(struct lsp *lsp, const json_t *params, struct answer *answer);
typedef void notification_function(struct lsp *lsp, const json_t *params);
#define REQUEST(method, name) request_function answer_##name;
#define NOTIFICATION(method, name) notification_function notify_##name;
#include "lsp/method.def"
#undef REQUEST
#undef NOTIFICATION

/* Notes why a request fails. */
void lsp_fail(struct answer *answer, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Sends a message, which is taken over. */
void lsp_send(struct lsp *lsp, json_t *message);
void lsp_notify(struct lsp *lsp, const char *method, json_t *params);
/* The answer to the message of that id, null for one that nobody could read; takes the result. */
void lsp_answer(struct lsp *lsp, json_t *id, struct answer *answer);

/* document.c: places in texts */
bool text_index(struct text *text, const char *bytes, size_t length);
void text_free(struct text *text);
struct position text_position(const struct lsp *lsp, const struct text *text, size_t offset);
/* The line that holds an offset, and the end of a line without its newline. */
size_t text_line(const struct text *text, size_t offset);
size_t text_line_end(const struct text *text, size_t line);
json_t *text_range(const struct lsp *lsp, const struct text *text, struct gpucode_span span);
/* The offset of a `position`; false: it is none. */
bool text_take(const struct lsp *lsp, const struct text *text, const json_t *position, size_t *offset);

/* document.c */
struct document *document_find(const struct lsp *lsp, const char *uri);
/* The open document that the assembler calls so. */
struct document *document_named(const struct lsp *lsp, const char *name);
/* The path of a `file:` URI, other URIs as they are; malloc'ed. */
char *name_of_uri(const char *uri);
/* The URI of what the assembler calls so; malloc'ed. */
char *uri_of_name(const struct lsp *lsp, const char *name);
void document_free(struct document *document);
void document_forget_findings(struct document *document);
/* Reads what has changed; the source may still be null. */
void document_refresh(struct lsp *lsp, struct document *document);
/* The text of what the assembler calls so, open or not; malloc'ed, null: there is none. */
char *document_read(const struct lsp *lsp, const char *name, size_t *length);
/* Name of the file with this number of a document's source. */
const char *document_file(const struct document *document, uint32_t file);
/* The number of the file that `name`, in the file called `from`, includes; 0: none. */
uint32_t document_included(const struct document *document, const char *from, const char *name, size_t length);
/* Another open document that includes this one, and the number of the file there; null: none does. */
struct document *document_root(struct lsp *lsp, const struct document *document, uint32_t *file);
/* Its program as an image, and what analysis says of it; null: there is none. */
const struct gpucode_image *document_image(struct document *document);
struct gpucode_analysis *document_analysis(struct document *document);
/* The same of code whose values are not followed too, for where control goes. */
const struct gpucode_analysis *document_blocks(struct document *document);
/* Names of registers that symbol files bring; null: none. */
const struct gpucode_names *document_names(const struct document *document);

/* view.c: what params.textDocument, and position, are about; false, with an error, when that is nothing. */
bool view_open(struct lsp *lsp, const json_t *params, struct view *view, struct answer *answer);
bool view_open_at(struct lsp *lsp, const json_t *params, struct view *view, struct answer *answer);
const struct gpucode_source_symbol *view_symbol(const struct view *view, uint32_t symbol);
/* {uri, range} of a word. */
json_t *view_location(struct lsp *lsp, const struct document *document, uint32_t file, struct gpucode_span span);
/* The bytes of a word. */
static inline const char *view_bytes(const struct view *view, const struct gpucode_word *word)
{
    return view->text->bytes + word->span.offset;
}
/* The word at the place that has a symbol or a name, the innermost; null: none. */
const struct gpucode_word *view_named(const struct view *view);
/* Is it another word for the same thing? */
bool view_same(const struct gpucode_word *a, const struct gpucode_word *b);

/*
 * place.c: where the instruction at a unit of the image stands, or, from 1, one of its operands (up to its last one
 * where there is none of that number). False: nobody knows.
 */
bool place_of_unit(struct document *document, uint32_t unit, unsigned operand, uint32_t *file,
                   struct gpucode_span *span);

/* diagnostics.c */
void diagnostics_publish(struct lsp *lsp, struct document *document);
void diagnostics_forget(struct lsp *lsp, struct document *document);
/* What lint finds in a document that it has not seen as it is: kept in `found`, and told. */
void diagnostics_lint(struct lsp *lsp, struct document *document);

/* row.c: the manual's text of a row, as Markdown; malloc'ed. */
char *row_markdown(const struct gpucode_target *target, uint32_t row);

/* navigate.c: the file that a word includes; 0: none */
uint32_t included_file(const struct view *view, const struct gpucode_word *word);

/*
 * rename.c: is it the same program when each file of the source has the text that `edit` makes (malloc'ed, for a file's
 * number; null: no memory)?
 */
bool trial_is_same(const struct view *view, char *(*edit)(void *user, uint32_t file, size_t *length), void *user);

/* rename.c: edits of a file, taken over, for a WorkspaceEdit */
void add_edits(struct lsp *lsp, json_t *edit, const char *uri, json_t *edits);

/* hover.c: {kind, value} of Markdown, or plain text where the client knows no Markdown. */
json_t *markup_of(const struct lsp *lsp, const char *markdown);
const char *space_title(const struct gpucode_target *target, unsigned space);

/* What the numbers in answers stand for. */
json_t *tokens_legend(void);

#endif
