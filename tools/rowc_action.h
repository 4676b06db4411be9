/* SPDX-License-Identifier: MIT */
/* Actions as trees: tools/rowc_action.c reads them, tools/rowc_nodes.c makes and prints nodes. */
#ifndef TOOLS_ROWC_ACTION_H
#define TOOLS_ROWC_ACTION_H

#include "rowc.h"

#define NODES_MAX 1024
#define NODE_TEXT_MAX 34 /* GPUCODE_ACTION_TEXT_MAX */

struct node {
    const char *kind; /* GPUCODE_ACTION_ is put in front */
    unsigned width;
    char letter;
    unsigned child[3], next;
    char text[NODE_TEXT_MAX];
    uint64_t number;
    bool is_signed;
};

struct tree {
    struct node node[NODES_MAX];
    unsigned count;
};

unsigned tree_node(struct tree *tree, const char *kind, unsigned width);
/* A copy of a node and all below it, not of what comes behind it. */
unsigned tree_copy(struct tree *tree, unsigned node);
/* Prints the nodes as entries of the table that all actions of a set share. */
void tree_print(const struct tree *tree);

/* Makes node 0 of a text; false: it cannot be taken apart. `row` null: of no row. */
bool action_read(struct tree *tree, struct row *row, const char *text);

/* Prints the actions of all rows and places, and the tables of them. */
void actions_print(struct row *rows, const char *const *texts, unsigned count);

#endif
