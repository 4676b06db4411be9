/* SPDX-License-Identifier: MIT */
#include "export/export.h"

const struct exporter exporters[] = {
    {"json", "rows, registers, packets and manual, as docs/export.schema.json describes them", false, export_json},
    {"tree-sitter", "tree-sitter-SET, a grammar with queries and tests", false, export_tree_sitter},
    {"textmate", "SET.tmLanguage.json, colours for Visual Studio Code and others", false, export_textmate},
    {"vim", "syntax/SET.vim and ftdetect/gpucode.vim", false, export_vim},
    {"pygments", "gpucode_lexers.py, lexers for Pygments", false, export_pygments},
    {"sleigh", "SET/data/languages, language modules for Ghidra", false, export_sleigh},
    {"kate", "gpucode-SET.xml, colours for Kate", false, export_kate},
    {"names", "names_ghidra.py, names_ida.py, names.rz: names, comments and code of FILE for these programs", true,
     export_names},
    {0}};
