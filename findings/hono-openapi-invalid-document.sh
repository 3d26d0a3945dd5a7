#!/usr/bin/env bash
# hono-openapi: a route that is validated and not described makes the whole document invalid
#
# hono-openapi 1.3.3, hono 4.13.19, zod 4.6.7. A route without `describeRoute` gets a response 200 without
# the description that OpenAPI requires, so that validators refuse the whole document. It is also given
# a response 400 of the shape of the default hook.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save hono-openapi@1.3.3 hono@4.13.19 zod@4.6.7 @hono/standard-validator@0.4.0 @standard-community/standard-json@0.3.6 @standard-community/standard-openapi@0.2.10 openapi-types@12.1.3 @types/json-schema@7.0.15 quansync@0.2.11 @apidevtools/swagger-parser@13.0.0

cat > run.mjs <<'JS'
import SwaggerParser from '@apidevtools/swagger-parser';
import { Hono } from 'hono';
import { describeRoute, generateSpecs, validator } from 'hono-openapi';
import * as z from 'zod';

const Form = z.object({ name: z.string() });
const toDocument = async (...described) => {
  const application = new Hono().post('/items', ...described, validator('form', Form), (c) => c.text('ok'));
  const documentation = { info: { title: 't', version: '1' } };
  return JSON.parse(JSON.stringify(await generateSpecs(application, { documentation })));
};
const isValid = (document) =>
  SwaggerParser.validate(structuredClone(document)).then(() => true, () => false);
const bare = await toDocument();
const described = await toDocument(describeRoute({ responses: { 200: { description: 'ok' } } }));
const { responses } = bare.paths['/items'].post;
console.log(JSON.stringify(responses['200']), Object.keys(responses));
console.log('valid:', await isValid(bare), await isValid(described));
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
{} [ '200', '400' ]
valid: false true
TXT
diff -u expected.txt actual.txt && echo "as stated"
