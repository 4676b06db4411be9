// SPDX-License-Identifier: MIT
// usage: node grammar.js GPUCODE SOURCE_ROOT
// Colours lines with the grammars, as the editor does: chosen ones word by word, and whole sources line by line.
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { createOnigScanner, createOnigString, loadWASM } = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

const root = process.argv[3];
const folder = path.join(root, 'editors/vscode/syntaxes');

// each word of a line and the first part of its scope
function colour(grammar, line, stack) {
  const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
  const words = tokens.map((t) => [line.slice(t.startIndex, t.endIndex).trim(), t.scopes.length > 1 ? t.scopes.at(-1) : ''])
    .filter(([text, scope]) => text && scope);
  return { words, ruleStack };
}

const CHOSEN = {
  afuc: [
    ['loop:  (rep)add $04, $04, 0x2 ; add nop', 'loop label|(rep) storage|add mnemonic|$04 register|$04 register|0x2 numeric|; add nop comment'],
    ['    brne $02, b3, #loop', 'brne mnemonic|$02 register|b3 numeric|#loop label'],
    ['    cwrite $05, [$00 + @PACKET_TABLE_WRITE]', 'cwrite mnemonic|$05 register|$00 register|@PACKET_TABLE_WRITE name'],
    ['000a  work   mov $rem, 0x3', '000a address|mov mnemonic|$rem register|0x3 numeric'],
    ['[016ee001]', '[016ee001] word'],
    ['.macro twice reg', '.macro directive'],
    ['    add \\reg, \\reg, $data', 'add mnemonic|\\reg parameter|\\reg parameter|$data register'],
  ],
  hwsq: [
    ['addr 0x100210 // data', 'addr mnemonic|0x100210 numeric|// data comment'],
    ['WAIT ~24us', 'WAIT mnemonic|~24us numeric'],
    ['set1 FB_PAUSE', 'set1 mnemonic|FB_PAUSE name'],
    ['.size 0x40', '.size directive|0x40 numeric'],
    ['//! target hwsq:g94', '//! target hwsq:g94 comment'],
  ],
  a3xx: [
    ['(sy)(ss)mov.f32f32 r0.x, (2.0)', '(sy) storage|(ss) storage|mov.f32f32 mnemonic|r0.x register|(2.0) numeric'],
    ['again: (rpt1)add.f r1.x, (r)hr0.x, c4.w ; x', 'again label|(rpt1) storage|add.f mnemonic|r1.x register|(r) storage|hr0.x register|c4.w register|; x comment'],
    ['br p0.x, #again', 'br mnemonic|p0.x register|#again label'],
    ['mov.f32f32 r0.x, r<a0.x + 4>', 'mov.f32f32 mnemonic|r0.x register|r< register|a0.x register|4 numeric'],
    ['sam (f32)(xyz)r0.x, r1.x, s#0, t#0', 'sam mnemonic|(f32) storage|(xyz) storage|r0.x register|r1.x register|0 numeric|0 numeric'],
    ['cmps.s.gt p0.x, r2.x, 0', 'cmps.s.gt mnemonic|p0.x register|r2.x register|0 numeric'],
  ],
  ir3: [
    ['(sy)(nop2) add.f.mul2.lt hr48.x, (last)r0.x, c<a0.x + 4>', '(sy) storage|(nop2) storage|add.f.mul2.lt mnemonic|hr48.x register|(last) storage|r0.x register|c< register|a0.x register|4 numeric'],
    ['alias.tex.f32.1 r40.x, (-1.456763)', 'alias.tex.f32.1 mnemonic|r40.x register|(-1.456763) numeric'],
    ['ldib.b.untyped.1d.u32.rck.4.imm.base0 r2.z, r2.z+15, 3', 'ldib.b.untyped.1d.u32.rck.4.imm.base0 mnemonic|r2.z register|r2.z register|15 numeric|3 numeric'],
    ['sam.s2en.uniform (f32)(xyzw)r0.x, r1.x, hr2.x', 'sam.s2en.uniform mnemonic|(f32) storage|(xyzw) storage|r0.x register|r1.x register|hr2.x register'],
    ['again: br !p0.y, #again ; back', 'again label|br mnemonic|p0.y register|#again label|; back comment'],
    ['@localsize 32, 1, 1', '@localsize directive|32 numeric|1 numeric|1 numeric'],
  ],
  mme: [
    ['loop: exit parm $r1 maddr (add $r2 4) // on', 'loop label|exit mnemonic|parm mnemonic|$r1 register|maddr mnemonic|add word|$r2 register|4 numeric|// on comment'],
  ],
};
const SOURCES = {
  afuc: ['tests/console/afuc.asm', 'tests/dap/count.asm', ...fs.readdirSync(path.join(root, 'examples/firmware'))
    .filter((file) => file.endsWith('.asm')).map((file) => `examples/firmware/${file}`)],
  hwsq: ['tests/console/hwsq.hwsq'],
  a3xx: ['tests/console/shader.asm'],
  ir3: ['examples/ir3/preamble.asm', 'tests/kit/ir3/cases/a6xx_memory.asm', 'tests/kit/ir3/cases/a7xx_lanes.asm'],
  mme: ['examples/mme/macros.mme'],
};

async function run() {
  await loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => createOnigScanner(p), createOnigString: (s) => createOnigString(s) }),
    loadGrammar: async (scope) => {
      const file = path.join(folder, `${scope.split('.')[1]}.tmLanguage.json`);
      return parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
  });
  for (const language of Object.keys(CHOSEN)) {
    const grammar = await registry.loadGrammar(`source.${language}`);
    for (const [line, expected] of CHOSEN[language]) {
      const words = colour(grammar, line, INITIAL).words;
      assert.strictEqual(words.length, expected.split('|').length, `${line}: ${JSON.stringify(words)}`);
      expected.split('|').forEach((pair, i) => {
        const [text, scope] = [pair.slice(0, pair.lastIndexOf(' ')), pair.slice(pair.lastIndexOf(' ') + 1)];
        assert.strictEqual(words[i][0], text, line);
        assert.ok(words[i][1].split('.').includes(scope), `${line}: ${words[i]}, not ${scope}`);
      });
    }
    // what stands first in a statement has a colour: a mnemonic, a directive, a label; or a macro's name has none
    const all = SOURCES[language].map((file) => fs.readFileSync(path.join(root, file), 'utf8')).join('\n');
    const macros = [...all.matchAll(/^\s*\.macro\s+(\w+)/gm)].map((match) => match[1]);
    for (const file of SOURCES[language]) {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      let stack = INITIAL;
      for (const line of text.split('\n')) {
        const { words, ruleStack } = colour(grammar, line, stack);
        stack = ruleStack;
        const start = line.trim().split(/[\s,;]/)[0];
        if (start && !macros.includes(start))
          assert.ok(words.length && start.replace(/^\[(?=#)/, '').startsWith(words[0][0].split(' ')[0]), `${file}: ${line}: ${JSON.stringify(words)}`);
      }
    }
  }
}

run().catch((error) => {
  console.error(error);
  process.exit(1);
});
