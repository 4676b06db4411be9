// SPDX-License-Identifier: MIT
// usage: node client.js GPUCODE
// The server with the library that editors in JavaScript talk to it with: typed requests, and guards for what comes.
const assert = require('assert');
const { spawn } = require('child_process');
const rpc = require('vscode-languageserver-protocol/node');

const server = spawn(process.argv[2], ['lsp']);
const connection = rpc.createProtocolConnection(
  new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
connection.listen();

const uri = 'file:///none/main.asm';
const text = '.target afuc:a630\n.equ SIZE, 0x20\nloop:\n\tmvo $02, SIZE\n\tjump #loop\n\tnop\n';
const at = (line, character) => ({ textDocument: { uri }, position: { line, character } });
let heard = () => {};
connection.onNotification(rpc.PublishDiagnosticsNotification.type, (params) => heard(params));
const diagnostics = () => new Promise((done) => { heard = done; });

async function run() {
  const { capabilities } = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: null, workspaceFolders: null,
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['markdown'] }, documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        publishDiagnostics: { relatedInformation: true },
      },
      workspace: { workspaceEdit: { documentChanges: true } },
    },
  });
  assert.ok(capabilities.hoverProvider && capabilities.semanticTokensProvider);
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  let next = diagnostics();
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: 'afuc', version: 1, text } });
  const first = await next;
  assert.strictEqual(first.version, 1);
  assert.ok(first.diagnostics.length === 1 && rpc.Diagnostic.is(first.diagnostics[0]));

  const actions = await connection.sendRequest(rpc.CodeActionRequest.type,
    { textDocument: { uri }, range: first.diagnostics[0].range, context: { diagnostics: first.diagnostics } });
  assert.ok(rpc.CodeAction.is(actions[0]) && rpc.WorkspaceEdit.is(actions[0].edit));
  next = diagnostics();
  await connection.sendNotification(rpc.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: first.diagnostics[0].range, text: 'mov' }],
  });
  assert.deepStrictEqual((await next).diagnostics, []);

  const hover = await connection.sendRequest(rpc.HoverRequest.type, at(3, 2));
  assert.ok(rpc.Hover.is(hover) && hover.contents.kind === 'markdown');
  const places = await connection.sendRequest(rpc.ReferencesRequest.type,
    { ...at(2, 1), context: { includeDeclaration: true } });
  assert.ok(places.length === 2 && places.every(rpc.Location.is));
  const definition = await connection.sendRequest(rpc.DefinitionRequest.type, at(4, 8));
  assert.strictEqual(definition[0].range.start.line, 2);
  assert.ok((await connection.sendRequest(rpc.DocumentHighlightRequest.type, at(2, 1)))
    .every((mark) => rpc.Range.is(mark.range)));
  assert.ok((await connection.sendRequest(rpc.DocumentSymbolRequest.type, at(0, 0))).every(rpc.DocumentSymbol.is));
  assert.ok((await connection.sendRequest(rpc.WorkspaceSymbolRequest.type, { query: '' }))
    .every((symbol) => rpc.Location.is(symbol.location)));
  assert.ok((await connection.sendRequest(rpc.FoldingRangeRequest.type, at(0, 0))).every(rpc.FoldingRange.is));
  const list = await connection.sendRequest(rpc.CompletionRequest.type, at(3, 2));
  assert.ok(list.items.every((item) => rpc.TextEdit.is(item.textEdit)) && list.items.some((item) => item.label === 'mov'));
  const help = await connection.sendRequest(rpc.SignatureHelpRequest.type, at(3, 10));
  assert.ok(help.signatures.length && help.activeParameter === 1);
  assert.ok(rpc.SemanticTokens.is(await connection.sendRequest(rpc.SemanticTokensRequest.type, at(0, 0))));
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const hints = await connection.sendRequest(rpc.InlayHintRequest.type, { textDocument: { uri }, range });
  assert.ok(hints.length === 2 && hints.every(rpc.InlayHint.is));
  assert.ok((await connection.sendRequest(rpc.DocumentFormattingRequest.type,
    { textDocument: { uri }, options: { tabSize: 8, insertSpaces: false } })).every(rpc.TextEdit.is));
  const edit = await connection.sendRequest(rpc.RenameRequest.type, { ...at(2, 1), newName: 'again' });
  assert.ok(rpc.WorkspaceEdit.is(edit) && edit.documentChanges[0].edits.length === 2);
  assert.ok((await connection.sendRequest(rpc.CodeLensRequest.type, at(0, 0))).every(rpc.CodeLens.is));
  const [item] = await connection.sendRequest(rpc.CallHierarchyPrepareRequest.type, at(2, 1));
  assert.ok(item.name && rpc.Range.is(item.selectionRange));
  assert.ok(Array.isArray(await connection.sendRequest(rpc.CallHierarchyIncomingCallsRequest.type, { item })));

  // refused and cancelled
  await assert.rejects(connection.sendRequest(rpc.RenameRequest.type, { ...at(2, 1), newName: '1x' }));
  await assert.rejects(connection.sendRequest('no/such/method', {}), (error) => error.code === rpc.ErrorCodes.MethodNotFound);
  const source = new rpc.CancellationTokenSource();
  const cancelled = connection.sendRequest(rpc.HoverRequest.type, at(3, 2), source.token).then(
    (value) => rpc.Hover.is(value), (error) => error.code === rpc.LSPErrorCodes.RequestCancelled);
  source.cancel();
  assert.ok(await cancelled); // it came in time, or not

  await connection.sendRequest(rpc.ShutdownRequest.type);
  const ended = new Promise((done) => server.on('exit', done));
  await connection.sendNotification(rpc.ExitNotification.type);
  assert.strictEqual(await ended, 0);
  console.log('client: passed');
  process.exit(0);
}
run().catch((error) => {
  console.log(error);
  process.exit(1);
});
