#!/usr/bin/env bash
# Fastify: a route with the JSON Schema that zod writes does not start
#
# fastify 5.12.8, zod 4.6.7. Fastify compiles schemas as draft 7, and zod writes 2020-12. The output of
# `z.toJSONSchema` ends the start at its `$schema`; without that word, an object works and a tuple ends
# the start at `prefixItems`. Written with `target: "draft-7"`, both work.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save fastify@5.12.8 zod@4.6.7

cat > run.mjs <<'JS'
import Fastify from 'fastify';
import * as z from 'zod';

const Plain = z.object({ name: z.string() });
const Pair = z.object({ pair: z.tuple([z.string(), z.number()]) });

async function post(body, payload) {
  const application = Fastify();
  application.post('/', { schema: { body } }, async () => 'ok');
  try {
    const response = await application.inject({ method: 'POST', url: '/', payload });
    return response.statusCode;
  } catch (error) {
    return error.message.replace(/^.*due to error /, '');
  }
}
const withoutDialect = ({ $schema, ...rest }) => rest;
const [name, pair] = [{ name: 'a' }, { pair: ['a', 1] }];
console.log('object:', await post(z.toJSONSchema(Plain), name));
console.log('object without $schema:', await post(withoutDialect(z.toJSONSchema(Plain)), name));
console.log('tuple without $schema:', await post(withoutDialect(z.toJSONSchema(Pair)), pair));
console.log('draft 7:', await post(z.toJSONSchema(Pair, { target: 'draft-7' }), pair));
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
object: no schema with key or ref "https://json-schema.org/draft/2020-12/schema"
object without $schema: 200
tuple without $schema: strict mode: unknown keyword: "prefixItems"
draft 7: 200
TXT
diff -u expected.txt actual.txt && echo "as stated"
