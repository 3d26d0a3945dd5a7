#!/usr/bin/env bash
# openapi-zod-client: a tagged union whose tags are `const` makes a module that throws when it is imported
#
# openapi-zod-client 1.18.3 reads an OpenAPI 3.1 document whose branches are told apart by `kind: {
# const: … }`. It writes `kind: z.string()` and a discriminated union over `kind`, which zod 3
# refuses while the module loads. With `enum` of one value the tags are kept.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save openapi-zod-client@1.18.3 zod@3.25.76 @zodios/core@10.9.6 axios@1.7.9 esbuild@0.28.2

write_document() {
  node -e "
    const tag = (value) => process.argv[1] === 'const' ? { type: 'string', const: value } : { type: 'string', enum: [value] };
    const branch = (value) => ({ type: 'object', required: ['kind'], properties: { kind: tag(value) } });
    const ref = (name) => ({ \$ref: '#/components/schemas/' + name });
    const content = { 'application/json': { schema: ref('Shape') } };
    console.log(JSON.stringify({
      openapi: '3.1.0', info: { title: 't', version: '1' },
      paths: { '/shape': { get: { operationId: 'shape', responses: { 200: { description: 'ok', content } } } } },
      components: { schemas: {
        Circle: branch('circle'), Square: branch('square'),
        Shape: { oneOf: [ref('Circle'), ref('Square')], discriminator: { propertyName: 'kind' } },
      } },
    }));" "$1"
}
for word in const enum; do
  write_document "$word" > "$word.json"
  npx openapi-zod-client "$word.json" -o "$word.ts" > generate.log 2>&1
  printf '%s: %s\n' "$word" "$(grep '^const Circle' "$word.ts")"
  npx esbuild "$word.ts" --bundle --format=esm --platform=node --outfile="$word.mjs" --log-level=error
  node -e "import('./$word.mjs').then(() => console.log('imported'), (error) => console.log(error.message))"
done > actual.txt
cat > expected.txt <<'TXT'
const: const Circle = z.object({ kind: z.string() }).passthrough();
A discriminator value for key `kind` could not be extracted from all schema options
enum: const Circle = z.object({ kind: z.literal("circle") }).passthrough();
imported
TXT
diff -u expected.txt actual.txt && echo "as stated"
