#!/usr/bin/env bash
# swagger-parser and Scalar: what stands beside a `$ref` replaces what the reference says
#
# @apidevtools/swagger-parser 13.0.0, @scalar/openapi-parser 0.24.17. In OpenAPI 3.1 a schema beside a
# `$ref` counts in addition. Dereferenced, its `required` takes the place of the other, so that a field
# that must be there may be left out; with Scalar the fields of the reference are gone, too.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @apidevtools/swagger-parser@13.0.0 @scalar/openapi-parser@0.24.17 ajv@8.20.0

cat > run.mjs <<'JS'
import SwaggerParser from '@apidevtools/swagger-parser';
import { dereference } from '@scalar/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';

const Named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const Item = {
  $ref: '#/components/schemas/Named',
  properties: { size: { type: 'integer' } },
  required: ['size'],
};
const toDocument = () =>
  structuredClone({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {},
    components: { schemas: { Named, Item } },
  });
const ajv = new Ajv2020({ strict: false });
const whole = ajv.addSchema(toDocument(), 'document').compile({ $ref: 'document#/components/schemas/Item' });
const show = (who, takes, { properties, required } = {}) =>
  console.log(who, takes({ size: 1 }), takes({ size: 1, name: 7 }), JSON.stringify({ properties: properties && Object.keys(properties), required }));
show('as written:', whole);
const { Item: parsed } = (await SwaggerParser.dereference(toDocument())).components.schemas;
show('swagger-parser:', ajv.compile(parsed), parsed);
const { Item: read } = (await dereference(toDocument())).schema.components.schemas;
show('scalar:', ajv.compile(JSON.parse(JSON.stringify(read))), read);
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
as written: false false {}
swagger-parser: true false {"properties":["name","size"],"required":["size"]}
scalar: true true {"properties":["size"],"required":["size"]}
TXT
diff -u expected.txt actual.txt && echo "as stated"
