// SPDX-License-Identifier: MIT
// Starts `gpucode dap`; everything else is the protocol's.
const vscode = require('vscode');

exports.activate = function (context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('gpucode', {
      createDebugAdapterDescriptor() {
        const program = vscode.workspace.getConfiguration('gpucode').get('path', 'gpucode');
        return new vscode.DebugAdapterExecutable(program, ['dap']);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider('gpucode', {
      // F5 without a launch.json debugs the open file
      resolveDebugConfiguration(folder, configuration) {
        if (!configuration.type && !configuration.request && vscode.window.activeTextEditor) {
          return { type: 'gpucode', request: 'launch', name: 'Debug this file', program: '${file}', stopOnEntry: true };
        }
        return configuration;
      },
    }));
};

exports.deactivate = function () {};
