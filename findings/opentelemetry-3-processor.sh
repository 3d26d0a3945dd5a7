#!/usr/bin/env bash
# OpenTelemetry 3: a span processor that was made as in version 2 exports nothing
#
# @opentelemetry/sdk-trace 3.1.0. `new SimpleSpanProcessor(exporter)`, which is how version 2 was
# written, is taken by the constructor in JavaScript and fails only when the first span is flushed;
# no span reaches the exporter. Version 3 wants `new SimpleSpanProcessor({ exporter })`.
#
# Needs Node 20.19 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save @opentelemetry/sdk-trace@3.1.0 @opentelemetry/api@1.10.0

cat > run.mjs <<'JS'
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

async function count(toArgument) {
  const names = [];
  const exporter = {
    export(spans, done) {
      names.push(...spans.map(({ name }) => name));
      done({ code: 0 });
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor(toArgument(exporter))],
  });
  provider.getTracer('tracer').startSpan('span').end();
  await provider.forceFlush().catch(() => {});
  return names.length;
}
console.log('exporter:', await count((exporter) => exporter));
console.log('{ exporter }:', await count((exporter) => ({ exporter })));
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
exporter: 0
{ exporter }: 1
TXT
diff -u expected.txt actual.txt && echo "as stated"
