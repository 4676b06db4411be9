/* SPDX-License-Identifier: MIT */
/* XML taken apart into elements. The one place that knows expat; a build without it says so here. */
#ifndef XML_PARSER_H
#define XML_PARSER_H

#include <gpucode/status.h>
#include <stddef.h>

/* What is called while the text is read. `attributes`: names and values in turn, and a null. */
struct parser_events {
    void (*start)(void *user, const char *element, const char **attributes);
    void (*end)(void *user);
    void (*doctype)(void *user);
    void (*wrong)(void *user, const char *what); /* this is not XML, or does not go on; nothing follows */
};

struct parser {
    const struct parser_events *events;
    void *user;
    void *expat;
};

/*
 * Reads all of the text, or as far as it is XML and nobody stops it. Returns GPUCODE_ERROR_MEMORY, or
 * GPUCODE_ERROR_UNSUPPORTED: the build has no expat.
 */
enum gpucode_status parser_run(struct parser *parser, const char *text, size_t size);
/* For events: where the one that is told of begins and how long its text is; -1: nobody knows. And no more of them. */
long parser_at(const struct parser *parser, size_t *length);
void parser_stop(struct parser *parser);

#endif
