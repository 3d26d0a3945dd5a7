import { realpathSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { WebSocket } from 'undici';
import { expect, it, vi } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { type OpenDevJson, openDevJson, serverProcesses } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

interface Script {
  readonly url: string;
  readonly scriptId: string;
  readonly sourceMapURL: string;
}

interface Paused {
  readonly callFrames: readonly { readonly location: { readonly scriptId: string; readonly lineNumber: number } }[];
}

type Inspector = Awaited<ReturnType<typeof attach>>;

/** A debugger that is connected to the newest process of the server. */
async function attach(dev: OpenDevJson) {
  const { line = '' } = await dev.waitFor('output', (document) => /Debugger listening on/.test(document.line ?? ''));
  const socket = new WebSocket(line.replace('Debugger listening on ', ''));
  await new Promise<void>((resolve) => {
    socket.addEventListener('open', () => resolve());
  });
  const scripts: Script[] = [];
  const pauses: Paused[] = [];
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result } = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      params: unknown;
      result: unknown;
    };
    if (id !== undefined) answers.get(id)?.(result);
    if (method === 'Debugger.scriptParsed') scripts.push(params as Script);
    if (method === 'Debugger.paused') pauses.push(params as Paused);
  });
  let lastId = 0;
  const post = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      lastId += 1;
      answers.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  await post('Runtime.enable');
  await post('Debugger.enable');
  return { post, scripts, pauses, close: () => socket.close() };
}

/** What js-debug does before it believes a source map, with its own default: `resolveSourceMapLocations: ["**", "!**\/node_modules/**"]`. */
function isFollowed({ url }: Script): boolean {
  return url.startsWith('file:') && !/[\\/]node_modules[\\/]/.test(fileURLToPath(url));
}

/** The script that a file was compiled to, by its absolute path, and the line of it, from 0, that a line of the source, from 1, has become. */
function findPlace(scripts: readonly Script[], file: string, sourceLine: number) {
  for (const script of scripts.filter(isFollowed).toReversed()) {
    const [, payload] = /^data:application\/json;base64,(.*)$/.exec(script.sourceMapURL) ?? [];
    if (payload === undefined) continue;
    const map = new SourceMap(JSON.parse(Buffer.from(payload, 'base64').toString('utf8')));
    // Both open the source by its address.
    if (!map.payload.sources.includes(pathToFileURL(realpathSync(file)).href)) continue;
    for (let line = 0; line < 100; line++) {
      const entry = map.findEntry(line, 3) as { originalLine?: number };
      if (entry.originalLine === sourceLine - 1) return { script, line };
    }
  }
  throw new Error(`None of the ${scripts.length} scripts that the debugger knows has line ${sourceLine} of ${file}.`);
}

const lines = (...before: readonly string[]) =>
  [...before, 'export const text = () => {', "  const word = 'stopped';", '  return word;', '};', ''].join('\n');

it('breakpoints bind as VS Code and Chrome bind them, in the first version and after a reload', async () => {
  const folder = await devProject({ 'src/text.ts': lines() });
  const file = join(folder, 'src/text.ts');
  const dev = openDevJson(folder, ['--inspect-port', '0']);
  const first = await attach(dev);
  const url = await dev.url();
  /** Over a connection of its own: one of before may belong to a process that has been replaced, which a second reload cuts. */
  const getText = async () => (await fetch(`${url}/texts`, { headers: { connection: 'close' } })).text();
  /** The answer of a request that stands at its breakpoint. */
  const stopAt = async ({ post, scripts, pauses }: Inspector, line: number) => {
    // The server may answer before the debugger has told of every script.
    const place = await vi.waitFor(() => findPlace(scripts, file, line), { timeout: 20_000 });
    await post('Debugger.setBreakpointByUrl', { url: place.script.url, lineNumber: place.line });
    const answer = getText();
    await expect.poll(() => pauses.length, { timeout: 15_000 }).toBe(1);
    expect(pauses[0]?.callFrames[0]?.location).toMatchObject({
      scriptId: place.script.scriptId,
      lineNumber: place.line,
    });
    return { answer };
  };

  const stopped = await stopAt(first, 3);
  await first.post('Debugger.resume');
  expect(await stopped.answer).toBe('{"data":"stopped"}');

  // It stays connected: the process that is replaced does not wait for it, and the new code runs in one that has booted by now.
  await expect.poll(() => serverProcesses(folder), { timeout: 15_000 }).toHaveLength(2);
  const booted = await serverProcesses(folder);
  await writeTree(folder, { 'src/text.ts': lines('// one more', 'console.log(`runs in ${process.pid}`);') });
  const second = await attach(dev);
  const { line = '' } = await dev.waitFor('output', (document) => document.line?.startsWith('runs in') ?? false);
  expect(booted).toContain(Number(line.replace('runs in ', '')));
  await dev.waitFor('ready');
  const atBreakpoint = await stopAt(second, 5);

  // A version that stands at a breakpoint keeps its debugger and its request, and hinders no other.
  await writeTree(folder, { 'src/text.ts': textFile('new') });
  await dev.waitFor('ready');
  expect(await getText()).toBe('{"data":"new"}');
  await second.post('Debugger.resume');
  expect(await atBreakpoint.answer).toBe('{"data":"stopped"}');
  const third = await attach(dev);
  await vi.waitFor(() => findPlace(third.scripts, file, 1), { timeout: 20_000 });
  expect(dev.stdout()).not.toContain('"code":"Killed"');
  dev.kill('SIGTERM');
  await dev.ended;
});

