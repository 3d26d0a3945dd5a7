import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability-factory.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import type { ToolCall } from '../../../server-runtime/server/log/tool-call.ts';
import { createToolCallJournal, readToolCalls } from '../../../source/files/journals/tool-call-journal.ts';
import { textWidth } from '../../../source/kit/text/text-width.ts';
import { loadManifest } from '../../../source/manifest/load-manifest.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import type { ToolsRequest } from '../../../source/manifest/tools/tool-meter.ts';
import { MeterOf } from '../../../source/mcp/mcp-screen.tsx';
import { useScreen } from '../../../source/screens/use-screen.ts';
import { type RenderedScreen, renderScreen } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const items = {
  createItem: capability(z.object({ name: z.string(), note: z.string().describe('x'.repeat(900)) }), () => null),
  getItem: capability(z.object({ id: z.string() }), () => null).describe('Gives one item'),
};
const all: ToolsRequest = { only: [], tag: [], readOnly: false, search: 'auto' };

function toMetered(tree: Parameters<typeof compileRegistry>[0], root: string, tools = all): Promise<Manifest> {
  const project = { root, name: 'shop', entryFile: `${root}/src/capabilities.ts` };
  const registry = compileRegistry(tree);
  return loadManifest({ kind: 'loaded', project, registry, restOptions: {}, files: [] }, { tools });
}

function Metered() {
  return <MeterOf metered={useScreen().project} />;
}

let root: string;
let shop: Manifest;
beforeAll(async () => {
  root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  shop = await toMetered({ items }, root);
});
let screen: RenderedScreen;
afterEach(() => screen.unmount());

function open(options: Partial<Parameters<typeof renderScreen>[1]> = {}): RenderedScreen {
  screen = renderScreen(Metered, { route: { screen: 'mcp' }, ...options });
  screen.load(shop);
  return screen;
}

const call: ToolCall = {
  at: Date.now(),
  tool: 'items_getItem',
  capability: 'items.getItem',
  inputTokens: 12,
  outputTokens: 7_300,
  durationMs: 4,
  isError: false,
  client: 'desk',
};

describe('the tools', () => {
  it('are listed with the largest first, above them what all cost of what they may', async () => {
    const frame = await open().waitFor('items_createItem');
    expect(frame).toMatch(/ 3\d\d of 15,000 tokens .* 2 tools {2}1 without description/);
    expect(frame).toMatch(/❯ +\d\d\d +items_createItem +no description[^]*\n +\d\d +items_getItem/);
  });

  it('have details: the tokens by part and field, and how to make them better', async () => {
    const frame = await open({ columns: 120, rows: 40 }).waitFor('Largest fields');
    expect(frame).toMatch(/input +2\d\d/);
    expect(frame).toMatch(/input\.note +2\d\d/);
    expect(frame).toContain("Say what it does: .describe('...').");
    screen.press('\r');
    await expect.poll(screen.route).toEqual({ screen: 'show', key: 'items.createItem' });
  });

  it('cost too much where the budget of the command line is less', async () => {
    await open({ route: { screen: 'mcp', budget: 100 } }).waitFor('of 100 tokens ████████████ ');
  });

  it('follow a save, and keep the last ones under what broke', async () => {
    await open().waitFor('2 tools');
    screen.load(await toMetered({ items: { ...items, listItems: capability(() => []) } }, root));
    await screen.waitFor('items_listItems');
    screen.fail({ code: 'BuildFailed', message: 'src/a.ts:1:2: Unexpected "="' });
    expect(await screen.waitFor('Unexpected "="')).toContain('items_listItems');
  });

  it('say why a server would not start with them', async () => {
    const twice = {
      getOne: capability(() => 1).tool({ name: 'one' }),
      getTwo: capability(() => 1).tool({ name: 'one' }),
    };
    open().load(await toMetered({ a: twice }, root));
    await screen.waitFor(/would not start: `a\.getOne`/);
    screen.load(await toMetered({ items }, root, { ...all, only: ['itmes.*'] }));
    await screen.waitFor('option --only: no capability fits');
  });
});

describe('the calls of agents', () => {
  it('come as they are made, the newest first, and are summed up', async () => {
    await open({ rows: 30 }).waitFor('2 tools');
    screen.press('v');
    await screen.waitFor('No calls yet.');
    const journal = createToolCallJournal(root);
    journal.take({ ...call, at: call.at - 60_000, tool: 'items_createItem', isError: true, outputTokens: 90 });
    journal.take(call);
    const frame = await screen.waitFor(/2 calls: 24 in, 7,390 out/);
    expect(frame).toMatch(/items_getItem +12 +7,300 +4\.0 ms[^]*✗ items_createItem +12 +90 /);
    expect(frame).toContain('Client          desk');
    screen.press('v');
    screen.press('>>');
    expect(await screen.waitFor(/\d +1 {2}items_createItem/)).toMatch(/\d +1 {2}items_getItem/);
  });

  it('are kept in a file that does not grow without end, whatever stands in it', async () => {
    open();
    const other = await temporaryFolder();
    await mkdir(join(other, 'node_modules/.cache/capix'), { recursive: true });
    const file = join(other, 'node_modules/.cache/capix/tool-calls.jsonl');
    await writeFile(file, `${`${JSON.stringify({ ...call, tool: 'old' })}\n`.repeat(2_500)}not json\n`);
    createToolCallJournal(other).take({ ...call, tool: 'new' });
    await expect.poll(async () => (await readToolCalls(other))[0]?.tool).toBe('new');
    await expect.poll(async () => (await readToolCalls(other)).length).toBe(499);
  });
});

describe('sizes', () => {
  it.each(allWindowSizes)('fills a window of %i by %i and no more', async (columns, rows) => {
    await open({ columns, rows }).waitFor('items_createItem');
    for (const key of ['\t', 'v', 'v']) screen.press(key);
    await screen.waitFor('items_createItem');
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
  });

  it('needs no sign beyond ASCII where the terminal has none', async () => {
    expect(await open({ environment: { TERM: 'linux' } }).waitFor('items_createItem')).toMatch(/^[\u0020-\u007E\n]*$/);
  });
});
