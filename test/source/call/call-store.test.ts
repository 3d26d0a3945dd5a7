import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { CallMemory } from '../../../source/call/call-memory.ts';
import { CallStore } from '../../../source/call/call-store.ts';
import { type Listed, type Manifest, toCapabilities } from '../../../source/manifest/manifest.ts';
import { toTestManifest, toTestTerminal } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const shop = {
  items: {
    getItem: capability(z.object({ id: z.string() }), () => null),
    createItem: capability(z.object({ name: z.string() }), () => null),
  },
};

interface Opened {
  readonly isSure?: boolean;
  readonly isDev?: boolean;
  readonly memory?: CallMemory;
}

/** The call of one capability at a server whose answers the test sends, without a screen. */
async function open(key: string, { isSure = true, isDev = true, memory }: Opened = {}) {
  const answers: ServerResponse[] = [];
  const server = createServer((_, response) => void answers.push(response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loaded = await toTestManifest(shop);
  const manifest: Manifest = {
    ...loaded,
    project: { ...loaded.project, root: await temporaryFolder() },
  };
  const listed = toCapabilities(manifest).find((each) => each.key === key) as Listed;
  const notices: string[] = [];
  const store = new CallStore({
    services: {
      terminal: toTestTerminal({ environment: {}, write: () => {} }),
      envFile: undefined,
      notify: (text) => void notices.push(text),
      confirm: () => Promise.resolve(isSure),
    },
    memory: memory ?? new CallMemory(),
    capability: listed,
    manifest,
    servers: { address: { url, isRunning: isDev }, devServers: [], environments: {} },
    start: {},
  });
  onTestFinished(() => store.close());
  return { store, answers, notices, manifest, listed };
}

describe('a call', () => {
  it('is sent once, however often it is asked for, and answered', async () => {
    const { store, answers } = await open('items.getItem');
    store.fill({ input: { id: '7' } });
    const sent = store.send(true);
    await store.send(true);
    await expect.poll(() => answers.length).toBe(1);
    expect(store.state).toEqual({ kind: 'running' });
    answers[0]?.writeHead(200).end('{"data":1}');
    await sent;
    expect(store.state).toMatchObject({
      kind: 'answered',
      filled: { id: '7' },
      result: { status: 200, body: { data: 1 } },
    });
    expect(answers).toHaveLength(1);
    await expect.poll(() => store.history).toMatchObject([{ key: 'items.getItem', status: 200 }]);
  });

  it('is over when it is cancelled, and the next one is its own', async () => {
    const { store, answers } = await open('items.getItem');
    store.fill({ input: { id: '7' } });
    const sent = store.send(true);
    await expect.poll(() => answers.length).toBe(1);
    store.cancel();
    await sent;
    expect(store.state).toMatchObject({ kind: 'failed', message: 'The server may have done it.' });
    const next = store.send(true);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.writeHead(404).end('{}');
    await next;
    expect(store.state).toMatchObject({ kind: 'answered', result: { status: 404 } });
  });

  it('is not sent with a field that cannot be sent, to which it goes', async () => {
    const { store, answers, notices } = await open('items.createItem');
    store.change((now) => ({ ...now, value: { input: { name: 'a' }, headers: ['nothing'] } }));
    await store.send(true);
    expect(notices).toEqual(['The marked fields cannot be sent.']);
    expect(store.isTried).toBe(true);
    expect(store.form.focus).toContain('headers');
    expect(answers).toHaveLength(0);
  });

  it('that changes data elsewhere is sent after a yes only', async () => {
    const { store, answers } = await open('items.createItem', { isSure: false, isDev: false });
    await store.findTargets();
    store.choose(store.targets[1]!);
    store.fill({ input: { name: 'a lamp' } });
    await store.send(true);
    expect(store.state).toEqual({ kind: 'none' });
    expect(answers).toHaveLength(0);
  });
});

it('what waited for an editor comes after the keys that were pressed meanwhile', async () => {
  const { store } = await open('items.getItem');
  const before = store.form;
  store.fill({ input: { id: '1' } });
  store.change((now) => ({ ...now, focus: 'here' }));
  expect(store.typed.filled).toEqual({ id: '1' });
  store.undo();
  expect(store.form.value).toEqual(before.value);
  store.redo();
  expect(store.typed.filled).toEqual({ id: '1' });
});

it('a form and its headers are there when the capability is called again', async () => {
  const memory = new CallMemory();
  const first = await open('items.getItem', { memory });
  first.store.fill({ input: { id: '1' }, headers: { 'x-tenant': 'a' } });
  const second = await open('items.getItem', { memory });
  expect(second.store.typed).toMatchObject({ filled: { id: '1' }, headers: { 'x-tenant': 'a' } });
  const other = await open('items.createItem', { memory });
  expect(other.store.typed.headers).toEqual({ 'x-tenant': 'a' });
});

it('code that was loaded again makes another form of the same text, in a process of its own', async () => {
  const { store, manifest, listed } = await open('items.getItem');
  store.fill({ input: { id: '1' } });
  const before = store.version();
  store.load(listed, manifest);
  expect(store.version()).toBe(before);
  const withMore = await toTestManifest({
    items: { getItem: capability(z.object({ id: z.string(), locale: z.string() }), () => null) },
  });
  const next = { ...withMore, project: manifest.project };
  store.load(toCapabilities(next)[0] as Listed, next);
  expect(store.typed.filled).toEqual({ id: '1' });
  expect(store.typed.formRows.map(({ label }) => label)).toContain('locale');
});
