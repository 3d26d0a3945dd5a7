#!/usr/bin/env bash
# swagger-typescript-api and feTS: a list of files in a form is sent as one text, without the files
#
# swagger-typescript-api 13.13.0 and fets 0.8.12. For a property of a multipart form that is a list of files, both
# take a list of File by their types. The one sends the part `[{},{}]`, the other `[object File],[object File]`;
# a single file beside it is sent as a file.
#
# Needs Node 20 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save swagger-typescript-api@13.13.0 fets@0.8.12 esbuild@0.28.2

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://localhost"}],"paths":{"/files":{"post":{"operationId":"send","requestBody":{"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","properties":{"one":{"type":"string","format":"binary"},"many":{"type":"array","items":{"type":"string","format":"binary"}}},"required":["one","many"]}}}},"responses":{"204":{"description":"ok"}}}}}}' > document.json
npx swagger-typescript-api generate -p document.json -o . -n client.ts > generate.log 2>&1
npx esbuild client.ts --bundle --format=esm --platform=node --outfile=client.mjs --log-level=error
cat > run.mjs <<'JS'
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createClient } from 'fets';
import { Api } from './client.mjs';

const server = createServer(async (request, response) => {
  const { url, method, headers } = request;
  const asked = new Request(`http://localhost${url}`, { method, headers, body: request, duplex: 'half' });
  for (const [name, part] of await asked.formData())
    console.log(`  ${name}: ${typeof part === 'string' ? part : `the file ${part.name}`}`);
  response.writeHead(204).end();
}).listen(0);
await once(server, 'listening');
const endpoint = `http://localhost:${server.address().port}`;
const [a, b, c] = ['a', 'b', 'c'].map((name) => new File([name], `${name}.txt`));
console.log('swagger-typescript-api');
await new Api({ baseUrl: endpoint }).files.send({ one: a, many: [b, c] });
console.log('fets');
await createClient({ endpoint })['/files'].post({ formData: { one: a, many: [b, c] } });
process.exit();
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
swagger-typescript-api
  one: the file a.txt
  many: [{},{}]
fets
  one: the file a.txt
  many: [object File],[object File]
TXT
diff -u expected.txt actual.txt && echo "as stated"
