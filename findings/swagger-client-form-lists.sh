#!/usr/bin/env bash
# swagger-client: a list of texts in a form is sent as one part, a list of objects as one part of JSON
#
# swagger-client 3.37.3 (inside of Swagger UI). A list in a multipart body without `encoding` is one
# part for each element by OpenAPI 3.1. It sends `tags=a,b` in one part; a server that follows the
# standard reads one element, and nothing fails. With `encoding: { tags: { style: form, explode:
# true } }` in the document it sends two parts.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save swagger-client@3.37.3

cat > run.mjs <<'JS'
import SwaggerClient from 'swagger-client';

const list = (items) => ({ type: 'array', items });
const schema = {
  type: 'object',
  properties: { tags: list({ type: 'string' }), lines: list({ type: 'object' }) },
};
const requestBody = { tags: ['a', 'b'], lines: [{ n: 1 }, { n: 2 }] };
for (const encoding of [undefined, { tags: { style: 'form', explode: true } }]) {
  const content = { 'multipart/form-data': { schema, encoding } };
  const post = { operationId: 'send', requestBody: { content }, responses: {} };
  const spec = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    servers: [{ url: 'http://localhost' }],
    paths: { '/form': { post } },
  };
  const { body } = SwaggerClient.buildRequest({ spec, operationId: 'send', requestBody });
  console.log(JSON.stringify([...body.entries()]));
}
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
[["tags","a,b"],["lines","[{\"n\":1},{\"n\":2}]"]]
[["tags","a"],["tags","b"],["lines","[{\"n\":1},{\"n\":2}]"]]
TXT
diff -u expected.txt actual.txt && echo "as stated"
