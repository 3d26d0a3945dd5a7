// Boundary: whoever wrote the code or the document at hand. Promise: a signal ends a command even where that code never
// gives way, and the second signal ends at once whatever the first one waits for, with all processes of the command.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startInBackground } from '../../helpers/background-process.ts';
import { openProject } from '../../helpers/fixture-project.ts';
import { isAlive } from '../../helpers/open-start.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';
import { cliEntry } from '../../helpers/run-capix.ts';

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** It says that it runs, and its process, and then hears of nothing for longer than a test waits. */
const block = `
console.log('blocks', process.pid);
const end = Date.now() + ${2 * PATIENCE_MS};
while (Date.now() < end);
`;

function run(root: string, ...words: readonly string[]) {
  return startInBackground([process.execPath, cliEntry, ...words], { cwd: root });
}

/** A command that has ended in half the time that the code would take has not waited for it. */
const patience = { interval: 20 };

describe('the first signal', () => {
  test.each([
    ['list', block],
    ['check', block],
    ['openapi', block],
    ['dev', block],
    ['call items.listItems', ''],
  ])('ends capix %s while the code blocks', async (words, atLoad) => {
    const { root } = await openProject({
      'src/capabilities.ts': `
import { capability } from 'capix';
${atLoad}
const handle = () => { ${block} };
export const items = { listItems: capability(handle, 'query') };
`,
      'src/server.ts': "import './capabilities.js';",
    });
    const command = run(root, ...words.split(' '));
    const [, pid] = await command.waitFor(/blocks (\d+)/);
    const ended = command.stop('SIGINT');
    await expect.poll(() => isAlive(Number(pid)), patience).toBe(false);
    expect(await ended).toEqual({ exitCode: 130 });
  });

  test.each([['diff URL/a.json'], ['diff URL/a.json URL/b.json'], ['call a.b --url URL --json']])(
    'ends capix %s while a server does not answer',
    async (words) => {
      const silent = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => silent.close().closeAllConnections());
      await once(silent, 'listening');
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const { root } = await openProject({
        'src/capabilities.ts': `
import { capability } from 'capix';
export const a = { b: capability(() => 1, 'query').route('GET', '/b') };
`,
      });
      for (const [signal, exitCode] of signals) {
        const asked = once(silent, 'request');
        const command = run(root, ...words.replaceAll('URL', url).split(' '));
        await asked;
        expect(await command.stop(signal)).toEqual({ exitCode });
      }
    },
  );
});

/** A server that says that it has heard of its end, and hears of nothing more. */
const stubborn = `
import { createServer, restTransport } from 'capix';
const stay = () => { ${block} };
process.on('SIGTERM', stay).on('SIGINT', stay);
const server = createServer({ capabilities: {}, transports: [restTransport({ port: 0 })] });
await server.start();
console.log('serves', process.pid);
`;

describe('a second signal ends at once', () => {
  test.each([['dev'], ['start --workers 1']])(
    'capix %s, and the server that stays at the first one',
    async (words) => {
      const { root } = await openProject({
        'src/server.ts': stubborn,
        'src/capabilities.ts': 'export {};',
        'dist/server.js': stubborn,
      });
      for (const [signal, exitCode] of signals) {
        const command = run(root, ...words.split(' '));
        const [, pid] = await command.waitFor(/serves (\d+)/);
        await command.waitFor(/Server started|serves\.\n/);
        void command.stop(signal);
        await command.waitFor(/blocks/);
        const ended = command.stop(signal);
        await expect.poll(() => isAlive(Number(pid)), patience).toBe(false);
        expect(await ended).toEqual({ exitCode });
      }
    },
  );
});