it('--inspect-wait waits for the debugger, and --inspect-brk pauses in the first file, once', async () => {
  const folder = await devProject({
    'src/server.ts': `import './first.ts';\nimport { createServer, restTransport } from 'capix';\nawait createServer({ capabilities: {}, transports: [restTransport()] }).start();`,
    'src/first.ts': `console.log('first runs');`,
  });
  for (const option of ['--inspect-wait', '--inspect-brk']) {
    const dev = openDevJson(folder, [option, '--inspect-port', '0']);
    const inspector = await attach(dev);
    expect(dev.stdout()).not.toContain('first runs');
    await inspector.post('Runtime.runIfWaitingForDebugger');
    if (option === '--inspect-brk') {
      await expect.poll(() => inspector.pauses.length, { timeout: 15_000 }).toBe(1);
      const { scriptId } = inspector.pauses[0]?.callFrames[0]?.location ?? {};
      expect(inspector.scripts.find((script) => script.scriptId === scriptId)?.url).toContain('/first.ts-');
      expect(dev.stdout()).not.toContain('first runs');
      await inspector.post('Debugger.resume');
    }
    await dev.url();
    await writeTree(folder, { 'src/first.ts': `console.log('first runs again ${option}');` });
    await dev.waitFor('ready');
    dev.kill('SIGTERM');
    await dev.ended;
  }
});

it('options of Node behind -- reach the server, and only it', async () => {
  const folder = await devProject({
    'otel.mjs': `process.env.OTEL = 'yes'; if (process.send === undefined) throw new Error('This is not the server.');`,
    'src/text.ts': `console.log(process.env['OTEL'], process.execArgv.join(' ')); ${textFile('one')}`,
  });
  const dev = openDevJson(folder, ['--', '--import', './otel.mjs', '--max-old-space-size=300']);
  await dev.waitFor('output', ({ line }) => line === 'yes --import ./otel.mjs --max-old-space-size=300');
  await dev.url();
  await writeTree(folder, { 'src/text.ts': `console.log(process.env['OTEL']); ${textFile('two')}` });
  await dev.waitFor('output', ({ line }) => line === 'yes');
  dev.kill('SIGTERM');
  await dev.ended;
});

it('the stack of a fault in a handler has the lines of the project, and one for those of capix', async () => {
  const folder = await devProject({
    'src/text.ts': `export const text = () => {\n  throw new Error('no database');\n};`,
  });
  const dev = openDevJson(folder);
  await fetch(`${await dev.url()}/texts`);
  const seen: string[] = [];
  for (let line = ''; !/frames? of capix/.test(line); seen.push(line)) line = (await dev.waitFor('output')).line ?? '';
  expect(seen.join('\n')).toMatch(/no database[^]*src\/text\.ts:2:9/);
  expect(seen.filter((line) => line.includes('/server-runtime/'))).toEqual([]);
  dev.kill('SIGTERM');
  await dev.ended;
});
