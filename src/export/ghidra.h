/* SPDX-License-Identifier: MIT */
/* Pieces of scripts for Ghidra, in Python. */
#ifndef EXPORT_GHIDRA_H
#define EXPORT_GHIDRA_H

/* mark_code(), mark_data(), mark_name(): what scripts do with a piece of memory. */
extern const char ghidra_marks[];
/* A script after these that loads the lines of `gpucode disasm --json`. */
extern const char ghidra_loader[];

#endif
