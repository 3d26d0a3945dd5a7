import { describe, expect, it } from 'vitest';
import { DevStore } from '../../../../source/dev/screen/dev-store.ts';
import type { DevEvent } from '../../../../source/dev/session/dev-event.ts';

const ready = (...paths: readonly string[]): DevEvent => ({
  kind: 'ready',
  cause: { kind: 'start' },
  durationMs: 5,
  urls: ['http://localhost:3000'],
  routes: paths.map((path) => ({ method: 'GET', path, key: `items.${path.slice(1)}` })),
});

describe('the store of the dev screen', () => {
  it('marks the routes that a reload brings and takes away, and forgets the latter with the next one', () => {
    const store = new DevStore();
    store.take(ready('/a', '/b'));
    expect(store.routes.map(({ mark }) => mark)).toEqual([undefined, undefined]);
    store.take(ready('/b', '/c'));
    expect(store.routes.map(({ route, mark }) => [route.path, mark])).toEqual([
      ['/b', undefined],
      ['/c', 'new'],
      ['/a', 'removed'],
    ]);
    store.take(ready('/b', '/c'));
    expect(store.routes.map(({ route }) => route.path)).toEqual(['/b', '/c']);
  });

  it('keeps the trouble of the watcher over reloads, and the fault until code starts', () => {
    const store = new DevStore();
    const trouble = { code: 'FilesPolled', message: 'polled', hint: 'sysctl' } as const;
    store.take({ kind: 'watch-trouble', trouble });
    const failure = { code: 'BuildFailed', message: 'no' } as const;
    store.take({ kind: 'failed', cause: { kind: 'start' }, failure, stillServing: false });
    expect(store.state).toMatchObject({ phase: 'broken', failure, watchTrouble: trouble });
    store.take(ready('/a'));
    expect(store.state).toMatchObject({ phase: 'ready', watchTrouble: trouble });
    expect(store.state.failure).toBeUndefined();
  });

  it('keeps what the server wrote, and tells whoever draws', async () => {
    const store = new DevStore();
    const before = store.version();
    store.take({ kind: 'output', stream: 'stdout', lines: ['hello'] });
    expect(store.logs.total).toBe(1);
    await expect.poll(() => store.version()).toBeGreaterThan(before);
  });

  it('counts a request where its capability is served', () => {
    const store = new DevStore();
    store.take(ready('/a', '/b'));
    const request = {
      id: '7-1',
      method: 'GET',
      url: '/a',
      status: 404,
      durationMs: 1,
      capability: 'items.a',
    };
    const requests = [
      request,
      { ...request, id: '7-2', capability: 'items.c' },
      { ...request, id: '7-3', capability: undefined },
    ];
    store.take({ kind: 'requests', requests } as unknown as DevEvent);
    expect(store.routes.map(({ stats }) => stats.count)).toEqual([1, 0]);
    expect(store.requests.map(({ key }) => key)).toEqual(['7-1', '7-2', '7-3']);
  });

  it('has one row for a connection, which gets the end of it, and counts that as no request', () => {
    const store = new DevStore();
    const opened = { id: '7-1', method: 'GET', url: '/_call', status: 101, durationMs: 1 };
    const closed = { by: 'nobody', code: 1006, openMs: 9 };
    const take = (...requests: readonly object[]): void =>
      store.take({ kind: 'requests', requests } as unknown as DevEvent);
    take(opened, { ...opened, id: '7-2' });
    take({ ...opened, closed }, { ...opened, id: '7-0', closed });
    expect(store.requests.map((entry) => [entry.key, entry.closed])).toEqual([
      ['7-1', closed],
      ['7-2', undefined],
    ]);
    // One that has opened and closed between two reports.
    take({ ...opened, id: '7-3' }, { ...opened, id: '7-3', closed });
    expect([store.requests.at(-1)?.closed, store.requestTotal]).toEqual([closed, 3]);
  });
});
