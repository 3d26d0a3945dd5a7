import { describe, expect, it } from 'vitest';
import { code, coded, type FakeRunner, failed, open, ready, settle } from './fake-runner.ts';

const noRelease = (): void => {};

/** The moments of a start: each reaches it, and gives what lets go of the process that is waited for. */
const moments = {
  'while older code ends': async (signal?: AbortSignal) => {
    const opened = open();
    const first = await opened.answer();
    await opened.answer();
    await opened.answer();
    const release = first.hold('leave');
    const start = opened.serve(signal);
    await settle();
    expect(first.calls).toContain('leave');
    return { ...opened, start, release };
  },
  'while what answers makes room': async (signal?: AbortSignal) => {
    const opened = open({ stopsFirst: true });
    const before = await opened.answer();
    const release = before.hold('makeRoom');
    const start = opened.serve(signal);
    await settle();
    return { ...opened, start, release };
  },
  'while what made room ends': async (signal?: AbortSignal) => {
    const opened = open({ stopsFirst: true });
    const before = await opened.answer();
    const release = before.hold('stop');
    const start = opened.serve(signal);
    await settle();
    expect(before.calls).toEqual(['run', 'makeRoom', 'stop']);
    return { ...opened, start, release };
  },
  'while the debugger changes over': async (signal?: AbortSignal) => {
    const opened = open({ inspectPort: 0 });
    const before = await opened.answer();
    const release = before.hold('endInspecting');
    const start = opened.serve(signal);
    await settle();
    return { ...opened, start, release };
  },
  'while the code starts beside what answers': async (signal?: AbortSignal) => {
    const opened = open();
    await opened.answer();
    const start = opened.serve(signal);
    await settle();
    expect(coded(opened.runners)).toHaveLength(2);
    return { ...opened, start, release: noRelease };
  },
  'while the first code starts': async (signal?: AbortSignal) => {
    const opened = open();
    const start = opened.serve(signal);
    await settle();
    expect(coded(opened.runners)).toHaveLength(1);
    return { ...opened, start, release: noRelease };
  },
  'before the first step': async (signal?: AbortSignal) => {
    const opened = open();
    return { ...opened, start: opened.serve(signal), release: noRelease };
  },
};

describe.each(Object.entries(moments))('%s', (_name, reach) => {
  it('a stop starts nothing, and ends every process', async () => {
    const { supervisor, runners, start, exits, release } = await reach();
    const count = coded(runners).length;
    const stopping = supervisor.stop();
    release();
    await stopping;
    expect(await start).toEqual({ kind: 'abandoned' });
    await settle();
    expect(coded(runners)).toHaveLength(count);
    const isEnded = ({ calls }: FakeRunner) => calls.includes('stop') || calls.includes('leave');
    expect(runners.filter((runner) => !isEnded(runner))).toEqual([]);
    expect(exits).toEqual([]);
    expect(supervisor.isServing).toBe(false);

    const late = await supervisor.serve(code, [], new AbortController().signal);
    expect(late).toEqual({ kind: 'abandoned' });
    supervisor.prepare({ modules: [], files: [], packages: [], environment: {} });
    expect(coded(runners)).toHaveLength(count);
  });
});

describe('a start that is given up', () => {
  it.each([
    'while older code ends',
    'while what answers makes room',
    'while what made room ends',
    'while the debugger changes over',
  ] as const)('%s never runs its code', async (moment) => {
    const givesUp = new AbortController();
    const { runners, release } = await moments[moment](givesUp.signal);
    const count = coded(runners).length;
    givesUp.abort();
    release();
    await settle();
    expect(coded(runners)).toHaveLength(count);
  });

  it('leaves what answers as it was, and ends the process that started', async () => {
    const { supervisor, runners, serve, answer } = open();
    await answer();
    const givesUp = new AbortController();
    const start = serve(givesUp.signal);
    await settle();
    givesUp.abort();
    expect(await start).toEqual({ kind: 'abandoned' });
    expect(supervisor.isServing).toBe(true);
    expect(runners[1]?.calls).toEqual(['run', 'stop']);
    expect(runners[0]?.calls).toEqual(['run']);
  });

  it('does not even begin where its signal has fired before', async () => {
    const { runners, serve } = open();
    expect(await serve(AbortSignal.abort())).toEqual({ kind: 'abandoned' });
    expect(coded(runners)).toEqual([]);
  });
});

