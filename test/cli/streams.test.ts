import { once } from 'node:events';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectToCommand } from '../helpers/connect-to-tools.ts';
import { cleanEnvironment, cliEntry, runCapix } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'src/streams.ts': `
      import { setTimeout as sleep } from 'node:timers/promises';
      import { capability, withTimeout } from 'capix';
      async function* count(signal: AbortSignal) {
        console.error('BEGAN');
        signal.addEventListener('abort', () => console.error('FIRED ' + signal.reason.name));
        try {
          for (let n = 0; ; n++) { yield n; await sleep(20); }
        } finally {
          console.error('ENDED');
        }
      }
      export const a = {
        ticks: capability((_input, { signal }) => count(signal), 'query').enhance(withTimeout(500)),
        follow: capability((_input, { signal }) => count(signal), 'query').enhance(withTimeout(600_000)),
        flood: capability(async function* () {
          try { for (;;) yield { text: 'x'.repeat(1000) }; } finally { console.error('ENDED'); }
        }, 'query'),
      };
    `,
  });
});

const config = ['--config', 'src/streams.ts'];

describe('capix call of a stream', () => {
  it.each([[[]], [['--json']]])('ends with the timeout, with %j', async (options) => {
    const { stdout, stderr, exitCode } = await runCapix(
      ['call', 'a.ticks', ...config, ...options],
      { cwd: folder },
    );
    expect([stderr.match(/[A-Z]{5}.*/g), exitCode]).toEqual([
      ['BEGAN', 'FIRED TimeoutError', 'ENDED'],
      1,
    ]);
    if (options.length === 0)
      expect(stderr).toContain('error: Timeout (504): Timeout after 500 ms\n');
    else
      expect(JSON.parse(stdout)).toEqual({
        ok: false,
        error: { code: 'Timeout', message: 'Timeout after 500 ms', status: 504 },
      });
  });

  it('ends where it is longer than 1 MiB', async () => {
    const { stdout, stderr, exitCode } = await runCapix(['call', 'a.flood', ...config], {
      cwd: folder,
    });
    // The items that came before are kept, as the list that they are.
    expect((JSON.parse(stdout) as unknown[]).length).toBeGreaterThan(500);
    expect([stderr, exitCode]).toEqual([
      'ENDED\nerror: PayloadTooLarge (413): The answer is longer than 1 MiB\n',
      1,
    ]);
  });
});

describe('capix mcp', () => {
  const messages = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a_follow', arguments: {} } },
  ];

  /** A session whose tool has begun to give its stream. */
  async function openWithStream() {
    const options = { cwd: folder, env: cleanEnvironment(), extendEnv: false, reject: false };
    const child = execa(process.execPath, [cliEntry, 'mcp', ...config], options);
    for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
    while (!String(await once(child.stderr, 'data')).includes('BEGAN'));
    return { child };
  }

  it('leaves no process behind when its host goes while a stream is read', async () => {
    const { child } = await openWithStream();
    child.stdin.end();
    const { stdout, stderr, exitCode } = await child;
    const answers = stdout
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; error?: { message: string } });
    expect(answers.map(({ id, error }) => [id, error?.message])).toEqual([
      [1, undefined],
      [2, 'The call was cancelled: the input has ended.'],
    ]);
    expect(stderr.match(/[A-Z]{5}.*/g)).toEqual(['BEGAN', 'FIRED AbortError', 'ENDED']);
    expect(exitCode).toBe(0);
  });

  it('leaves no process behind when its host ends without reading to the end', async () => {
    const { child } = await openWithStream();
    child.stdout.destroy();
    child.stdin.end();
    const { stderr, exitCode } = await child;
    expect([stderr.match(/[A-Z]{5}.*/g), exitCode]).toEqual([
      ['BEGAN', 'FIRED AbortError', 'ENDED'],
      0,
    ]);
  });

  it('answers a stream at its timeout, and goes on', async () => {
    const client = await connectToCommand(folder, ...config);
    const [ticks, flood] = await Promise.all([
      client.callTool({ name: 'a_ticks', arguments: {} }),
      client.callTool({ name: 'a_flood', arguments: {} }),
    ]);
    const tooLarge =
      'PayloadTooLarge (413): The result has more than 100 kB of text, and may have 100 kB';
    expect([ticks, flood]).toMatchObject([
      { isError: true, content: [{ text: expect.stringContaining('Timeout (504)') }] },
      { isError: true, content: [{ text: expect.stringContaining(tooLarge) }] },
    ]);
  });
});
