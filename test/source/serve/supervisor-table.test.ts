import { expect, it } from 'vitest';
import { coded, type FakeRunner, failed, open, ready, settle } from './fake-runner.ts';

/** A supervisor in a phase, and the processes of it. */
interface Reached extends ReturnType<typeof open> {
  readonly live?: FakeRunner | undefined;
  readonly next?: FakeRunner | undefined;
  readonly start?: ReturnType<ReturnType<typeof open>['serve']>;
  /** Gives the start up, as a newer save does. */
  readonly giveUp: () => void;
  /** Lets what the phase waits for end. */
  readonly release: () => void;
}

const nothing = (): void => {};

async function begin(opened: ReturnType<typeof open>, live?: FakeRunner): Promise<Reached> {
  const control = new AbortController();
  const count = opened.runners.length;
  const start = opened.serve(control.signal);
  await settle();
  const next = opened.runners[count];
  return { ...opened, live, next, start, giveUp: () => control.abort(), release: nothing };
}

const phases: Readonly<Record<string, () => Promise<Reached>>> = {
  idle: async () => ({ ...open(), giveUp: nothing, release: nothing }),
  answering: async () => {
    const opened = open();
    return { ...opened, live: await opened.answer(), giveUp: nothing, release: nothing };
  },
  'starting, the first': () => begin(open()),
  'starting, beside what answers': async () => {
    const opened = open();
    return begin(opened, await opened.answer());
  },
  'starting, what answers makes room': async () => {
    const opened = open({ stopsFirst: true });
    const live = await opened.answer();
    const release = live.hold('makeRoom');
    return { ...(await begin(opened, live)), release };
  },
  'starting, alone': async () => {
    const opened = open({ stopsFirst: true });
    await opened.answer();
    return begin(opened);
  },
  handing: async () => {
    const opened = open();
    const before = await opened.answer();
    const release = before.hold('retire');
    const reached = await begin(opened);
    reached.next?.started.resolve(ready);
    await settle();
    return { ...reached, live: reached.next, next: undefined, release };
  },
  stopping: async () => {
    const opened = open();
    const live = await opened.answer();
    const release = live.hold('stop');
    void opened.supervisor.stop();
    await settle();
    return { ...opened, live, giveUp: nothing, release };
  },
};

const events: Readonly<Record<string, (reached: Reached) => unknown>> = {
  nothing,
  // The session gives a start up before it begins the next one.
  'a save that starts': async ({ giveUp, release, start, serve, runners }) => {
    giveUp();
    release();
    await start;
    const serving = serve();
    await settle();
    runners.at(-1)?.started.resolve(ready);
    await serving;
  },
  'a start given up': ({ giveUp }) => giveUp(),
  'Ctrl-C': ({ supervisor }) => void supervisor.stop(),
  'what answers ends': ({ live }) => live?.end({ exitCode: 7, signalName: undefined }),
  'what starts ends': ({ next }) => {
    next?.started.resolve(failed());
    next?.end({ exitCode: 7, signalName: undefined });
  },
  'what starts is ready': ({ next }) => next?.started.resolve(ready),
  'what starts fails': ({ next }) => next?.started.resolve(failed()),
  'what starts finds a lock': async ({ next, runners }) => {
    next?.started.resolve(failed({ message: 'the database is already in use' }));
    await settle();
    if (next !== undefined) runners.at(-1)?.started.resolve(ready);
  },
  'a process is prepared': ({ supervisor }) =>
    supervisor.prepare({ modules: [], files: [], packages: [], environment: {} }),
};

/** What is so once the event has had its effects. */
async function report(reached: Reached): Promise<string> {
  const { supervisor, runners, exits, start } = reached;
  for (let turn = 0; turn < 4; turn += 1) await settle();
  reached.release();
  for (let turn = 0; turn < 4; turn += 1) await settle();
  const alive = coded(runners).filter(({ isEnded }) => !isEnded).length;
  expect(alive).toBeLessThanOrEqual(3);
  const outcome = start && (await Promise.race([start, Promise.resolve({ kind: 'pending' })]));
  const words = [
    supervisor.isServing ? 'answers' : 'silent',
    `${alive} alive`,
    `${coded(runners).length} got code`,
    ...(exits.length > 0 ? ['exit reported'] : []),
    ...(outcome === undefined ? [] : [outcome.kind]),
  ];
  return words.join(', ');
}

