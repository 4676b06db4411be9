/* SPDX-License-Identifier: MIT */
/* Fields of the launch request that belong to instruction sets, as the tables of their kits describe them. */
#ifndef DAP_FIELDS_H
#define DAP_FIELDS_H

#include "dap/server.h"
#include "kit/launch.h"

struct fields;

/* The kit of the program's set, or null. */
const struct kit *dap_kit(const struct dap *dap);

/*
 * Takes the fields that decide how the machine is made. *fields is for fields_give(), and freed by free(); null where
 * the status is not GPUCODE_OK. What is wrong was told.
 */
enum gpucode_status fields_begin(struct dap *dap, const json_t *arguments, struct kit_settings *settings,
                                 struct fields **fields);
/* Gives dap->machine the rest. */
enum gpucode_status fields_give(struct fields *fields, struct dap *dap, const json_t *arguments);
/* Tells that a field's text is not what was expected; returns GPUCODE_ERROR_INPUT. */
enum gpucode_status fields_refuse(struct dap *dap, const char *name, const char *text, const char *expected);

#endif
