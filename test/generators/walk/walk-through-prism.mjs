import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const helpers = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'helpers', 'walk');

/** Where prism does not know what the document says; each is asked for, and what prism says of it passed over. */
const unknownToPrism = new Map([
  ['kinds_savePassword', 'merges two patterns into one that nothing fits'],
  ['kinds_saveStart', 'merges two patterns into one that nothing fits'],
  ['kinds_saveTuple', 'does not know prefixItems'],
  ['kinds_saveRest', 'does not know prefixItems'],
  ['errors_peekPages', 'does not read a parameter that is JSON'],
  ['answers_goAway', 'follows the redirect itself'],
]);

/** Asks for everything of the walk through prism, which holds requests and answers to the document. @throws Error that lists what it objects to */
export async function walkThroughPrism(prism, folder) {
  const outfile = join(folder, 'walk.mjs');
  const contents = "export * from './walk-app.ts';\nexport * from './walk-requests.ts';";
  const bundling = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  };
  await build({ stdin: { contents, resolveDir: helpers, loader: 'ts' }, outfile, ...bundling });
  const { startWalk, document, requests } = await import(pathToFileURL(outfile).href);
  const file = join(folder, 'walk.json');
  await writeFile(file, JSON.stringify(document));
  const { url, stop } = await startWalk();
  const proxy = await startProxy([...prism, 'proxy', file, url]);
  try {
    const found = [];
    let refused = 0;
    // A body that is no JSON is never answered by prism-http-server 5.16.
    const answered = requests.filter(({ init }) => init?.body !== '{');
    for (const request of answered) {
      const { objections, isRefused } = await ask(proxy.url, document, request);
      if (isRefused) refused += 1;
      if (!unknownToPrism.has(request.id)) found.push(...objections);
    }
    if (found.length > 0) throw new Error(found.join('\n'));
    return `${answered.length} requests, ${refused} of which it calls unfitting, no violation`;
  } finally {
    await proxy.stop();
    await stop();
  }
}

async function ask(base, document, { id, status, init, query = '' }) {
  const [path, method] = Object.entries(document.paths).flatMap(([each, item]) =>
    Object.entries(item).flatMap(([verb, { operationId }]) =>
      operationId === id ? [each, verb.toUpperCase()] : [],
    ),
  );
  const address = `${base}${path.replaceAll(/\{\w+\}/g, '7')}${query}`;
  const response = await fetch(address, { method, redirect: 'manual', ...init });
  await response.arrayBuffer();
  const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  const ofRequest = violations.filter(({ location: [end] }) => end === 'request');
  const wrong =
    status < 400 ? violations : violations.filter(({ location: [end] }) => end === 'response');
  const told = wrong.map(
    ({ location, message }) => `${id} ${status}: ${location.join('.')} ${message}`,
  );
  // What prism cannot read (a body that is not JSON) it answers itself.
  const own = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  if (response.status !== status && !own && !unknownToPrism.has(id))
    told.push(`${id} ${status}: answered ${response.status}`);
  return { objections: told, isRefused: ofRequest.length > 0 || own };
}

async function startProxy([command, ...words]) {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  const child = spawn(command, [...words, '--port', String(port), '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('close', () => reject(new Error(`prism ended: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('listening on')) resolve();
    });
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => (child.kill(), ended) };
}
