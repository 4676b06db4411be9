/* SPDX-License-Identifier: MIT */
/* Nodes of actions: making, copying, printing. */
#include "rowc_action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned tree_node(struct tree *tree, const char *kind, unsigned width)
{
    if (tree->count == NODES_MAX) {
        fprintf(stderr, "rowc: an action has too many parts\n");
        exit(1);
    }
    tree->node[tree->count] = (struct node){.kind = kind, .width = width};
    return tree->count++;
}

unsigned tree_copy(struct tree *tree, unsigned from)
{
    unsigned to = tree_node(tree, tree->node[from].kind, tree->node[from].width);
    struct node copy = tree->node[from];
    copy.next = 0;
    tree->node[to] = copy;
    bool is_list = strcmp(copy.kind, "CALL") == 0 || strcmp(copy.kind, "LIST") == 0;
    for (unsigned i = 0; i < 3; i++)
        if (copy.child[i])
            tree->node[to].child[i] = tree_copy(tree, copy.child[i]);
    /* children of calls and lists bring their neighbours */
    for (unsigned last = tree->node[to].child[0], next = is_list && copy.child[0] ? tree->node[copy.child[0]].next : 0;
         next; next = tree->node[next].next) {
        unsigned neighbour = tree_copy(tree, next);
        tree->node[last].next = neighbour;
        last = neighbour;
    }
    return to;
}

void tree_print(const struct tree *tree)
{
    for (unsigned i = 0; i < tree->count; i++) {
        const struct node *n = &tree->node[i];
        printf("    {GPUCODE_ACTION_%s, %u, %d, %u, %u, %u, %u, \"%s\", 0x%llxu},\n", n->kind, n->width, n->letter,
               n->child[0], n->child[1], n->child[2], n->next, n->text, (unsigned long long)n->number);
    }
}
