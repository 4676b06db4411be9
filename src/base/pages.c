/* SPDX-License-Identifier: MIT */
#include "base/pages.h"

#include <stdlib.h>

/* Page numbers have 52 bits: nine levels of 64 entries. Small nodes keep the copying after a snapshot cheap. */
#define LEVELS 9
#define NODE_BITS 6
#define NODE_SIZE (1u << NODE_BITS)

struct page {
    uint32_t owners;
    unsigned char bytes[PAGE_BYTES];
};

struct page_node {
    uint32_t owners;
    bool full; /* all of its pages exist */
    union {
        struct page_node *node; /* level 1 and above */
        struct page *page;      /* level 0 */
    } entries[NODE_SIZE];
};

static unsigned entry_of(uint64_t number, unsigned level)
{
    return number >> level * NODE_BITS & (NODE_SIZE - 1);
}

static void page_drop(struct page *page)
{
    if (page && --page->owners == 0)
        free(page);
}

static void node_drop(struct page_node *node, unsigned level)
{
    if (!node || --node->owners != 0)
        return;
    for (unsigned i = 0; i < NODE_SIZE; i++) {
        if (level)
            node_drop(node->entries[i].node, level - 1); /* at most LEVELS deep */
        else
            page_drop(node->entries[i].page);
    }
    free(node);
}

static void forget(struct pages *pages)
{
    memset(pages->cache, 0, sizeof pages->cache);
}

void pages_free(struct pages *pages)
{
    node_drop(pages->root, LEVELS - 1);
    pages->root = NULL;
    forget(pages);
}

void pages_share(struct pages *pages, struct pages *copy)
{
    if (pages->root == copy->root && copy->root) {
        forget(copy); /* nothing changed since; but the copy's pages may be cached as writable */
    } else {
        if (pages->root)
            pages->root->owners++;
        pages_free(copy);
        copy->root = pages->root;
    }
    copy->lazy_end = pages->lazy_end;
    copy->failed = pages->failed;
    copy->changes = pages->changes = 0;
    for (unsigned i = 0; i < PAGES_CACHE; i++)
        pages->cache[i].writable = false;
}

static void note_change(struct pages *pages, uint64_t number, struct page **entry, const struct page *before)
{
    if (pages->changes < PAGES_CHANGES)
        pages->change[pages->changes] =
            (struct pages_change){.number = number, .entry = entry, .before = before ? before->bytes : NULL};
    pages->changes += pages->changes <= PAGES_CHANGES;
}

bool pages_put_back(struct pages *pages)
{
    unsigned kept = 0;
    if (pages->changes > PAGES_CHANGES)
        return false;
    for (unsigned i = 0; i < pages->changes; i++) {
        struct pages_change change = pages->change[i];
        if (change.before) {
            memcpy((*change.entry)->bytes, change.before, PAGE_BYTES);
            pages->change[kept++] = change;
            continue;
        }
        struct pages_cached *slot = pages_slot(pages, change.number << PAGE_BITS);
        if (slot->number == change.number + 1)
            slot->number = 0;
        page_drop(*change.entry);
        *change.entry = NULL;
    }
    pages->changes = kept;
    return true;
}

const unsigned char *pages_find(const struct pages *pages, uint64_t address)
{
    uint64_t number = address >> PAGE_BITS;
    const struct page_node *node = pages->root;
    for (unsigned level = LEVELS - 1; node && level; level--)
        node = node->entries[entry_of(number, level)].node;
    const struct page *page = node ? node->entries[entry_of(number, 0)].page : NULL;
    return page ? page->bytes : NULL;
}

