// SPDX-License-Identifier: MIT
// usage: node tree_sitter.js FOLDER TOKENS SOURCE_ROOT
// Reads the grammars of `gpucode export tree-sitter` without tree-sitter: the words of grammar.js are functions that make
// a tree, sources are cut into tokens as tree-sitter's documentation says (the longest one, of equal ones the one that
// stands first), and the rules are tried from left to right. The words must be what the assembler says they are, and the
// corpus must give its trees.
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const { corpusOf, SOURCES } = require('./tree_sitter_sources.js');
const [folder, tokensProgram, root] = process.argv.slice(2);
// --- the words of grammar.js
const wrap = (x) => (x instanceof RegExp || typeof x === 'string' ? { type: 'TOKEN', of: [x] } : x);
global.choice = (...of) => ({ type: 'CHOICE', of: of.map(wrap) });
global.seq = (...of) => ({ type: 'SEQ', of: of.map(wrap) });
global.repeat = (of) => ({ type: 'REPEAT', of: wrap(of) });
global.optional = (of) => ({ type: 'CHOICE', of: [wrap(of), { type: 'SEQ', of: [] }] });
global.field = (name, of) => ({ type: 'FIELD', name, of: wrap(of) });
global.alias = (of, as) => ({ type: 'ALIAS', of: wrap(of), as: as.name });
global.prec = (level, of) => wrap(of);
global.prec.right = (...all) => wrap(all[all.length - 1]);
const leaves = (x) => (x.type === 'CHOICE' ? x.of.flatMap(leaves) : x.of.flatMap((y) => (y.type ? leaves(y) : [y])));
global.token = (of) => ({ type: 'TOKEN', of: leaves(wrap(of)) });
global.grammar = (given) => {
  const reference = new Proxy({}, { get: (_, name) => ({ type: 'RULE', name }) });
  const rules = {};
  for (const [name, rule] of Object.entries(given.rules)) rules[name] = wrap(rule(reference));
  return { name: given.name, rules, extras: given.extras(reference).map(wrap) };
};

