#!/usr/bin/env bash
# PGlite: the type of a column in JavaScript depends on the value
#
# @electric-sql/pglite 0.5.17. An `int8` is a number where it is safe and a bigint where it is not;
# an infinite `timestamptz` is the number Infinity where every other one is a Date.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @electric-sql/pglite@0.5.17

cat > run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';

const { rows } = await new PGlite().query(`
  select 1::int8 as small, 9007199254740993::int8 as large,
    '2026-01-02'::timestamptz as day, 'infinity'::timestamptz as never`);
const [{ small, large, day, never }] = rows;
console.log('int8:', typeof small, typeof large);
console.log('timestamptz:', day.constructor.name, never.constructor.name);
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
int8: number bigint
timestamptz: Date Number
TXT
diff -u expected.txt actual.txt && echo "as stated"
