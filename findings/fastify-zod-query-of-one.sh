#!/usr/bin/env bash
# fastify-type-provider-zod: a list with one element is refused where the document takes it
#
# fastify-type-provider-zod 7.0.0 with @fastify/swagger 9.9.3. The document describes `tags` as a
# list of repeated keys, which every generated client sends as `tags=a` for one element. That
# request is 400, two elements are 200: the validator does not make a list of one value, as
# Fastify's own validator does.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save fastify@5.12.8 fastify-type-provider-zod@7.0.0 @fastify/swagger@9.9.3 zod@4.6.7

cat > run.mjs <<'JS'
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod';

async function serve(querystring, isZod) {
  const app = Fastify();
  if (isZod) app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  const transform = isZod ? { transform: jsonSchemaTransform } : {};
  await app.register(swagger, { openapi: { openapi: '3.1.0' }, ...transform });
  app.get('/items', { schema: { querystring } }, ({ query }) => query);
  await app.ready();
  const [parameter] = app.swagger().paths['/items'].get.parameters;
  const one = await app.inject('/items?tags=a');
  const two = await app.inject('/items?tags=a&tags=b');
  return `${parameter.schema.type} ${one.statusCode} ${two.statusCode}`;
}
console.log('zod:', await serve(z.object({ tags: z.array(z.string()) }), true));
const tags = { type: 'array', items: { type: 'string' } };
console.log('json schema:', await serve({ type: 'object', properties: { tags } }, false));
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
zod: array 400 200
json schema: array 200 200
TXT
diff -u expected.txt actual.txt && echo "as stated"
