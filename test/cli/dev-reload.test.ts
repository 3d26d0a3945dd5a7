import { utimes } from 'node:fs/promises';
import { Agent, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openDev, openDevJson, serverProcesses } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

describe('a reload', () => {
  it('of a large project serves what was saved, in code and in generated data, and refuses a name that is missing', async () => {
    // A megabyte of code or data is enough to be large.
    const place = `export const place = () => /data.ts:[^)]*/.exec(new Error().stack)[0];`;
    const data = (first: string) =>
      `export const data = ${JSON.stringify([first, ...Array(15_000).fill('x'.repeat(80))])};\n${place}\n`;
    const code = (text: string) =>
      `import { data, place } from './data.ts'; import { end } from './end.ts'; export const text = () => '${text} ' + data[0] + ' ' + place() + end;`;
    const folder = await devProject({
      'src/data.ts': data('a'),
      'src/end.ts': `export const end = '.';`,
      'src/text.ts': code('one'),
    });
    const dev = openDevJson(folder);
    const url = await dev.url();
    /** The source, also where its map is so large that it is a file. */
    const at = ` data.ts:2:${place.indexOf('new Error') + 1}`;
    const saves = [
      [{ 'src/text.ts': code('two') }, `two a${at}.`],
      [{ 'src/data.ts': data('b') }, `two b${at}.`],
      [{ 'src/end.ts': `export const end = '!';`, 'src/text.ts': code('three') }, `three b${at}!`],
      // It had no imports, and was not looked into for them.
      [
        {
          'src/data.ts': `import './added.ts'; ${data('c')}`,
          'src/added.ts': `globalThis.added = 1;`,
        },
        `three c${at}!`,
      ],
      [{ 'src/data.ts': data('b') }, `three b${at}!`],
    ] as const;
    for (const [files, answer] of saves) {
      await writeTree(folder, files);
      await expect.poll(async () => (await send(`${url}/texts`)).body).toBe(`{"data":"${answer}"}`);
    }
    await writeTree(folder, { 'src/end.ts': `export const other = '!';` });
    expect((await dev.waitFor('failed')).error).toMatchObject({
      message: expect.stringMatching(/end/),
    });
    expect((await send(`${url}/texts`)).body).toBe(`{"data":"three b${at}!"}`);
    await writeTree(folder, { 'src/end.ts': `export const end = '?';` });
    await expect
      .poll(async () => (await send(`${url}/texts`)).body)
      .toBe(`{"data":"three b${at}?"}`);
    await dev.waitFor('ready');
    await writeTree(folder, { 'src/end.ts': `\nexport const end = ;` });
    expect((await dev.waitFor('failed')).error?.message).toMatch(
      /src\/end\.ts:2:20: Expression expected/,
    );
    await writeTree(folder, { 'src/end.ts': `export const end = ';';` });
    await expect
      .poll(async () => (await send(`${url}/texts`)).body)
      .toBe(`{"data":"three b${at};"}`);
  });

  it('lets a request that has begun end with the code that it began with', async () => {
    const slow = (text: string) =>
      `export const text = async () => { console.log('begun'); await new Promise((go) => setTimeout(go, 1500)); return '${text}'; };`;
    const folder = await devProject({ 'src/text.ts': slow('old') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const answer = send(`${url}/texts`);
    await dev.waitFor('output', ({ line }) => line === 'begun');
    await writeTree(folder, { 'src/text.ts': textFile('new') });
    await dev.waitFor('ready');
    expect((await send(`${url}/texts`)).body).toBe('{"data":"new"}');
    expect((await answer).body).toBe('{"data":"old"}');
  });

  it('lets both of two requests end that a client has sent at once', async () => {
    const second = `let calls = 0;
      export const text = async () => {
        calls += 1;
        if (calls < 2) return 'old 1';
        console.log('begun');
        await new Promise((go) => setTimeout(go, 2_500));
        return 'old 2';
      };`;
    const folder = await devProject({ 'src/text.ts': second });
    const dev = openDevJson(folder);
    const { port, hostname } = new URL(await dev.url());
    const socket = connect(Number(port), hostname);
    socket.write('GET /texts HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await dev.waitFor('output', ({ line }) => line === 'begun');
    await writeTree(folder, { 'src/text.ts': textFile('new') });
    await dev.waitFor('ready');
    const answers = await readText(socket);
    expect(answers.match(/\{.*\}/g)).toEqual(['{"data":"old 1"}', '{"data":"old 2"}']);
  });

  it('passes the body and the headers of a request on when it comes to code that has gone', async () => {
    const echo = (name: string) => `
      import { capability, createServer, restTransport, defineContext } from 'capix';
      import * as z from 'zod';
      const context = defineContext(({ headers }) => ({ token: headers['x-token'] }));
      const createEcho = capability.withContext<{ token: unknown }>()(z.object({ text: z.string() }), ({ text }, ctx) => ['${name}', text.length, ctx.token]);
      await createServer({ context, capabilities: { echoes: { createEcho } }, transports: [restTransport()] }).start();`;
    const folder = await devProject({ 'src/server.ts': echo('old') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ text: 'x'.repeat(100_000) });
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-token': 'abc' },
      body,
    };
    expect((await send(`${url}/echoes`, agent, options)).body).toBe(
      '{"data":["old",100000,"abc"]}',
    );
    await writeTree(folder, { 'src/server.ts': echo('new') });
    await dev.waitFor('ready');
    expect((await send(`${url}/echoes`, agent, options)).body).toBe(
      '{"data":["new",100000,"abc"]}',
    );
    agent.destroy();
  });

  it('comes only for a save that changes something', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    await dev.url();
    await utimes(join(folder, 'src/text.ts'), new Date(), new Date());
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect(dev.stdout().match(/"event":"ready"/g)).toHaveLength(2);
  });

  it('leaves one server and its spare after many saves', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    await dev.url();
    for (let save = 1; save <= 5; save++) {
      await writeTree(folder, { 'src/text.ts': textFile(`save ${save}`) });
      await dev.waitFor('ready');
    }
    await expect.poll(() => serverProcesses(folder)).toHaveLength(2);
  });

  it('gives a start up that hangs when the next change comes', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    const url = await dev.url();
    await writeTree(folder, {
      'src/text.ts': `console.log('hanging'); await new Promise(() => { setInterval(() => {}, 1000); }); ${textFile('never')}`,
    });
    await dev.waitFor('output', ({ line }) => line === 'hanging');
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    expect(await dev.waitFor('notice')).toMatchObject({ code: 'StartGivenUp' });
    await dev.waitFor('ready');
    expect((await send(`${url}/texts`)).body).toBe('{"data":"two"}');
  });
});

