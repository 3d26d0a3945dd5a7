import { describe, expect, it } from 'vitest';
import type { DevEvent } from '../../../../source/dev/session/dev-event.ts';
import { DevSession, type DevTools } from '../../../../source/dev/session/dev-session.ts';
import { CompileError } from '../../../../source/load/hooks/compile-error.ts';
import type { ServeOutcome } from '../../../../source/serve/server-message.ts';
import type { WatchOptions } from '../../../../source/system/watch-files.ts';

const ready: ServeOutcome = {
  kind: 'ready',
  isRepeatable: true,
  running: [
    {
      url: 'http://localhost:3000',
      routes: [{ method: 'GET', path: '/items', key: 'items.listItems' }],
      notes: ['/auth/* is answered by what is mounted there.'],
    },
  ],
  ports: [3000],
};

/** A session whose tools are told what to answer; no process, no file, no port. */
function openSession({ opensLate = false } = {}) {
  const told: DevEvent[] = [];
  const calls: string[] = [];
  const answers: { reason: string | undefined; outcome: () => Promise<ServeOutcome> } = {
    reason: undefined,
    outcome: () => Promise.resolve(ready),
  };
  let watched: WatchOptions | undefined;
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  if (!opensLate) open();
  const files = ['/p/src/server.ts', '/p/src/a.ts'];
  /** The files that are as the last load has read them. */
  const seen = new Set<string>();
  const tools = {
    openCode: () => ({
      isLoading: false,
      files: () => new Set(files),
      paths: () => files,
      packages: () => new Map(),
      counts: (file: string) => files.includes(file),
      isSetting: () => false,
      isSeen: (file: string) => seen.has(file),
      findStale: () => [],
      load: async (run: (variables: object) => Promise<ServeOutcome>) => {
        const outcome = await run({});
        if (outcome.kind === 'abandoned') seen.clear();
        return outcome;
      },
      take: () => [],
      expectSound: () => {
        calls.push('look');
        if (answers.reason !== undefined)
          throw new CompileError(answers.reason, '/p/src/server.ts', { line: 1, column: 1 });
      },
    }),
    openSupervisor: () => ({
      isServing: true,
      retryJob: () => Promise.reject(new Error('Nobody asks.')),
      prepare: () => {},
      warm: () => {},
      serve: () => {
        calls.push('serve');
        return answers.outcome();
      },
      stop: () => Promise.resolve(),
    }),
    watchFiles: (options: WatchOptions) => {
      watched = options;
      const close = () => Promise.resolve(void calls.push('close'));
      return opened.then(() => ({ add: () => {}, close }));
    },
    tellServerState: () => ({ take: () => {}, end: () => Promise.resolve() }),
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
      nodeOptions: [],
      preloads: true,
      port: undefined,
      host: undefined,
      inspectPort: undefined,
      stopsFirst: undefined,
      debuggerWait: undefined,
      report: (event) => void told.push(event),
    },
    tools as unknown as DevTools,
  );
  const save = (file: string): void => {
    seen.delete(`/p/${file}`);
    watched?.onChange([`/p/${file}`]);
  };
  /** The system tells of a save that the last load has seen. */
  const tellLate = (file: string): void => {
    seen.add(`/p/${file}`);
    watched?.onChange([`/p/${file}`]);
  };
  const count = (kind: DevEvent['kind']): number =>
    told.filter((event) => event.kind === kind).length;
  const starts = (): number => calls.filter((call) => call === 'serve').length;
  return {
    session,
    open,
    told,
    calls,
    answers,
    save,
    tellLate,
    count,
    starts,
    kinds: () => told.map(({ kind }) => kind),
  };
}

