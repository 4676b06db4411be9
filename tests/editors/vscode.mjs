// SPDX-License-Identifier: MIT
// usage: node vscode.mjs GPUCODE SOURCE_ROOT SERVER CHROMIUM
// In a folder whose node_modules have puppeteer-core, esbuild and vscode-languageclient.
// The extension in a real Visual Studio Code (its server, `out/server-main.js`, whose page is the editor): a file that
// begins with a comment is recognised, an error is underlined, the palette has the commands, F5 starts the debugger,
// which steps forwards and back.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [program, root, main, chromium] = process.argv.slice(2);
const here = createRequire(path.join(process.cwd(), 'x'));
const puppeteer = here('puppeteer-core');
const scratch = mkdtempSync(path.join(tmpdir(), 'gpucode-vscode-'));
const port = 20000 + process.pid % 20000;
const source = '; a comment first\n\n.target afuc:a630\n[016ee001]\n[#jumptbl]\nCP_NOP:\n    waitin\n    mov $01, $data\n';
mkdirSync(path.join(scratch, 'files'));
const extension = path.join(scratch, 'extensions/gpucode.gpucode-0.3.0');
cpSync(path.join(root, 'editors/vscode'), extension, { recursive: true });
here('esbuild').buildSync({ // as `npm run bundle`
  entryPoints: [path.join(extension, 'client.js')], bundle: true, platform: 'node', external: ['vscode'],
  outfile: path.join(extension, 'dist/client.js'), nodePaths: [path.resolve('node_modules')],
});
writeFileSync(path.join(scratch, 'files/good.txt'), `${source}jumptbl:\n.jumptbl\n`);
writeFileSync(path.join(scratch, 'files/wrong.txt'), `${source}    mov $02, missing\njumptbl:\n.jumptbl\n`);
for (const folder of ['Machine', 'User']) {
  mkdirSync(path.join(scratch, 'data', folder), { recursive: true });
  writeFileSync(path.join(scratch, 'data', folder, 'settings.json'), JSON.stringify({
    'gpucode.path': program, 'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none',
  }));
}
const server = spawn(process.execPath, [main, '--without-connection-token', '--accept-server-license-terms', '--host', '127.0.0.1',
  '--port', port, '--server-data-dir', path.join(scratch, 'data'), '--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', path.join(scratch, 'extensions'),
  '--telemetry-level', 'off'], { stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((ready) => server.stdout.on('data', (text) => /agent started/.test(text) && ready()));
const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'], defaultViewport: { width: 1280, height: 850 } });

// What is shown, as soon as it is as wanted.
async function until(page, what, see, good) {
  let seen;
  for (let i = 0; i < 240; i++) {
    seen = await page.evaluate(see);
    if (good(seen)) return seen;
    await pause(250);
  }
  throw new assert.AssertionError({ message: `${what}: ${JSON.stringify(seen)}` });
}

try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/?folder=${path.join(scratch, 'files')}`, { waitUntil: 'domcontentloaded' });
  const open = async (name) => {
    const row = await page.waitForSelector(`.explorer-folders-view [aria-label="${name}"], .explorer-folders-view ::-p-text(${name})`,
      { timeout: 60000 });
    await row.click({ count: 2 });
    await until(page, name, () => [...document.querySelectorAll('.tab.active')].map((tab) => tab.textContent).join(), (tab) => tab.includes(name));
  };
  const status = () => [...document.querySelectorAll('.statusbar-item')].map((item) => item.textContent);
  const stack = () => [...document.querySelectorAll('.debug-call-stack .monaco-list-row')].map((row) => row.textContent).join();
  await open('wrong.txt');
  await until(page, 'the language', status, (items) => items.includes('AFUC'));
  await until(page, 'the error', () => document.querySelectorAll('.squiggly-error').length, (count) => count === 1);
  await (await page.waitForSelector('.editor-instance .view-lines')).click();
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type('gpucode');
  await until(page, 'the palette', () => [...document.querySelectorAll('.quick-input-list .label-name')].map((row) => row.textContent),
    (rows) => ['Run this file', 'Debug this file', 'Check this file (lint)', 'Search instructions by a pattern']
      .every((title) => rows.includes(`gpucode: ${title}`)));
  await page.keyboard.press('Escape');
  await open('good.txt');
  await until(page, 'the language', status, (items) => items.includes('AFUC'));
  await (await page.waitForSelector('.editor-instance .view-lines')).click();
  await page.keyboard.press('F5');
  await until(page, 'the start', stack, (text) => text.includes('good.txt4:1'));
  await page.keyboard.press('F10');
  await until(page, 'a step', stack, (text) => text.includes('good.txt5:1'));
  await page.click('.debug-toolbar .codicon-debug-step-back');
  await until(page, 'a step back', stack, (text) => text.includes('good.txt4:1'));
  console.log('the extension works in Visual Studio Code');
} finally {
  await browser.close();
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
