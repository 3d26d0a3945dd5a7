#!/usr/bin/env bash
# RTK Query: a list in a query that the document wants as repeated keys is sent as one text
#
# @rtk-query/codegen-openapi 2.2.0 with @reduxjs/toolkit 2.9.0. The document says `style: form,
# explode: true`, so `tags=a&tags=b`. The generated endpoint hands the list to fetchBaseQuery, whose
# URLSearchParams join it: `tags=a%2Cb`. A server that follows the document reads one element, and
# nothing fails.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @rtk-query/codegen-openapi@2.2.0 @reduxjs/toolkit@2.9.0 typescript@5.9.3 esbuild@0.28.2

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"servers":[{"url":"http://localhost"}],"paths":{"/items":{"get":{"operationId":"items","parameters":[{"name":"tags","in":"query","style":"form","explode":true,"schema":{"type":"array","items":{"type":"string"}}}],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}}},"/items/{id}":{"get":{"operationId":"item","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object"}}}}}}}}}' > document.json
cat > empty.ts <<'TS'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
export const emptyApi = createApi({
  baseQuery: fetchBaseQuery({
    baseUrl: 'http://localhost',
    fetchFn: async (request) => {
      console.log(decodeURIComponent(new URL((request as Request).url).search));
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    },
  }),
  endpoints: () => ({}),
});
TS
cat > config.json <<'JSON'
{ "schemaFile": "./document.json", "apiFile": "./empty.ts", "apiImport": "emptyApi", "outputFile": "./api.ts", "exportName": "api" }
JSON
npx rtk-query-codegen-openapi config.json > generate.log 2>&1
cat > run.ts <<'TS'
import { configureStore } from '@reduxjs/toolkit';
import { api } from './api';
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (get) => get().concat(api.middleware),
});
await store.dispatch(api.endpoints.items.initiate({ tags: ['a', 'b'] }));
process.exit();
TS
npx esbuild run.ts --bundle --format=esm --platform=node --outfile=run.mjs --log-level=error
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
?tags=a,b
TXT
diff -u expected.txt actual.txt && echo "as stated"