const source = (pattern) => (pattern instanceof RegExp ? pattern.source : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

// every token of the grammar with the name of its rule, in the order of the text
function tokensOf(grammar) {
  const found = [];
  const walk = (node, name) => {
    if (node.type === 'TOKEN') found.push({ node, name, patterns: node.of.map((p) => new RegExp(source(p), 'y')) });
    else if (node.type === 'ALIAS') walk(node.of, node.as);
    else if (node.type !== 'RULE') [].concat(node.of).forEach((child) => walk(child, name));
  };
  for (const [name, rule] of Object.entries(grammar.rules)) walk(rule, name);
  return found;
}

function cut(grammar, text) {
  const tokens = tokensOf(grammar);
  const spaces = grammar.extras.filter((extra) => extra.type === 'TOKEN').map((extra) => new RegExp(source(extra.of[0]), 'y'));
  const result = [];
  for (let at = 0; at < text.length;) {
    const space = spaces.find((s) => { s.lastIndex = at; return s.test(text); });
    if (space) { at = space.lastIndex; continue; }
    let best = null; let end = at;
    for (const token of tokens)
      for (const pattern of token.patterns) {
        pattern.lastIndex = at;
        if (pattern.test(text) && pattern.lastIndex > end) { best = token; end = pattern.lastIndex; }
      }
    assert.ok(best, `nothing fits: ${text.slice(at, at + 40)}`);
    result.push({ token: best, at, end });
    at = end;
  }
  return result;
}

// rules from left to right, as much as fits: [nodes, position behind] or null
function parse(grammar, words) {
  const names = Object.keys(grammar.rules);
  const take = (node, at, as) => {
    switch (node.type) {
      case 'TOKEN':
        return at < words.length && words[at].token.node === node ? [[{ name: as, word: words[at] }], at + 1] : null;
      case 'RULE': {
        assert.ok(names.includes(node.name), `no rule ${node.name}`);
        const rule = grammar.rules[node.name];
        const result = take(rule, at, node.name);
        if (!result || node.name.startsWith('_') || rule.type === 'TOKEN') return result;
        return [[{ name: node.name, children: result[0] }], result[1]];
      }
      case 'ALIAS': {
        const result = take(node.of, at, node.as);
        return result && [[{ ...result[0][0], name: node.as }], result[1]];
      }
      case 'FIELD': {
        const result = take(node.of, at, as);
        return result && [result[0].map((child) => ({ ...child, field: node.name })), result[1]];
      }
      case 'SEQ': {
        const nodes = [];
        for (const part of node.of) {
          const result = take(part, at, as);
          if (!result) return null;
          nodes.push(...result[0]);
          at = result[1];
        }
        return [nodes, at];
      }
      case 'CHOICE': {
        const results = node.of.map((part) => take(part, at, as)).filter((result) => result);
        return results.sort((a, b) => b[1] - a[1])[0] || null;
      }
      default: { // REPEAT
        const nodes = [];
        for (let result; (result = take(node.of, at, as)) && result[1] > at; at = result[1]) nodes.push(...result[0]);
        return [nodes, at];
      }
    }
  };
  const [nodes, end] = take(grammar.rules.source_file, 0, 'source_file');
  return { name: 'source_file', children: nodes, end };
}

function show(node) {
  const inner = (node.children || []).filter((child) => child.name && !child.name.startsWith('_'));
  return `${node.field ? `${node.field}: ` : ''}(${[node.name, ...inner.map(show)].join(' ')})`;
}

function checkSource(grammar, language, target, file) {
  const lines = execFileSync(tokensProgram, [target, path.join(root, file)], { encoding: 'utf8' }).trim().split('\n');
  const texts = {};
  let count = 0;
  const kinds = { label: ['label_name'], directive: ['directive_name'], flag: ['modifier', 'mnemonic'], mnemonic: ['mnemonic'], comment: ['comment'] };
  for (const line of lines) {
    const [name, row, column, length, kind] = line.match(/^(.*) (\d+) (\d+) (\d+) (\w+)$/).slice(1);
    if (!texts[name]) {
      const text = fs.readFileSync(name, 'utf8');
      const words = cut(grammar, text);
      const tree = parse(grammar, words.filter((word) => word.token.name !== 'comment'));
      const left = words.filter((word) => word.token.name !== 'comment').slice(tree.end);
      assert.ok(!left.length, `${name}: not read from ${left.length && text.slice(left[0].at, left[0].at + 60)}`);
      const starts = [0];
      for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1);
      texts[name] = { starts, words };
    }
    const at = texts[name].starts[row - 1] + Number(column);
    const word = texts[name].words.find((w) => w.at <= at && at < w.end);
    if (!kinds[kind]) continue;
    assert.ok(word && kinds[kind].includes(word.token.name), `${line}: ${word && word.token.name}`);
    count++;
  }
  return count;
}

let words = 0; let tests = 0;
for (const [language, sources] of Object.entries(SOURCES)) {
  const place = path.join(folder, `tree-sitter-${language}`);
  const module = { exports: null };
  new Function('module', fs.readFileSync(path.join(place, 'grammar.js'), 'utf8'))(module);
  const grammar = module.exports;
  assert.strictEqual(grammar.name, language);
  for (const [target, file] of sources) words += checkSource(grammar, language, target, file);
  for (const { title, input, tree } of corpusOf(place)) {
    const pieces = cut(grammar, input).filter((word) => word.token.name !== 'comment');
    assert.strictEqual(show(parse(grammar, pieces)), tree, title);
    tests++;
  }
  // queries name nodes that there are
  const nodes = new Set(tokensOf(grammar).map((token) => token.name).concat(Object.keys(grammar.rules)));
  for (const query of fs.readdirSync(path.join(place, 'queries')))
    for (const [, node] of fs.readFileSync(path.join(place, 'queries', query), 'utf8').matchAll(/^\((\w+)\)/gm))
      assert.ok(nodes.has(node), `${query}: no node ${node}`);
  JSON.parse(fs.readFileSync(path.join(place, 'tree-sitter.json'), 'utf8'));
}
assert.ok(words > 1000 && tests > 10);
console.log(`${words} words, ${tests} tests of the corpus`);
