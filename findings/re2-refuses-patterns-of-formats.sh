#!/usr/bin/env bash
# RE2: readers built on it cannot compile the patterns that schema libraries write for some formats
#
# re2js 2.10.0 (a port of RE2, the engine of Go and of many gateways), zod 4.6.7, valibot 1.5.0.
# Host names, durations and emoji of zod, bank identifiers and domains of valibot hold a look-ahead
# in their pattern, which RE2 does not have. Patterns of e-mail addresses, UUIDs, dates and times
# compile.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save re2js@2.10.0 zod@4.6.7 valibot@1.5.0

cat > run.mjs <<'JS'
import { RE2JS } from 're2js';
import { BIC_REGEX, DOMAIN_REGEX, EMAIL_REGEX } from 'valibot';
import * as z from 'zod';

const patternOf = (schema) => z.toJSONSchema(schema).pattern;
const patterns = {
  'zod email': patternOf(z.email()),
  'zod uuid': patternOf(z.uuid()),
  'zod datetime': patternOf(z.iso.datetime()),
  'zod hostname': patternOf(z.hostname()),
  'zod duration': patternOf(z.iso.duration()),
  'zod emoji': patternOf(z.emoji()),
  'valibot email': EMAIL_REGEX.source,
  'valibot bic': BIC_REGEX.source,
  'valibot domain': DOMAIN_REGEX.source,
};
for (const [name, pattern] of Object.entries(patterns)) {
  try {
    RE2JS.compile(pattern);
    console.log(name, 'compiles');
  } catch {
    console.log(name, 'is refused');
  }
}
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
zod email compiles
zod uuid compiles
zod datetime compiles
zod hostname is refused
zod duration is refused
zod emoji is refused
valibot email compiles
valibot bic is refused
valibot domain is refused
TXT
diff -u expected.txt actual.txt && echo "as stated"
