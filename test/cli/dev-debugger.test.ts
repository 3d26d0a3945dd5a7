import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openDevJson, serverProcesses } from '../helpers/open-dev.ts';
import {
  defaultMapLocations,
  findPlace,
  type OpenInspector,
  openInspector,
  takesScript,
} from '../helpers/open-inspector.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

const lines = (...before: readonly string[]) =>
  [
    ...before,
    'export const text = () => {',
    "  const word = 'stopped';",
    '  return word;',
    '};',
    '',
  ].join('\n');

it('breakpoints bind as VS Code and Chrome bind them, in the first version and after a reload', async () => {
  const folder = await devProject({ 'src/text.ts': lines() });
  const file = join(folder, 'src/text.ts');
  const dev = openDevJson(folder, ['--inspect-port', '0']);
  const first = await openInspector(dev);
  const url = await dev.url();
  /** Over a connection of its own: one of before may belong to a process that has been replaced, which a second reload cuts. */
  const getText = async () =>
    (await fetch(`${url}/texts`, { headers: { connection: 'close' } })).text();
  /** The answer of a request that stands at its breakpoint. */
  const stopAt = async ({ post, scripts, pauses }: OpenInspector, line: number) => {
    // The server may answer before the debugger has told of every script.
    const place = await vi.waitFor(() => findPlace(scripts, file, line), { timeout: PATIENCE_MS });
    // It is the file itself, whatever was compiled of it.
    expect(place.script.url).toBe(pathToFileURL(file).href);
    await post('Debugger.setBreakpointByUrl', { url: place.script.url, lineNumber: place.line });
    const answer = getText();
    await expect.poll(() => pauses.length).toBe(1);
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
  await expect.poll(() => serverProcesses(folder)).toHaveLength(2);
  const booted = await serverProcesses(folder);
  await writeTree(folder, {
    'src/text.ts': lines('// one more', 'console.log(`runs in ${process.pid}`);'),
  });
  const second = await openInspector(dev);
  const { line = '' } = await dev.waitFor(
    'output',
    (document) => document.line?.startsWith('runs in') ?? false,
  );
  expect(booted).toContain(Number(line.replace('runs in ', '')));
  await dev.waitFor('ready');
  const atBreakpoint = await stopAt(second, 5);

  // A version that stands at a breakpoint keeps its debugger and its request, and hinders no other.
  await writeTree(folder, { 'src/text.ts': textFile('new') });
  await dev.waitFor('ready');
  expect(await getText()).toBe('{"data":"new"}');
  await second.post('Debugger.resume');
  expect(await atBreakpoint.answer).toBe('{"data":"stopped"}');
  const third = await openInspector(dev);
  await vi.waitFor(() => findPlace(third.scripts, file, 1), { timeout: PATIENCE_MS });
  expect(dev.stdout()).not.toContain('"code":"Killed"');
  dev.kill('SIGTERM');
  await dev.ended;
});

it('a debugger that leaves, at a breakpoint too, stops nothing: the request goes on, and the next save is served and may be debugged', async () => {
  const folder = await devProject({ 'src/text.ts': lines() });
  const file = join(folder, 'src/text.ts');
  const dev = openDevJson(folder, ['--inspect-port', '0']);
  let debug = await openInspector(dev);
  const url = await dev.url();
  const getText = async () =>
    (await fetch(`${url}/texts`, { headers: { connection: 'close' } })).text();
  for (const [save, line] of [3, 4].entries()) {
    const { post, pauses, scripts, close } = debug;
    const place = await vi.waitFor(() => findPlace(scripts, file, line), { timeout: PATIENCE_MS });
    await post('Debugger.setBreakpointByUrl', { url: place.script.url, lineNumber: place.line });
    const answer = getText();
    await expect.poll(() => pauses.length).toBe(1);
    close();
    expect(await answer).toBe('{"data":"stopped"}');
    // Nobody listens for its breakpoint any more.
    expect(await getText()).toBe('{"data":"stopped"}');
    await writeTree(folder, { 'src/text.ts': lines(`// after ${save}`) });
    debug = await openInspector(dev);
    await dev.waitFor('ready');
  }
  // One that leaves while the version it stopped has been replaced.
  const place = await vi.waitFor(() => findPlace(debug.scripts, file, 4), { timeout: PATIENCE_MS });
  await debug.post('Debugger.setBreakpointByUrl', {
    url: place.script.url,
    lineNumber: place.line,
  });
  const stopped = getText();
  await expect.poll(() => debug.pauses.length).toBe(1);
  await writeTree(folder, { 'src/text.ts': textFile('new') });
  await dev.waitFor('ready');
  debug.close();
  expect(await stopped).toBe('{"data":"stopped"}');
  expect(await getText()).toBe('{"data":"new"}');
  const last = await openInspector(dev);
  await vi.waitFor(() => findPlace(last.scripts, file, 1), { timeout: PATIENCE_MS });
  dev.kill('SIGTERM');
  await dev.ended;
});

it('launch.json of a new project attaches to the command that it names, and its settings bind and stop a breakpoint', async () => {
  const folder = await scaffold();
  const { version, configurations } = JSON.parse(
    await readFile(join(folder, '.vscode/launch.json'), 'utf8'),
  );
  const [{ name, type, request, port, restart, skipFiles, ...others }, ...more] = configurations;
  expect({ version, more, type, request, restart }).toEqual({
    version: '0.2.0',
    more: [],
    type: 'node',
    request: 'attach',
    restart: true,
  });
  // All else is as js-debug has it by default: source maps are on, and those in node_modules are not believed.
  const {
    sourceMaps = true,
    resolveSourceMapLocations: locations = defaultMapLocations,
    ...unknown
  } = others;
  expect({ sourceMaps, unknown }).toEqual({ sourceMaps: true, unknown: {} });
  const [, command] = /^Attach to capix dev (.+)$/.exec(name) ?? [];
  const words = command?.split(' ') ?? [];

  // Where another program has the port, Node says so, and names it as well.
  const named = openDevJson(folder, words);
  await named.waitFor('output', ({ line }) => line?.includes(`127.0.0.1:${port}`) ?? false);
  named.kill('SIGTERM');
  await named.ended;

  const dev = openDevJson(folder, [...words, '--inspect-port', '0']);
  const { scripts, pauses, post } = await openInspector(dev);
  const url = await dev.url();
  const source = join(folder, 'src/capabilities/items/store.ts');
  const sourceLine =
    (await readFile(source, 'utf8'))
      .split('\n')
      .findIndex((line) => line.includes('const item =')) + 1;
  const place = await vi.waitFor(() => findPlace(scripts, source, sourceLine, locations), {
    timeout: PATIENCE_MS,
  });
  expect(takesScript(place.script, skipFiles)).toBe(false);
  // The frames of packages are stepped over, and those of capix among them.
  expect(takesScript({ url: 'file:///shop/node_modules/capix/dist/index.js' }, skipFiles)).toBe(
    true,
  );
  await post('Debugger.setBreakpointByUrl', { url: place.script.url, lineNumber: place.line });
  const answer = fetch(`${url}/items`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name": "lamp"}',
  });
  await expect.poll(() => pauses.length).toBe(1);
  expect(pauses[0]?.callFrames[0]?.location.scriptId).toBe(place.script.scriptId);
  await post('Debugger.resume');
  expect(await (await answer).json()).toEqual({ data: { id: '1', name: 'lamp' } });
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
    const inspector = await openInspector(dev);
    expect(dev.stdout()).not.toContain('first runs');
    await inspector.post('Runtime.runIfWaitingForDebugger');
    if (option === '--inspect-brk') {
      await expect.poll(() => inspector.pauses.length).toBe(1);
      const { scriptId } = inspector.pauses[0]?.callFrames[0]?.location ?? {};
      expect(inspector.scripts.find((script) => script.scriptId === scriptId)?.url).toMatch(
        /\/first\.ts$/,
      );
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
  await dev.waitFor(
    'output',
    ({ line }) => line?.endsWith('--import ./otel.mjs --max-old-space-size=300') === true,
  );
  await dev.url();
  await writeTree(folder, {
    'src/text.ts': `console.log(process.env['OTEL']); ${textFile('two')}`,
  });
  await dev.waitFor('output', ({ line }) => line === 'yes');
  dev.kill('SIGTERM');
  await dev.ended;
});

it('the stack of a fault in a handler has the lines of the project, and none of capix', async () => {
  const folder = await devProject({
    'src/text.ts': `export const text = () => {\n  throw new Error('no database');\n};`,
  });
  const dev = openDevJson(folder);
  const seen: string[] = [];
  const url = await dev.url();
  // The whole of the first stack is written before the second begins.
  for (const _ of ['first', 'second']) {
    await fetch(`${url}/texts`);
    for (let line = ''; !line.includes('no database'); seen.push(line))
      line = (await dev.waitFor('output')).line ?? '';
  }
  expect(seen.join('\n')).toMatch(/no database[^]*src\/text\.ts:2:9/);
  expect(seen.filter((line) => line.includes('/server-runtime/'))).toEqual([]);
  dev.kill('SIGTERM');
  await dev.ended;
});
