/* SPDX-License-Identifier: MIT */
#include "xml/elements.h"

#ifdef GPUCODE_WITH_EXPAT
#include <expat.h>

static void XMLCALL start(void *user, const XML_Char *element, const XML_Char **attributes)
{
    const struct parser *parser = user;
    parser->events->start(parser->user, element, attributes);
}

static void XMLCALL end(void *user, const XML_Char *element)
{
    const struct parser *parser = user;
    (void)element;
    parser->events->end(parser->user);
}

static void XMLCALL doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                            int has_subset)
{
    const struct parser *parser = user;
    (void)name;
    (void)system;
    (void)public_id;
    (void)has_subset;
    parser->events->doctype(parser->user);
}

enum gpucode_status parser_run(struct parser *parser, const char *text, size_t size)
{
    XML_Parser expat = XML_ParserCreate("UTF-8");
    enum gpucode_status status = GPUCODE_OK;
    if (!expat)
        return GPUCODE_ERROR_MEMORY;
    parser->expat = expat;
    XML_SetUserData(expat, parser);
    XML_SetElementHandler(expat, start, end);
    XML_SetStartDoctypeDeclHandler(expat, doctype);
    XML_SetParamEntityParsing(expat, XML_PARAM_ENTITY_PARSING_NEVER);
    if (XML_Parse(expat, text, (int)size, 1) != XML_STATUS_OK) {
        enum XML_Error error = XML_GetErrorCode(expat);
        if (error == XML_ERROR_NO_MEMORY)
            status = GPUCODE_ERROR_MEMORY;
        else if (error != XML_ERROR_ABORTED)
            parser->events->wrong(parser->user, XML_ErrorString(error));
    }
    XML_ParserFree(expat);
    return status;
}

long parser_at(const struct parser *parser, size_t *length)
{
#if XML_MAJOR_VERSION > 2 ||                                                                                           \
    (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 8) /* where those without 64 are deprecated */
    *length = (size_t)XML_GetCurrentByteCount64(parser->expat);
    return (long)XML_GetCurrentByteIndex64(parser->expat);
#else
    int count = XML_GetCurrentByteCount(parser->expat);
    *length = count > 0 ? (size_t)count : 0;
    return (long)XML_GetCurrentByteIndex(parser->expat);
#endif
}

void parser_stop(struct parser *parser)
{
    XML_StopParser(parser->expat, XML_FALSE);
}
#else
enum gpucode_status parser_run(struct parser *parser, const char *text, size_t size)
{
    (void)parser;
    (void)text;
    (void)size;
    return GPUCODE_ERROR_UNSUPPORTED;
}

long parser_at(const struct parser *parser, size_t *length)
{
    (void)parser;
    *length = 0;
    return -1;
}

void parser_stop(struct parser *parser)
{
    (void)parser;
}
#endif