describe('processes that run code', () => {
  it('are three at most, whatever the pace of saves', async () => {
    const { runners, serve, answer } = open();
    const alive = () => coded(runners).filter(({ isEnded }) => !isEnded).length;
    for (let save = 0; save < 6; save += 1) {
      await answer();
      expect(alive()).toBeLessThanOrEqual(3);
    }
    const start = serve();
    await settle();
    expect(alive()).toBe(3);
    const last = runners.map(({ calls }) => calls.at(-1));
    expect(last).toEqual(['leave', 'leave', 'leave', 'leave', 'cut', 'run', 'run']);
    runners.at(-1)?.started.resolve(ready);
    await start;
  });

  it('are waited for: new code runs once the oldest has ended', async () => {
    const { runners, serve, answer } = open();
    const first = await answer();
    await answer();
    await answer();
    const release = first.hold('leave');
    const start = serve();
    await settle();
    expect(coded(runners)).toHaveLength(3);
    release();
    await settle();
    expect(coded(runners)).toHaveLength(4);
    runners.at(-1)?.started.resolve(ready);
    expect(await start).toBe(ready);
  });
});

describe('a start that fails', () => {
  it('leaves what answers, and nothing where nothing answers', async () => {
    const { supervisor, runners, serve, answer } = open();
    const first = serve();
    await settle();
    runners[0]?.started.resolve(failed());
    expect(await first).toMatchObject({ kind: 'failed' });
    expect(supervisor.isServing).toBe(false);
    await answer();
    const second = serve();
    await settle();
    runners.at(-1)?.started.resolve(failed());
    await second;
    expect(supervisor.isServing).toBe(true);
  });

  it('on a lock that what answers may hold is tried again once that has ended, and so from then on', async () => {
    const { runners, notices, serve, answer } = open();
    const before = await answer();
    const start = serve();
    await settle();
    runners[1]?.started.resolve(failed({ message: 'the database is already in use' }));
    await settle();
    expect(before.calls).toEqual(['run', 'makeRoom', 'stop']);
    runners[2]?.started.resolve(ready);
    expect(await start).toBe(ready);
    expect(notices).toEqual(['StopsFirst']);

    const next = serve();
    await settle();
    expect(runners[2]?.calls).toEqual(['run', 'makeRoom', 'stop']);
    runners[3]?.started.resolve(ready);
    await next;
  });
});

describe('a process that ends by itself', () => {
  it('while it answers, is reported', async () => {
    const { supervisor, exits, answer } = open();
    const live = await answer();
    live.end({ exitCode: 7, signalName: undefined });
    await settle();
    expect(exits).toEqual([{ exitCode: 7, signalName: undefined }]);
    expect(supervisor.isServing).toBe(false);
  });

  it('while its successor starts, is reported, and the successor answers', async () => {
    const { supervisor, runners, exits, serve, answer } = open();
    const live = await answer();
    const start = serve();
    await settle();
    live.end();
    await settle();
    expect(exits).toHaveLength(1);
    runners[1]?.started.resolve(ready);
    await start;
    expect(supervisor.isServing).toBe(true);
    expect(live.calls).toEqual(['run']);
  });

  it('while it takes over, leaves nothing that answers', async () => {
    const { supervisor, runners, exits, serve, answer } = open();
    const before = await answer();
    const release = before.hold('retire');
    const start = serve();
    await settle();
    runners[1]?.started.resolve(ready);
    await settle();
    runners[1]?.end();
    await settle();
    release();
    await start;
    expect(exits).toHaveLength(1);
    expect(supervisor.isServing).toBe(false);
  });

  it('while it hands over, is not: its successor answers', async () => {
    const { supervisor, runners, exits, serve, answer } = open();
    const before = await answer();
    const release = before.hold('retire');
    const start = serve();
    await settle();
    runners[1]?.started.resolve(ready);
    await settle();
    before.end();
    release();
    await start;
    expect(exits).toEqual([]);
    expect(supervisor.isServing).toBe(true);
  });

  it('while it waits for code, is replaced by another', async () => {
    const { supervisor, runners, serve } = open();
    supervisor.prepare({ modules: [], files: [], packages: [], environment: {} });
    runners[0]?.end();
    await settle();
    const start = serve();
    await settle();
    expect(runners[1]?.calls).toEqual(['run']);
    runners[1]?.started.resolve(ready);
    await start;
  });
});

describe('the port of the debugger', () => {
  it('goes to the code that starts, and back where that fails; only the first waits', async () => {
    const { runners, serve, answer } = open({ inspectPort: 9_229, debuggerWait: 'wait' });
    const before = await answer();
    expect(before.calls).toEqual(['inspect wait', 'run']);
    const start = serve();
    await settle();
    runners[1]?.started.resolve(failed());
    await start;
    await settle();
    expect(runners[1]?.calls).toEqual(['inspect', 'run', 'stop', 'endInspecting']);
    expect(before.calls).toEqual(['inspect wait', 'run', 'endInspecting', 'inspect']);
  });
});