describe('code that cannot start', () => {
  const faults = [
    ['export const = 5;', 'BuildFailed', /src\/text\.ts:1:14: Unexpected token/],
    [
      `import './none.ts'; ${textFile('')}`,
      'BuildFailed',
      /src\/text\.ts:1:8: Could not resolve "\.\/none\.ts"/,
    ],
    [
      `export const other = 1;`,
      'ImportFailed',
      /src\/server\.ts:3:\d+: .* does not provide an export named 'text'/,
    ],
    [
      `throw new Error('no database'); ${textFile('')}`,
      'ImportFailed',
      /src\/text\.ts:1:7: no database/,
    ],
    [
      `import 'not-installed'; ${textFile('')}`,
      'BuildFailed',
      /src\/text\.ts:1:8: Could not resolve "not-installed"/,
    ],
  ] as const;

  it('by syntax, an import of nothing, a missing export, an error at import or a missing package leaves the code before serving, shows the place, and is forgotten when it is mended', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    const url = await dev.url();
    let served = 'one';
    for (const [text, code, message] of faults) {
      await writeTree(folder, { 'src/text.ts': text });
      expect(await dev.waitFor('failed')).toMatchObject({
        stillServing: true,
        error: {
          code,
          message: expect.stringMatching(message),
          frame: expect.stringContaining('> '),
        },
      });
      expect((await send(`${url}/texts`)).body).toBe(`{"data":"${served}"}`);
      served = `mended ${served}`;
      await writeTree(folder, { 'src/text.ts': textFile(served) });
      await dev.waitFor('ready');
      expect((await send(`${url}/texts`)).body).toBe(`{"data":"${served}"}`);
    }
  });

  it('starts once it is mended, when it was broken from the beginning', async () => {
    const folder = await devProject({ 'src/text.ts': 'export const = 5;' });
    const dev = openDevJson(folder);
    expect(await dev.waitFor('failed')).toMatchObject({ stillServing: false });
    await writeTree(folder, { 'src/text.ts': textFile('mended') });
    expect((await send(`${await dev.url()}/texts`)).body).toBe('{"data":"mended"}');
  });

  it('is told from code that starts no server', async () => {
    const folder = await devProject({ 'src/server.ts': `console.log('done');` });
    const dev = openDevJson(folder);
    expect((await dev.waitFor('failed')).error).toMatchObject({
      code: 'NoServer',
      message: 'src/server.ts ended with exit code 0 before a server had started.',
    });
  });
});

describe('a server that crashes', () => {
  it('is told of, answered for with 503, and started by the next change', async () => {
    const folder = await devProject({
      'src/text.ts': `export const text = () => { setTimeout(() => { throw new Error('lost it'); }, 300); return 'one'; };`,
    });
    const dev = openDevJson(folder);
    const url = await dev.url();
    await send(`${url}/texts`);
    expect(await dev.waitFor('exited')).toMatchObject({
      exitCode: 1,
      error: { code: 'Crashed', message: expect.stringMatching(/^src\/text\.ts:1:\d+: lost it$/) },
    });
    // The crash closes the connection of the first request, which an agent that keeps it may not know yet.
    const { status, body } = await send(`${url}/texts`, new Agent());
    expect({ status, body: JSON.parse(body) as unknown }).toMatchObject({
      status: 503,
      body: { error: 'ServiceUnavailable' },
    });
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect((await send(`${url}/texts`, new Agent())).body).toBe('{"data":"two"}');
  });

  it('has told of the request that ended it', async () => {
    const folder = await devProject({
      'src/text.ts': `export const text = () => { setTimeout(() => process.exit(7), 5); return 'one'; };`,
    });
    const dev = openDevJson(folder);
    const url = await dev.url();
    await send(`${url}/texts?last=1`);
    expect(await dev.waitFor('exited')).toMatchObject({ exitCode: 7 });
    await expect.poll(() => dev.stdout()).toMatch(/"event":"request".*texts\?last=1/);
  });

  it('has its stack on stderr, with the lines of the sources', async () => {
    const folder = await devProject({
      'src/text.ts': `\n\nconst crash = () => setImmediate(() => {\n  throw new Error('lost it');\n});\nexport const text = () => crash();`,
    });
    const dev = openDev(folder, ['--port', '0']);
    const [url = ''] = /http:\S+/.exec(await dev.waitForLine(/Server started on/)) ?? [];
    await fetch(`${url}/texts`).catch(() => {});
    await dev.waitForLine(/The server ended with exit code 1/);
    expect(dev.stderr()).toMatch(/Error: lost it\n\s+at .*src\/text\.ts:4:\d+/);
  });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function send(
  url: string,
  agent?: Agent,
  { body = '', ...options }: SendOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = requestHttp(url, { ...options, ...(agent && { agent }) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    outgoing.on('error', reject).end(body);
  });
}