/* Makes *at a node that has one owner. */
static bool node_own(struct page_node **at, unsigned level)
{
    struct page_node *old = *at;
    if (old && old->owners == 1)
        return true;
    struct page_node *node = old ? malloc(sizeof *node) : calloc(1, sizeof *node);
    if (!node)
        return false;
    if (old) {
        *node = *old;
        for (unsigned i = 0; i < NODE_SIZE; i++) {
            if (level && node->entries[i].node)
                node->entries[i].node->owners++;
            else if (!level && node->entries[i].page)
                node->entries[i].page->owners++;
        }
        old->owners--;
    }
    node->owners = 1;
    *at = node;
    return true;
}

unsigned char *pages_own(struct pages *pages, uint64_t address)
{
    uint64_t number = address >> PAGE_BITS;
    struct pages_cached *slot = pages_slot(pages, address);
    struct page_node **at = &pages->root;
    unsigned char *written = pages_written(pages, address);
    if (written)
        return written;
    for (unsigned level = LEVELS - 1;; level--) {
        if (!node_own(at, level)) {
            pages->failed = true;
            return NULL;
        }
        if (!level)
            break;
        at = &(*at)->entries[entry_of(number, level)].node;
    }
    struct page **entry = &(*at)->entries[entry_of(number, 0)].page;
    if (!*entry || (*entry)->owners > 1) {
        struct page *page = *entry ? malloc(sizeof *page) : calloc(1, sizeof *page);
        if (!page) {
            pages->failed = true;
            return NULL;
        }
        note_change(pages, number, entry, *entry);
        if (*entry) {
            *page = **entry;
            (*entry)->owners--;
        }
        page->owners = 1;
        *entry = page;
    }
    *slot = (struct pages_cached){number + 1, (*entry)->bytes, true};
    return (*entry)->bytes;
}

/* Is there memory at `address`, zeros that nobody wrote included? */
static bool pages_mapped(const struct pages *pages, uint64_t address)
{
    return address < pages->lazy_end || pages_find(pages, address);
}

bool pages_read_slow(struct pages *pages, uint64_t address, uint32_t *value)
{
    const unsigned char *bytes = pages_find(pages, address);
    if (!bytes) {
        *value = 0;
        return address < pages->lazy_end;
    }
    /* the cast is safe: nobody writes through a slot that is not writable */
    *pages_slot(pages, address) = (struct pages_cached){(address >> PAGE_BITS) + 1, (unsigned char *)bytes, false};
    *value = page_word(bytes + (address & (PAGE_BYTES - 1)));
    return true;
}

bool pages_write_slow(struct pages *pages, uint64_t address, uint32_t value)
{
    if (!pages_mapped(pages, address))
        return false;
    unsigned char *bytes = pages_own(pages, address);
    if (bytes)
        page_set_word(bytes + (address & (PAGE_BYTES - 1)), value);
    return true; /* out of memory shows in `failed` */
}

bool pages_load(const struct pages *pages, uint64_t address, void *bytes, size_t size)
{
    bool all = true;
    for (unsigned char *to = bytes; size;) {
        size_t offset = address & (PAGE_BYTES - 1), part = PAGE_BYTES - offset < size ? PAGE_BYTES - offset : size;
        const unsigned char *page = pages_find(pages, address);
        if (page)
            memcpy(to, page + offset, part);
        else
            memset(to, 0, part);
        all &= page || address < pages->lazy_end;
        to += part;
        address += part;
        size -= part;
    }
    return all;
}

bool pages_store(struct pages *pages, uint64_t address, const void *bytes, size_t size)
{
    if (size && address + (size - 1) < address)
        return false;
    for (const unsigned char *from = bytes; size;) {
        size_t offset = address & (PAGE_BYTES - 1), part = PAGE_BYTES - offset < size ? PAGE_BYTES - offset : size;
        unsigned char *page = pages_own(pages, address);
        if (!page)
            return false;
        memcpy(page + offset, from, part);
        from += part;
        address += part;
        size -= part;
    }
    return true;
}

/* --- memory of zeros ---------------------------------------------------------------------------------------------- */

/* One page of zeros, and above it nodes whose entries are all the one below: a whole subtree in a few objects. */
struct zeros {
    struct page *page;
    struct page_node *node[LEVELS]; /* by level; null: not needed yet */
};

