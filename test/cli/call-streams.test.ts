import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execa } from 'execa';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { cleanEnvironment, cliEntry } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'src/streams.ts': `
      import { capability, withCaller, stream } from 'capix';
      import * as z from 'zod';
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      export const a = {
        watch: capability(async function* () {
          yield { n: 0 };
          yield { n: 1 };
        }, 'query').output(stream(z.object({ n: z.number() }))),
        hang: capability(async function* () {
          yield 1;
          await sleep(60_000);
        }, 'query'),
        half: capability(async function* () {
          yield 1;
          throw new Error('the second half is missing');
        }, 'query'),
        work: capability.use(withCaller)(async (_input, ctx) => {
          ctx.progress(1, 2, 'half');
          ctx.log('info', 'noted');
          return 'done';
        }),
      };
    `,
  });
});

const call = (...words: readonly string[]) =>
  askCapix(['call', ...words, '--config', 'src/streams.ts'], { cwd: folder, env: { TOKEN: 's3' } });

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const eventStream = 'text/event-stream; charset=utf-8';
const list = '[\n  {\n    "n": 0\n  },\n  {\n    "n": 1\n  }\n]\n';

it('a stream is a list, in this process and as the events of a server', async () => {
  const text = ':\n\nid: 1\ndata: {"n":0}\n\ndata: {"n":1}\n\n';
  const url = await serve(
    (_, response) => void response.writeHead(200, { 'content-type': eventStream }).end(text),
  );
  expect(await call('a.watch')).toEqual({ stdout: list, stderr: '', exitCode: 0 });
  expect(await call('a.watch', '--url', url)).toEqual({ stdout: list, stderr: '', exitCode: 0 });
  const { stdout } = await call('a.watch', '--url', url, '--json');
  expect(JSON.parse(stdout)).toEqual({ ok: true, data: [{ n: 0 }, { n: 1 }] });
});

it('a stream that fails in its middle keeps its items, and fails the command', async () => {
  const text =
    'data: {"n":0}\n\nevent: error\ndata: {"error":"Internal","message":"Internal server error"}\n\n';
  const url = await serve(
    (_, response) => void response.writeHead(200, { 'content-type': eventStream }).end(text),
  );
  const { stdout, stderr, exitCode } = await call('a.watch', '--url', url);
  expect([JSON.parse(stdout), stderr, exitCode]).toEqual([
    [{ n: 0 }],
    'error: Internal (500): Internal server error\n',
    1,
  ]);
  const here = await call('a.half');
  expect([JSON.parse(here.stdout), here.exitCode]).toEqual([[1], 1]);
  expect(here.stderr).toContain('the second half is missing');
});

it('items are printed as they come', async () => {
  const child = execa(
    process.execPath,
    [cliEntry, 'call', 'a.hang', '--config', 'src/streams.ts'],
    {
      cwd: folder,
      env: cleanEnvironment(),
      extendEnv: false,
      reject: false,
    },
  );
  let text = '';
  for await (const part of child.stdout) {
    text += String(part);
    if (text.includes('1')) break;
  }
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(130);
  expect(text).toBe('[\n  1');
});

it('a call that says nothing ends with --timeout, here and on a server', async () => {
  const url = await serve(() => {});
  const there = await call('a.watch', '--url', url, '--timeout', '0.5');
  expect(there).toEqual({
    stdout: '',
    stderr: `error: No answer from ${url}: it said nothing for 500 ms.\nGive it longer with --timeout.\n`,
    exitCode: 1,
  });
  const here = await call('a.hang', '--timeout', '0.5');
  expect([here.stdout, here.exitCode]).toEqual(['[\n  1\n]\n', 1]);
  expect(here.stderr).toContain(
    'No answer from the code in this process: it said nothing for 500 ms.',
  );
});

it('progress and messages to the caller go to stderr', async () => {
  expect(await call('a.work')).toEqual({
    stdout: '"done"\n',
    stderr: '1 of 2: half\ninfo: noted\n',
    exitCode: 0,
  });
});
