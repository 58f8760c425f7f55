// SPDX-License-Identifier: Apache-2.0
const fs = (globalThis.fs = require("node:fs"));
require(process.argv[2]);
const go = new globalThis.Go();
go.argv = process.argv.slice(3);
WebAssembly.instantiate(fs.readFileSync(go.argv[0]), go.importObject).then(({ instance }) => go.run(instance));
