import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal, type TerminalOptions } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { capability, stream, withCaller } from 'capix';
import * as z from 'zod';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const capabilities = {
  files: {
    watchFiles: capability(async function* () {
      yield { file: 'a.txt' };
      yield { file: 'b.txt' };
      await sleep(60_000);
    }, 'query').output(stream(z.object({ file: z.string() }))),
    packFiles: capability.use(withCaller)(async (_input, ctx) => {
      ctx.progress(1, 2, 'half');
      ctx.log('info', 'noted');
      await sleep(60_000);
    }),
    createFile: capability(z.object({ name: z.string() }), ({ name }) => ({ name })),
  },
};
`;

const server = `import { createServer, restTransport } from 'capix';
import { capabilities } from './capabilities.js';

createServer({ capabilities, transports: [restTransport({ port: Number(process.env.PORT) })] }).start();
`;

async function open(key: string, options: TerminalOptions & { readonly settings?: object } = {}) {
  const { settings = {}, ...rest } = options;
  const project = await openProject({
    'src/capabilities.ts': capabilities,
    'src/server.ts': server,
  });
  await project.write('capix.json', JSON.stringify(settings));
  terminal = openTerminal(['call', key], { cwd: project.root, columns: 120, rows: 40, ...rest });
  await terminal.waitFor('No call yet');
  return { terminal, project };
}

/** The screen looks for servers in an interval of its own. */
async function chooseDev(shown: OpenTerminal): Promise<void> {
  const look = (): string => {
    const screen = shown.screen();
    if (!/ dev http:/.test(screen)) shown.type('\u0014\r');
    return screen;
  };
  await expect.poll(look, { interval: 2_000 }).toMatch(/ dev http:\/\/localhost:\d+/);
}

/** A server that streams two items and goes on; notes its requests. */
async function serve() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['x-token'] ?? ''}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"file":"a.txt"}\n\n');
    response.write('data: {"file":"b.txt"}\n\n');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, requests };
}

it('shows the items of a stream as they come, counts them, and keeps them when it is left', async () => {
  await open('files.watchFiles');
  terminal?.type('\r');
  await terminal?.waitFor(/Running … [\d.]+ s, 2 items[^]*items {2}2[^]*a\.txt[^]*b\.txt/);
  terminal?.type('\u001B');
  await terminal?.waitFor(
    /Cancelled after [\d.]+ s, 2 items[^]*Its process was ended\.[^]*a\.txt[^]*b\.txt/,
  );
});

it('does the same with a stream of a server, whose environment has its variables from an env file', async () => {
  const { url, requests } = await serve();
  const settings = { environments: { staging: { url, headers: { 'x-token': '${TOKEN}' } } } };
  const { terminal: shown, project } = await open('files.watchFiles', { settings });
  shown.type('\u0014\u0014\r');
  await shown.waitFor(`staging ${url}`);
  shown.type('\r');
  await shown.waitFor(/No answer[^]*environment staging, x-token: the variable/);
  expect(requests).toEqual([]);
  await project.write('.env', 'TOKEN=s3\n');
  shown.type('\r');
  await shown.waitFor(/Running … [\d.]+ s, 2 items[^]*a\.txt[^]*b\.txt/);
  shown.type('\u001B');
  await shown.waitFor(
    /Cancelled after [\d.]+ s, 2 items[^]*The server may have done it\.[^]*b\.txt/,
  );
  expect(requests).toEqual(['GET /files/watch-files s3']);
});

it('shows progress and messages while a call runs', async () => {
  const { terminal: shown } = await open('files.packFiles');
  shown.type('\r');
  const frame = await shown.waitFor(/Running[^]*log {2}2[^]*1 of 2: half[^]*info: noted/);
  expect(frame).not.toContain('-0.');
});

it('asks before a POST to an environment, and to none where nothing is changed', async () => {
  const { url, requests } = await serve();
  const { terminal: shown } = await open('files.createFile', {
    settings: { environments: { staging: { url } } },
  });
  shown.type('a\u0014\u0014\r');
  await shown.waitFor(`staging ${url}`);
  shown.type('\r');
  await shown.waitFor(/POST \/files on staging [^]*may change data[^]*y: send it/);
  shown.type('n');
  await shown.waitFor((screen) => !screen.includes('y: send it'));
  expect(requests).toEqual([]);
});

it('saves a call under a name alone, where capix call finds it', async () => {
  const { terminal: shown, project } = await open('files.createFile');
  shown.type('a\u0018s');
  await shown.waitFor('Save as createFile');
  shown.type('five\r');
  await shown.waitFor('Wrote calls/createFilefive.json: capix call @createFilefive');
  expect(await readdir(join(project.root, 'calls'))).toEqual(['createFilefive.json']);
  expect((await project.capix(['call', '@createFilefive'])).stdout).toContain(
    '1 call: 1 passed, 0 failed',
  );
});

it('keeps the target of an open form when a dev server starts and ends', async () => {
  const { terminal: shown, project } = await open('files.createFile');
  shown.type('a');
  const dev = openTerminal(['dev', '--port', '0'], { cwd: project.root });
  onTestFinished(() => dev.close());
  await dev.waitFor(/http:\/\/localhost:\d+/);
  await chooseDev(shown);
  shown.type('b');
  await dev.close();
  shown.type('c');
  expect(await shown.waitFor(/name\* +abc/)).toMatch(/dev http:\/\/localhost:\d+/);
});
