#!/usr/bin/env bash
# openapi-fetch: a tuple that openapi-typescript writes right is a list by the types of an answer
#
# openapi-fetch 0.17.0 with openapi-typescript 7.13.0. The generated types have `[number, string]`; a body is held to
# that. What a call gives passes through a type that maps lists and does not know tuples: `(string | number)[]`.
#
# Needs Node 20 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save openapi-fetch@0.17.0 openapi-typescript@7.13.0 typescript@5.9.3

echo '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/place":{"get":{"responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"type":"object","properties":{"at":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"minItems":2,"maxItems":2}},"required":["at"]}}}}}}}}}' > document.json
npx openapi-typescript document.json -o document.d.ts > generate.log 2>&1
cat > check.ts <<'TS'
import createClient from 'openapi-fetch';
import type { paths } from './document.js';

type Body = paths['/place']['get']['responses'][200]['content']['application/json'];
declare const body: Body;
export const written: [number, string] = body.at;
const { data } = await createClient<paths>().GET('/place');
export const given: [number, string] | undefined = data?.at;
TS
npx tsc check.ts --noEmit --strict --pretty false --module esnext --moduleResolution bundler --target es2022 --lib es2022,dom --skipLibCheck > actual.txt || true
sed -i '/^ /d' actual.txt
cat > expected.txt <<'TXT'
check.ts(8,14): error TS2322: Type '(string | number)[] | undefined' is not assignable to type '[number, string] | undefined'.
TXT
diff -u expected.txt actual.txt && echo "as stated"
