// SPDX-License-Identifier: MIT
// usage: node tree_sitter_corpus.js GRAMMARS PARSERS SOURCE_ROOT
// The corpus tests and the examples by parsers that tree-sitter has made: PARSERS has a program for each language.
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const { corpusOf, SOURCES } = require('./tree_sitter_sources.js');
const [grammars, parsers, root] = process.argv.slice(2);

const parse = (language, input) => execFileSync(path.join(parsers, language), { input, encoding: 'utf8' }).trim();

let tests = 0; let files = 0;
for (const [language, sources] of Object.entries(SOURCES)) {
  for (const { title, input, tree } of corpusOf(path.join(grammars, `tree-sitter-${language}`))) {
    assert.strictEqual(parse(language, `${input}\n`), tree.replace(/\w+: /g, ''), title);
    tests++;
  }
  for (const [, file] of sources) {
    const tree = parse(language, fs.readFileSync(path.join(root, file)));
    assert.ok(tree.length > 200 && !/ERROR|MISSING/.test(tree), `${file}: ${tree.slice(0, 200)}`);
    files++;
  }
  assert.match(parse(language, '"\n'), /ERROR/, 'what is no source is told');
}
assert.ok(tests > 10 && files > 5);
console.log(`tree-sitter's parsers: ${tests} tests of the corpus, ${files} files`);
