#!/usr/bin/env bash
# TypeSpec: a tuple in OpenAPI 3.1 may be empty, and a record is one of `never` in openapi-typescript
#
# @typespec/openapi3 1.11.0. A tuple `[string, int32]` is written as `prefixItems` without `minItems`,
# `maxItems` or `items`: an empty list and one of three fit. `Record<int32>` is written with
# `unevaluatedProperties`, of which openapi-typescript 7.13.0 makes a record of `never`: no value fits.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @typespec/compiler@1.11.0 @typespec/http@1.11.0 @typespec/openapi@1.11.0 @typespec/openapi3@1.11.0 openapi-typescript@7.13.0 typescript@5.9.3 ajv@8.20.0

cat > main.tsp <<'TSP'
import "@typespec/http";
import "@typespec/openapi3";
using Http;
@service(#{ title: "T" }) namespace T;
model Item { pair: [string, int32]; counts: Record<int32>; }
@route("/item") @get op getItem(): Item;
TSP
cat > tspconfig.yaml <<'YAML'
emit: ["@typespec/openapi3"]
options:
  "@typespec/openapi3": { file-type: json, openapi-versions: ["3.1.0"], emitter-output-dir: "{cwd}" }
YAML
npx tsp compile main.tsp > compile.log
npx openapi-typescript openapi.json -o item.d.ts > types.log
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const { openapi, components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const { pair, counts } = components.schemas.Item.properties;
console.log(openapi, JSON.stringify(pair), JSON.stringify(counts));
const fits = new Ajv2020({ strict: false, logger: false }).compile(pair);
console.log(fits(['a', 1]), fits([]), fits(['a']), fits(['a', 1, true]), fits([1]));
JS
node run.mjs > actual.txt
grep -E '^ +counts' item.d.ts | sed 's/^ *//' >> actual.txt
cat > expected.txt <<'TXT'
3.1.0 {"type":"array","prefixItems":[{"type":"string"},{"type":"integer","format":"int32"}]} {"type":"object","unevaluatedProperties":{"type":"integer","format":"int32"}}
true true true true false
counts: Record<string, never>;
TXT
diff -u expected.txt actual.txt && echo "as stated"
