import { describe, expect, it } from 'vitest';
import type { DevEvent } from '../../../../source/dev/dev-event.ts';
import { DevSession } from '../../../../source/dev/session/dev-session.ts';
import type { DevTools } from '../../../../source/dev/session/dev-tools.ts';
import { CompileError } from '../../../../source/load/hooks/compile.ts';
import { noInputs } from '../../../../source/load/watch/code-inputs.ts';
import type { ServeOutcome } from '../../../../source/serve/supervisor-options.ts';
import type { WatchOptions } from '../../../../source/system/watch/watch-files.ts';

const ready: ServeOutcome = {
  kind: 'ready',
  running: [{ url: 'http://localhost:3000', routes: [{ method: 'GET', path: '/items', key: 'items.listItems' }] }],
  ports: [3000],
};

/** A session whose tools are told what to answer; no process, no file, no port. */
function openSession({ opensLate = false } = {}) {
  const told: DevEvent[] = [];
  const calls: string[] = [];
  const answers: { build: 'sound' | 'failed'; hash: string; outcome: () => Promise<ServeOutcome> } = {
    build: 'sound',
    hash: 'one',
    outcome: () => Promise.resolve(ready),
  };
  let watched: WatchOptions | undefined;
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  if (!opensLate) open();
  const files = ['/p/src/server.ts'];
  const tools: DevTools = {
    code: {
      inputs: () => ({ ...noInputs, files: new Set(files) }),
      packages: () => new Map(),
      begin: () => {},
      take: () => {},
      end: () => {},
      toHash: () => answers.hash,
      toReadHash: () => answers.hash,
      expectSound: () => {
        calls.push('look');
        if (answers.build === 'failed') throw new CompileError('/p/src/server.ts', '', 'x no');
      },
    },
    startSupervisor: () => ({
      isServing: true,
      askJobs: () => Promise.reject(new Error('Nobody asks.')),
      prepare: () => {},
      warm: () => {},
      serve: () => {
        calls.push('serve');
        return answers.outcome();
      },
      stop: () => Promise.resolve(),
    }),
    watchFiles: (options) => {
      watched = options;
      const close = () => Promise.resolve(void calls.push('close'));
      return opened.then(() => ({ add: () => {}, close }));
    },
    teller: { take: () => {}, end: () => Promise.resolve() },
  };
  const session = new DevSession(
    {
      project: { root: '/p', name: 'p', entryFile: '/p/src/server.ts' },
      environment: {},
      envFiles: [],
      globs: [],
      watches: true,
      graceMs: 0,
      records: 'nothing',
      allowedHosts: [],
      report: (event) => void told.push(event),
    },
    () => tools,
  );
  const save = (file: string): void => {
    const at = performance.now();
    watched?.onChange([{ file: `/p/${file}`, at, changedAt: at }]);
  };
  return { session, open, told, calls, answers, save, kinds: () => told.map(({ kind }) => kind) };
}

describe('a session', () => {
  it('starts, and starts again for a save of its code only', async () => {
    const { session, told, calls, answers, save } = openSession();
    await session.start();
    expect(told).toMatchObject([
      { kind: 'starting', cause: { kind: 'start' } },
      { kind: 'ready', urls: ['http://localhost:3000'], routes: [{ key: 'items.listItems' }] },
    ]);
    answers.hash = 'two';
    save('data.sqlite');
    save('src/server.ts');
    await expect.poll(() => told.length).toBe(5);
    expect(told[4]).toEqual({ kind: 'notice', notice: { code: 'MemoryLost' } });
    expect(told[3]).toMatchObject({ kind: 'ready', cause: { kind: 'change', files: ['src/server.ts'] } });
    expect(calls).toEqual(['look', 'serve', 'look', 'serve']);
  });

  it('tells of code that cannot be compiled, and starts it when it can', async () => {
    const { session, answers, save, kinds } = openSession();
    answers.build = 'failed';
    await session.start();
    expect(kinds()).toEqual(['starting', 'failed']);
    answers.build = 'sound';
    save('src/server.ts');
    await expect.poll(kinds).toContain('ready');
  });

  it('tells of a start that cannot even be tried, and goes on', async () => {
    const { session, told, answers } = openSession();
    answers.outcome = () => Promise.reject(new Error('spawn EAGAIN'));
    await session.start();
    expect(told.at(-1)).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringContaining('spawn EAGAIN') },
    });
    answers.outcome = () => Promise.resolve(ready);
    session.restart();
    await expect.poll(() => told.at(-1)?.kind).toBe('ready');
  });

  it('starts nothing any more once it is stopped', async () => {
    const { session, calls, save } = openSession();
    await session.start();
    await session.stop();
    save('src/server.ts');
    session.restart();
    expect(calls).toEqual(['look', 'serve', 'close']);
  });

  it('watches nothing any more where it is stopped before the watch has begun', async () => {
    const { session, open, calls } = openSession({ opensLate: true });
    const started = session.start();
    const stopped = session.stop();
    open();
    await Promise.all([started, stopped]);
    expect(calls).toEqual(['close']);
  });
});
