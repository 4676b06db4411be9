// SPDX-License-Identifier: MIT
// What is bundled: `npm run bundle` makes dist/client.js of it.
module.exports = require('vscode-languageclient/node');
