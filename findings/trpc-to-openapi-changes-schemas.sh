#!/usr/bin/env bash
# trpc-to-openapi: a request changes the schemas of the application, and "false" is true from then on
#
# trpc-to-openapi 3.3.0 with @trpc/server 11.25.2 and zod 4.6.7, by its handler of fetch. To read texts of a
# query it sets `coerce` on the application's own schemas, also for bodies of JSON. By JavaScript's rules
# "false" and "no" are then true, and null and an empty list are 0, where the document wants a boolean and a
# number. Whoever else uses the schema, such as tRPC's own calls, takes them too from the first request on.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save trpc-to-openapi@3.3.0 @trpc/server@11.25.2 zod@4.6.7 zod-openapi@5.4.6 typescript@5.9.3

cat > run.mjs <<'JS'
import { initTRPC } from '@trpc/server';
import { createOpenApiFetchHandler, generateOpenApiDocument } from 'trpc-to-openapi';
import * as z from 'zod';
const t = initTRPC.meta().create();
const Note = z.object({ isOpen: z.boolean(), count: z.number() });
const Answer = z.object({ got: z.any() });
const router = t.router({
  make: t.procedure
    .meta({ openapi: { method: 'POST', path: '/notes' } })
    .input(Note)
    .output(Answer)
    .mutation(({ input }) => ({ got: input })),
});
const { paths } = generateOpenApiDocument(router, { title: 't', version: '1', baseUrl: 'http://localhost' });
const { isOpen, count } = paths['/notes'].post.requestBody.content['application/json'].schema.properties;
console.log('the document says', JSON.stringify({ isOpen, count }));
const wrong = { isOpen: 'false', count: null };
console.log('the schema takes', JSON.stringify(wrong), Note.safeParse(wrong).success);
async function post(body) {
  const headers = { 'content-type': 'application/json' };
  const req = new Request('http://localhost/notes', { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await createOpenApiFetchHandler({ router, endpoint: '/', req, createContext: () => ({}) });
  console.log(JSON.stringify(body), response.status, await response.text());
}
await post({ isOpen: false, count: 1 });
await post(wrong);
await post({ isOpen: 'no', count: [] });
console.log('the schema takes', JSON.stringify(wrong), Note.safeParse(wrong).success);
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
the document says {"isOpen":{"type":"boolean"},"count":{"type":"number"}}
the schema takes {"isOpen":"false","count":null} false
{"isOpen":false,"count":1} 200 {"got":{"isOpen":false,"count":1}}
{"isOpen":"false","count":null} 200 {"got":{"isOpen":true,"count":0}}
{"isOpen":"no","count":[]} 200 {"got":{"isOpen":true,"count":0}}
the schema takes {"isOpen":"false","count":null} true
TXT
diff -u expected.txt actual.txt && echo "as stated"