/** What each event leads to. `otherwise`: where the phase has no process that the event is of, or nothing follows. */
const table: Readonly<
  Record<string, { readonly otherwise: string; readonly [event: string]: string }>
> = {
  idle: {
    otherwise: 'silent, 0 alive, 0 got code',
    'a save that starts': 'answers, 1 alive, 1 got code',
  },
  answering: {
    otherwise: 'answers, 1 alive, 1 got code',
    'a save that starts': 'answers, 2 alive, 2 got code',
    'Ctrl-C': 'silent, 0 alive, 1 got code',
    'what answers ends': 'silent, 0 alive, 1 got code, exit reported',
  },
  'starting, the first': {
    otherwise: 'silent, 1 alive, 1 got code, pending',
    'a save that starts': 'answers, 1 alive, 2 got code, abandoned',
    'a start given up': 'silent, 0 alive, 1 got code, abandoned',
    'Ctrl-C': 'silent, 0 alive, 1 got code, abandoned',
    'what starts ends': 'silent, 0 alive, 1 got code, failed',
    'what starts is ready': 'answers, 1 alive, 1 got code, ready',
    'what starts fails': 'silent, 0 alive, 1 got code, failed',
    'what starts finds a lock': 'silent, 0 alive, 1 got code, failed',
  },
  'starting, beside what answers': {
    otherwise: 'answers, 2 alive, 2 got code, pending',
    'a save that starts': 'answers, 2 alive, 3 got code, abandoned',
    'a start given up': 'answers, 1 alive, 2 got code, abandoned',
    'Ctrl-C': 'silent, 0 alive, 2 got code, abandoned',
    'what answers ends': 'silent, 1 alive, 2 got code, exit reported, pending',
    'what starts ends': 'answers, 1 alive, 2 got code, failed',
    'what starts is ready': 'answers, 2 alive, 2 got code, ready',
    'what starts fails': 'answers, 1 alive, 2 got code, failed',
    // Once more, after what answered has ended.
    'what starts finds a lock': 'answers, 1 alive, 3 got code, ready',
  },
  'starting, what answers makes room': {
    otherwise: 'silent, 1 alive, 2 got code, pending',
    'a save that starts': 'answers, 1 alive, 2 got code, abandoned',
    // The next start ends what has made room, before its code runs.
    'a start given up': 'silent, 1 alive, 1 got code, abandoned',
    'Ctrl-C': 'silent, 0 alive, 1 got code, abandoned',
  },
  'starting, alone': {
    otherwise: 'silent, 1 alive, 2 got code, pending',
    'a save that starts': 'answers, 1 alive, 3 got code, abandoned',
    'a start given up': 'silent, 0 alive, 2 got code, abandoned',
    'Ctrl-C': 'silent, 0 alive, 2 got code, abandoned',
    'what starts ends': 'silent, 0 alive, 2 got code, failed',
    'what starts is ready': 'answers, 1 alive, 2 got code, ready',
    'what starts fails': 'silent, 0 alive, 2 got code, failed',
    'what starts finds a lock': 'silent, 0 alive, 2 got code, failed',
  },
  handing: {
    otherwise: 'answers, 2 alive, 2 got code, ready',
    'a save that starts': 'answers, 3 alive, 3 got code, ready',
    'Ctrl-C': 'silent, 0 alive, 2 got code, ready',
    // The version before still finishes what it has.
    'what answers ends': 'silent, 1 alive, 2 got code, exit reported, ready',
  },
  stopping: { otherwise: 'silent, 0 alive, 1 got code' },
};

it('has a row for each phase, and no cell of an event that there is not', () => {
  expect(Object.keys(table)).toEqual(Object.keys(phases));
  const named = Object.values(table).flatMap((row) => Object.keys(row));
  expect(new Set(named)).toEqual(new Set(['otherwise', ...Object.keys(events)].filter(isNamed)));
  function isNamed(event: string): boolean {
    return !['nothing', 'a process is prepared'].includes(event);
  }
});

for (const [phase, reach] of Object.entries(phases))
  it.each(Object.entries(events))(`${phase}: %s`, async (event, cause) => {
    const reached = await reach();
    await cause(reached);
    const row = table[phase];
    expect(await report(reached)).toBe(row?.[event] ?? row?.otherwise);
  });