describe('a session', () => {
  it('starts, and starts again for a save of its code only', async () => {
    const { session, told, calls, save } = openSession();
    await session.start();
    expect(told).toMatchObject([
      { kind: 'starting', cause: { kind: 'start' } },
      {
        kind: 'ready',
        urls: ['http://localhost:3000'],
        routes: [{ key: 'items.listItems' }],
        notes: ['/auth/* is answered by what is mounted there.'],
      },
    ]);
    save('data.sqlite');
    save('src/server.ts');
    await expect.poll(() => told.length).toBe(5);
    expect(told[4]).toEqual({ kind: 'notice', notice: { code: 'MemoryLost' } });
    expect(told[3]).toMatchObject({
      kind: 'ready',
      cause: { kind: 'change', files: ['src/server.ts'] },
    });
    expect(calls).toEqual(['look', 'serve', 'look', 'serve']);
  });

  it('tells of code that cannot be compiled, and starts it when it can', async () => {
    const { session, answers, save, kinds } = openSession();
    answers.reason = 'no';
    await session.start();
    expect(kinds()).toEqual(['starting', 'failed']);
    answers.reason = undefined;
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

  describe('whose code cannot be compiled', () => {
    const openBroken = async () => {
      const opened = openSession();
      opened.answers.reason = 'no';
      await opened.session.start();
      return opened;
    };

    it('tells a failure once for a save that the system tells of late, and again for a later one', async () => {
      const { calls, tellLate, save, count } = await openBroken();
      tellLate('src/a.ts');
      expect(calls).toEqual(['look']);
      save('src/a.ts');
      await expect.poll(() => count('failed')).toBe(2);
    });

    it('starts when a save mends it', async () => {
      const { answers, save, count } = await openBroken();
      answers.reason = undefined;
      save('src/a.ts');
      await expect.poll(() => count('ready')).toBe(1);
    });

    it('tells nothing of a part of a save: what the rest of it makes is told alone', async () => {
      const { session, answers, save, count } = openSession();
      await session.start();
      answers.reason = 'no';
      save('src/a.ts');
      answers.reason = undefined;
      save('src/server.ts');
      await expect.poll(() => count('ready')).toBe(2);
      expect(count('failed')).toBe(0);
      expect(count('starting')).toBe(2);
    });
  });

  it('does not start what was started last for a save that it was made of, and does for a later one', async () => {
    const opened = openSession();
    await opened.session.start();
    opened.tellLate('src/a.ts');
    expect(opened.calls).toEqual(['look', 'serve']);
    opened.save('src/a.ts');
    await expect.poll(() => opened.count('ready')).toBe(2);
  });

  it('starts the same code again where a file is there that the start could not find', async () => {
    const { session, answers, save, count, told } = openSession();
    const error = {
      name: 'Error',
      message: 'no such file',
      stack: '',
      code: 'ENOENT',
      path: 'config.txt',
    };
    answers.outcome = () =>
      Promise.resolve({ kind: 'failed', during: 'load', error, exit: undefined });
    await session.start();
    expect(count('failed')).toBe(1);
    answers.outcome = () => Promise.resolve(ready);
    save('config.txt');
    await expect.poll(() => count('ready')).toBe(1);
    expect(told.at(-2)).toMatchObject({
      kind: 'ready',
      cause: { kind: 'change', files: ['config.txt'] },
    });
  });

  it('tells nothing of a start that a part of a save has made fail', async () => {
    const { session, answers, save, count } = openSession();
    await session.start();
    let end = (_: ServeOutcome): void => {};
    answers.outcome = () => new Promise((resolve) => (end = resolve));
    save('src/a.ts');
    await expect.poll(() => count('starting')).toBe(2);
    save('src/server.ts');
    answers.outcome = () => Promise.resolve(ready);
    end({ kind: 'failed', during: 'load', error: undefined, exit: undefined });
    await expect.poll(() => count('ready')).toBe(2);
    expect(count('failed')).toBe(0);
  });

  it('starts the same code again where the start was given up', async () => {
    const { session, answers, save, count, starts } = openSession();
    await session.start();
    let end = (_: ServeOutcome): void => {};
    answers.outcome = () => new Promise((resolve) => (end = resolve));
    save('src/a.ts');
    await expect.poll(starts).toBe(2);
    save('src/a.ts');
    answers.outcome = () => Promise.resolve(ready);
    end({ kind: 'abandoned' });
    await expect.poll(() => count('ready')).toBe(2);
    expect(starts()).toBe(3);
  });
});
