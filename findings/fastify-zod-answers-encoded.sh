#!/usr/bin/env bash
# fastify-type-provider-zod: a default in a response is not a default, and a transform ends the call
#
# fastify-type-provider-zod 7.0.0 with zod 4.6.7. Responses are written by `z.encode`, which runs a
# schema backwards: a field with a default must be there, and a schema with a transform throws. Both
# are 500 to the caller. A codec and a date are written.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save fastify@5.12.8 fastify-type-provider-zod@7.0.0 zod@4.6.7

cat > run.mjs <<'JS'
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod';

const app = Fastify();
app.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
const toNumber = z.codec(z.string(), z.number(), { decode: Number, encode: String });
const answers = {
  default: [z.object({ size: z.number().default(1) }), {}],
  transform: [z.object({ size: z.string().transform(Number) }), { size: '5' }],
  codec: [z.object({ size: toNumber }), { size: 5 }],
  date: [z.object({ at: z.date() }), { at: new Date(0) }],
};
for (const [name, [schema, value]] of Object.entries(answers))
  app.get(`/${name}`, { schema: { response: { 200: schema } } }, async () => value);
for (const name of Object.keys(answers)) {
  const { statusCode, body } = await app.inject(`/${name}`);
  console.log(name, statusCode, statusCode === 200 ? body : JSON.parse(body).message);
}
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
default 500 Response doesn't match the schema
transform 500 Encountered unidirectional transform during encode: ZodTransform
codec 200 {"size":"5"}
date 200 {"at":"1970-01-01T00:00:00.000Z"}
TXT
diff -u expected.txt actual.txt && echo "as stated"
