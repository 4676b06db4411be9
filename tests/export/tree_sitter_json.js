// SPDX-License-Identifier: MIT
// usage: node tree_sitter_json.js DSL GRAMMAR
// A grammar.js as JSON, by the words of tree-sitter itself. What they have in C++, an object with a symbol for each name, is
// one of JavaScript's own here, and names of fields, which that version has not, are left out.
const Module = require('module');
const [dsl, grammar] = process.argv.slice(2);
const load = Module._load;
function RuleBuilder() {
  return new Proxy({}, { get: (_, name) => ({ type: 'SYMBOL', name }) });
}
Module._load = (name, ...rest) => (name.endsWith('tree_sitter_cli_binding') ? { RuleBuilder } : load(name, ...rest));
Object.assign(global, require(dsl), { field: (name, rule) => rule });
process.stdout.write(JSON.stringify(require(grammar)));