static struct page *zero_page(struct zeros *zeros)
{
    if (!zeros->page && (zeros->page = calloc(1, sizeof *zeros->page)))
        zeros->page->owners = 1;
    return zeros->page;
}

/* Null: out of memory. */
static struct page_node *zero_node(struct zeros *zeros, unsigned level)
{
    if (zeros->node[level])
        return zeros->node[level];
    struct page_node *below = level ? zero_node(zeros, level - 1) : NULL; /* at most LEVELS deep */
    struct page *page = level ? NULL : zero_page(zeros);
    struct page_node *node = below || page ? calloc(1, sizeof *node) : NULL;
    if (!node)
        return NULL;
    node->owners = 1;
    node->full = true;
    for (unsigned i = 0; i < NODE_SIZE; i++) {
        if (level)
            node->entries[i].node = below;
        else
            node->entries[i].page = page;
    }
    if (below)
        below->owners += NODE_SIZE;
    if (page)
        page->owners += NODE_SIZE;
    return zeros->node[level] = node;
}

static void zeros_free(struct zeros *zeros)
{
    for (unsigned level = LEVELS; level-- > 0;)
        node_drop(zeros->node[level], level);
    page_drop(zeros->page);
}

/* Fills the pages from `first` to `last` of a node whose first page is `base`. */
static bool node_fill(struct page_node **at, unsigned level, uint64_t base, uint64_t first, uint64_t last,
                      struct zeros *zeros)
{
    uint64_t span = UINT64_C(1) << level * NODE_BITS; /* pages of an entry */
    if (*at && (*at)->full)
        return true;
    if (!node_own(at, level))
        return false;
    for (unsigned i = 0; i < NODE_SIZE; i++) {
        uint64_t start = base + i * span, end = start + (span - 1);
        if (end < first || start > last)
            continue;
        if (!level) {
            struct page **page = &(*at)->entries[i].page;
            if (*page)
                continue;
            if (!(*page = zero_page(zeros)))
                return false;
            (*page)->owners++;
            continue;
        }
        struct page_node **node = &(*at)->entries[i].node;
        if (!*node && start >= first && end <= last) {
            if (!(*node = zero_node(zeros, level - 1)))
                return false;
            (*node)->owners++;
        } else if (!node_fill(node, level - 1, start, first, last, zeros)) { /* at most LEVELS deep */
            return false;
        }
    }
    (*at)->full = base >= first && base + (span * NODE_SIZE - 1) <= last;
    return true;
}

bool pages_map(struct pages *pages, uint64_t address, uint64_t size)
{
    if (!size)
        return true;
    uint64_t last = address + (size - 1);
    if (last < address)
        return false;
    struct zeros zeros = {0};
    pages->changes = PAGES_CHANGES + 1;
    bool good = node_fill(&pages->root, LEVELS - 1, 0, address >> PAGE_BITS, last >> PAGE_BITS, &zeros);
    zeros_free(&zeros);
    pages->failed |= !good;
    return good;
}

static size_t node_beyond(const struct page_node *node, const struct page_node *other, unsigned level)
{
    if (!node || node == other)
        return 0;
    size_t bytes = sizeof *node;
    for (unsigned i = 0; i < NODE_SIZE; i++) {
        if (i && (level ? node->entries[i].node == node->entries[i - 1].node
                        : node->entries[i].page == node->entries[i - 1].page))
            continue; /* memory of zeros */
        if (level)
            bytes += node_beyond(node->entries[i].node, other ? other->entries[i].node : NULL, level - 1);
        else if (node->entries[i].page && !(other && other->entries[i].page == node->entries[i].page))
            bytes += sizeof(struct page);
    }
    return bytes;
}

size_t pages_beyond(const struct pages *pages, const struct pages *other)
{
    return node_beyond(pages->root, other ? other->root : NULL, LEVELS - 1);
}
