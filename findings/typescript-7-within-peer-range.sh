#!/usr/bin/env bash
# hey-api: a version of TypeScript that its peer range takes does not start it
#
# @hey-api/openapi-ts 0.99.0 asks for `typescript: >=5.5.3 || >=6.0.0 || 6.0.1-rc`, so npm installs
# 7.0.2 beside it without a word. It then throws at import: the package of TypeScript 7 has no
# compiler API under the old name.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @hey-api/openapi-ts@0.99.0 typescript@7.0.2

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://localhost"}],"paths":{"/ticks":{"get":{"operationId":"ticks","responses":{"200":{"description":"ok","content":{"text/event-stream":{"schema":{"type":"object"}},"application/x-ndjson":{"schema":{"type":"object"}}}}}}}}}' > document.json
npm ls typescript --depth=0 | grep -o 'typescript@[0-9.]*' > actual.txt
npx openapi-ts --input document.json --output client 2>&1 | grep -o 'TypeError: .*' >> actual.txt || true
cat > expected.txt <<'TXT'
typescript@7.0.2
TypeError: Cannot read properties of undefined (reading 'AnyKeyword')
TXT
diff -u expected.txt actual.txt && echo "as stated"
