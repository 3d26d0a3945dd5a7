#!/usr/bin/env bash
# orval and swagger-typescript-api: a path parameter goes into the URL as it is
#
# orval 8.38.0 (client `fetch`) and swagger-typescript-api 13.13.0. Their clients write a parameter
# of the path into the URL without encoding it, so the item whose id is `red/blue` is asked for at
# the path of another operation.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save orval@8.38.0 swagger-typescript-api@13.13.0 typescript@5.9.3

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://localhost"}],"paths":{"/items":{"get":{"operationId":"items","parameters":[{"name":"tags","in":"query","style":"form","explode":true,"schema":{"type":"array","items":{"type":"string"}}}],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}}},"/items/{id}":{"get":{"operationId":"item","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}}}}}' > document.json
cat > orval.config.mjs <<'JS'
export default { api: { input: './document.json', output: { target: './orval.ts', client: 'fetch' } } };
JS
npx orval --config orval.config.mjs > generate.log 2>&1
npx swagger-typescript-api generate -p document.json -o . -n sta.ts >> generate.log 2>&1
for file in orval sta; do printf '%s ' "$file"; grep -o '`/items/[^`]*`' "$file.ts" | head -n 1; done > actual.txt
cat > expected.txt <<'TXT'
orval `/items/${id}`
sta `/items/${id}`
TXT
diff -u expected.txt actual.txt && echo "as stated"
