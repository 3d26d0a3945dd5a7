#!/usr/bin/env bash
# feTS: an operation that needs no sign-in wants an Authorization header by its types
#
# fets 0.8.12. The document has a bearer scheme for the whole API, and `security: []` on one
# operation, which says that this one is public. The inferred type of the client requires an
# `Authorization` header for it; a call without one does not compile.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save fets@0.8.12 typescript@5.9.3

cat > run.ts <<'TS'
import { createClient, type NormalizeOAS } from 'fets';
const document = {
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/open': { get: { operationId: 'open', security: [], responses: { 200: { description: 'ok' } } } },
  },
} as const;
const client = createClient<NormalizeOAS<typeof document>>({ endpoint: 'http://localhost' });
export const withHeader = () => client['/open'].get({ headers: { Authorization: 'Bearer x' } });
export const without = () => client['/open'].get();
TS
npx tsc --noEmit --strict --skipLibCheck --module nodenext --target es2022 --lib es2022,dom run.ts |
  grep -o '^run.ts([0-9]*' > actual.txt || true
cat > expected.txt <<'TXT'
run.ts(13
TXT
diff -u expected.txt actual.txt && echo "as stated"
