// SPDX-License-Identifier: MIT
// Starts the worker, and with it the module, before the page's modules have come; site.js takes it.
{
    const worker = new Worker("worker.js");
    self.gpucode_ahead = { worker };
    worker.onerror = () => self.gpucode_ahead && (self.gpucode_ahead.failed = true);
}
