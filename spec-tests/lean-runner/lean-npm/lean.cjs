// Runs the WebAssembly build of Lean under Node: `node lean.cjs <arguments of lean>`, beside lean.js and lean.wasm.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const workers = require("worker_threads");

// The build traces its own start on both outputs; LEAN_NPM_TRACE=1 shows that.
const trace = Boolean(process.env.LEAN_NPM_TRACE);
const isNoise = (text) => !trace && (/^\[DEBUG/.test(text) || /^ {2}- \S*\.olean$/.test(text) || /^ {2}mainModule\? = /.test(text));

// Synchronous, so that nothing is lost when the program ends itself.
function write(fd, text) {
  let bytes = Buffer.from(text + "\n");
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(fd, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
const show = (fd) => (text) => { if (!isNoise(text)) write(fd, text); };
console.log = (...parts) => { if (!isNoise(String(parts[0]))) write(2, parts.join(" ")); };

// A thread that runs out of JavaScript stack dies with a RangeError; one that runs out of its share of the wasm memory
// (`lean --tstack`) overwrites whatever lies below. So the former must be the smaller one, and both large.
const stackSizeMb = Number(process.env.LEAN_NPM_STACK_MB || 64);
workers.Worker = class extends workers.Worker {
  constructor(file, options) {
    super(file, { ...options, resourceLimits: { stackSizeMb } });
  }
};

const lean = path.join(__dirname, "lean.js");
Object.assign(globalThis, { require, module, exports, __filename: lean, __dirname });
globalThis.Module = {
  arguments: process.argv.slice(2),
  thisProgram: path.join(__dirname, "lean"),
  // Growing a shared memory in small steps costs more than reserving it; pages that are not used are not allocated.
  INITIAL_MEMORY: 1 << 30,
  print: show(1),
  printErr: show(2),
  preRun: [() => {
    globalThis.ENV.LLVM_PROFILE_FILE = "/dev/null";
    // lean.js mounts /home and /tmp of the host; everything else that may hold sources or the library is mounted here.
    for (const name of fs.readdirSync("/")) {
      if (["home", "tmp", "dev", "proc", "sys"].includes(name)) continue;
      const dir = "/" + name;
      try {
        if (!fs.statSync(dir).isDirectory()) continue;
        try { FS.mkdir(dir); } catch { /* there already */ }
        FS.mount(NODEFS, { root: dir }, dir);
      } catch { /* not readable: then nothing of ours is there */ }
    }
  }],
};
vm.runInThisContext(fs.readFileSync(lean, "utf8"), { filename: lean });
