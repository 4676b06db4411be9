// SPDX-License-Identifier: MIT
// What grammars for tree-sitter are tried on.
const fs = require('fs');
const path = require('path');

// of each language [target, file]
exports.SOURCES = {
  afuc: [['-', 'examples/firmware/a6xx.asm'], ['-', 'examples/firmware/a7xx.asm'], ['afuc:a730', 'tests/console/afuc.asm']],
  hwsq: [['-', 'tests/console/hwsq.hwsq']],
  a3xx: [['-', 'examples/a3xx/planet.asm'], ['a3xx', 'tests/console/shader.asm']],
  ir3: [['ir3:a650', 'examples/ir3/preamble.asm'], ['ir3:a6xx', 'tests/kit/ir3/cases/a6xx_memory.asm'],
    ['ir3:a7xx', 'tests/kit/ir3/cases/a7xx_lanes.asm']],
  mme: [['mme:fermi', 'examples/mme/macros.mme']],
};

// the tests of a grammar's corpus, with their trees in one line
exports.corpusOf = (folder) => fs.readdirSync(path.join(folder, 'test/corpus')).flatMap((file) => {
  const text = fs.readFileSync(path.join(folder, 'test/corpus', file), 'utf8');
  return [...text.matchAll(/^=+\n(.*)\n=+\n([^]*?)\n-+\n\n([^]*?)(?=\n=|\n*$(?![^]))/gm)].map(([, title, input, tree]) => (
    { title: `${file}: ${title}`, input, tree: tree.trim().replace(/\s+/g, ' ').replace(/\s\)/g, ')') }));
});
