import { describe, expect, it } from 'vitest';
import type { SessionEffect } from '../../../../source/dev/session/session-effect.ts';
import type { SessionEvent } from '../../../../source/dev/session/session-event.ts';
import {
  initialSessionState,
  type SessionPhase,
  type SessionState,
  toNextStep,
} from '../../../../source/dev/session/session-state.ts';
import type { Wanted } from '../../../../source/dev/session/wanted.ts';
import type { BuildInputs } from '../../../../source/load/bundle/build-inputs.ts';
import type { SeenChange } from '../../../../source/system/watch/gather-changes.ts';

const inputs: BuildInputs = { files: new Set(['/p/src/a.ts', '/p/src/b.ts']), missing: [] };
const changeOf = (file: string, at: number): SeenChange => ({ file: `/p/${file}`, at, changedAt: at });
const start: Wanted = { why: 'change', changes: [changeOf('src/a.ts', 90)], since: 90 };
const wanted: Wanted = { why: 'change', changes: [changeOf('src/b.ts', 95)], since: 95 };

const phases = {
  idle: { name: 'idle' },
  calming: { name: 'calming' },
  building: { name: 'building', start, from: 91, passed: [] },
  settling: { name: 'settling', start },
  running: { name: 'running', start, code: 'new', builtAt: 91, from: 92 },
  stopped: { name: 'stopped' },
} as const satisfies Record<SessionPhase['name'], SessionPhase>;

const events = {
  'a restart that is asked for': { kind: 'asked', why: 'restart', at: 100 },
  'a change of a file of the code': { kind: 'files-changed', changes: [changeOf('src/a.ts', 100)], at: 100 },
  'a change of another file': { kind: 'files-changed', changes: [changeOf('data.sqlite', 100)], at: 100 },
  'a build of other code': { kind: 'built', code: 'other', inputs, at: 100 },
  'a build that failed': { kind: 'build-failed', inputs, at: 100 },
  'a start that came to its end': { kind: 'ran', wasGivenUp: false, missing: [], at: 100 },
  'a start that was given up': { kind: 'ran', wasGivenUp: true, missing: [], at: 100 },
  'a start that missed a file': { kind: 'ran', wasGivenUp: false, missing: ['/p/x.txt'], at: 100 },
  'the end of a wait': { kind: 'waited', at: 100 },
  'a process that is told to end': { kind: 'process-ending', at: 100 },
  'a process that has ended': { kind: 'process-ended', from: 80, at: 100 },
  'the end of the session': { kind: 'stopped' },
} as const satisfies Record<string, SessionEvent>;

/** The next phase, then what is to be done. */
const table: Readonly<Record<keyof typeof events, Readonly<Record<SessionPhase['name'], string>>>> = {
  'a restart that is asked for': {
    idle: 'building: tell-starting build',
    calming: 'building: tell-starting build',
    building: 'building: supersede',
    settling: 'settling:',
    running: 'running: supersede',
    stopped: 'stopped:',
  },
  'a change of a file of the code': {
    idle: 'building: build',
    calming: 'building: build',
    building: 'building: supersede',
    settling: 'settling:',
    running: 'running: supersede',
    stopped: 'stopped:',
  },
  'a change of another file': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'running:',
    stopped: 'stopped:',
  },
  'a build of other code': {
    idle: 'idle: discard',
    calming: 'calming: discard',
    building: 'running: watch-inputs tell-starting run',
    settling: 'settling: discard',
    running: 'running: discard',
    stopped: 'stopped: discard',
  },
  'a build that failed': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'settling: watch-inputs tell-starting wait',
    settling: 'settling:',
    running: 'running:',
    stopped: 'stopped:',
  },
  'a start that came to its end': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'idle: tell-outcome prepare-build',
    stopped: 'stopped:',
  },
  'a start that was given up': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'idle: tell-outcome prepare-build',
    stopped: 'stopped:',
  },
  'a start that missed a file': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'idle: watch-inputs tell-outcome prepare-build',
    stopped: 'stopped:',
  },
  'the end of a wait': {
    idle: 'idle:',
    calming: 'building: build',
    building: 'building:',
    settling: 'idle: tell-build-failure',
    running: 'running:',
    stopped: 'stopped:',
  },
  'a process that is told to end': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'running:',
    stopped: 'stopped:',
  },
  'a process that has ended': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'running:',
    stopped: 'stopped:',
  },
  'the end of the session': {
    idle: 'stopped:',
    calming: 'stopped:',
    building: 'stopped:',
    settling: 'stopped:',
    running: 'stopped:',
    stopped: 'stopped:',
  },
};

const rows = Object.entries(table).flatMap(([event, cells]) =>
  Object.entries(cells).map(([phase, expected]) => [event, phase, expected] as const),
);

describe('the next step of a session', () => {
  it.each(rows)('for %s, %s, is %s', (event, phase, expected) => {
    const state: SessionState = {
      ...initialSessionState,
      inputs,
      phase: phases[phase as SessionPhase['name']],
      wanted: phase === 'calming' ? wanted : undefined,
    };
    const step = toNextStep(state, events[event as keyof typeof events], []);
    expect(`${step.state.phase.name}: ${step.effects.map(({ kind }) => kind).join(' ')}`.trim()).toBe(expected);
  });

  it.each([
    ['settling', events['the end of a wait'], 'building: build'],
    ['running', events['a start that came to its end'], 'building: tell-outcome prepare-build build'],
    ['running', events['a start that was given up'], 'building: tell-outcome prepare-build build'],
  ] as const)('where a change waits, %s, takes it up', (phase, event, expected) => {
    const step = toNextStep({ ...initialSessionState, inputs, phase: phases[phase], wanted }, event, []);
    expect(`${step.state.phase.name}: ${step.effects.map(({ kind }) => kind).join(' ')}`).toBe(expected);
    expect(step.state.wanted).toBeUndefined();
  });
});

describe('a session', () => {
  it('starts once for the changes of one save, and says which files they were', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.change('src/b.ts');
    session.build('two');
    expect(session.running()).toEqual(['src/a.ts']);
    session.end();
    expect(session.phase()).toBe('building');
    expect(session.building()).toEqual(['src/b.ts']);
  });

  it('does not start what was started last for a change that it was built of', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.change('src/a.ts'); // Reported twice.
    session.build('two');
    session.end();
    session.build('two');
    expect(session.phase()).toBe('idle');
    expect(session.starts()).toBe(2);
  });

  it('starts the same code again for a later save that changes nothing', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('one');
    expect(session.phase()).toBe('running');
  });

  it('starts the same code again for a file that is no part of it, and was missing', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.end({ missing: ['/p/config.txt'] });
    session.change('config.txt');
    session.build('two');
    expect(session.phase()).toBe('running');
  });

  it('starts the same code again where the start was given up', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/a.ts');
    session.end({ wasGivenUp: true });
    session.build('two');
    expect(session.phase()).toBe('running');
  });

  it('builds anew when it is asked to, and when a file says how', () => {
    const session = openSession();
    session.change('tsconfig.json');
    expect(session.last('build')).toEqual({ kind: 'build', isAnew: true });
    session.build('two');
    session.end();
    session.change('src/a.ts');
    expect(session.last('build')).toEqual({ kind: 'build', isAnew: false });
    session.take({ kind: 'asked', why: 'restart', at: session.now() });
    session.change('src/b.ts');
    session.build('three');
    session.end();
    expect(session.last('build')).toEqual({ kind: 'build', isAnew: true });
  });

  it('builds again for a file that the build only now turned out to need', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.change('src/new.ts');
    expect(session.last('supersede')).toBeUndefined();
    session.build('two', ['src/a.ts', 'src/new.ts']);
    expect(session.last('supersede')).toBeDefined();
    session.end();
    expect(session.building()).toEqual(['src/new.ts']);
  });

  it('takes up an import that was missing when it is there, also where it came during the build', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.change('src/more.ts');
    session.fail({ text: './more', folder: '/p/src' });
    session.take({ kind: 'waited', at: session.now() });
    expect(session.building()).toEqual(['src/more.ts']);
    session.fail({ text: '@lib/text.js', folder: '/p/src' });
    session.take({ kind: 'waited', at: session.now() });
    expect(session.phase()).toBe('idle');
    session.change('src/lib/text.log');
    session.change('lib/text.ts');
    expect(session.building()).toEqual(['lib/text.ts']);
  });

  it('starts for an env file, and for none beside it', () => {
    const session = openSession();
    session.change('.env.local');
    expect(session.phase()).toBe('idle');
    session.change('.env');
    expect(session.building()).toEqual(['.env']);
  });
});

describe('a server that writes what it is made of', () => {
  /** A start whose code is another each time, because it writes one of its files. */
  function echo(session: Session, code: string): void {
    session.build(code);
    session.change('src/b.ts');
    session.end();
  }

  it('with the same content is started once', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/b.ts');
    session.end();
    session.build('two');
    expect(session.phase()).toBe('idle');
  });

  it('with other content is started four more times, once after a pause, and never again for that', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    expect(session.phase()).toBe('calming');
    expect(session.last('wait')).toEqual({ kind: 'wait', ms: 1_000 });
    session.take({ kind: 'waited', at: session.now() });
    echo(session, '5');
    expect(session.phase()).toBe('idle');
    expect(session.last('tell-own-writes')).toEqual({ kind: 'tell-own-writes', files: ['/p/src/b.ts'] });
    expect(session.starts()).toBe(6);
    session.change('src/a.ts');
    echo(session, '6');
    expect(session.phase()).toBe('idle');
    expect(session.starts()).toBe(7);
  });

  it('is started for a save that comes later, also of that file', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    session.take({ kind: 'waited', at: session.now() });
    echo(session, '5');
    session.change('src/b.ts');
    expect(session.building()).toEqual(['src/b.ts']);
  });

  it('is started for each of many saves that come while its predecessor ends', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (let save = 2; save <= 20; save++) {
      session.build(String(save));
      session.end();
      const from = session.now();
      session.take({ kind: 'process-ending', at: from });
      session.change('src/a.ts');
      session.take({ kind: 'process-ended', from, at: session.now() });
      expect(session.building()).toEqual(['src/a.ts']);
    }
  });

  it('is started for a save that happens to come while it starts', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    session.take({ kind: 'waited', at: session.now() });
    echo(session, '5');
    session.take({ kind: 'process-ending', at: session.now() });
    session.change('src/a.ts');
    expect(session.building()).toEqual(['src/a.ts']);
  });

  it('is started no more often than it has files, where it writes another one each time', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (let start = 1; start <= 20 && session.phase() !== 'idle'; start++) {
      if (session.phase() === 'calming') session.take({ kind: 'waited', at: session.now() });
      session.build(String(start));
      session.change(start % 2 === 0 ? 'src/a.ts' : 'src/b.ts');
      session.end();
    }
    expect(session.phase()).toBe('idle');
    expect(session.starts()).toBeLessThan(10);
  });

  it('is started at once for a save that comes in the pause', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4']) echo(session, code);
    session.change('src/a.ts');
    expect(session.building()).toEqual(['src/b.ts', 'src/a.ts']);
  });

  it('when it ends is started four more times, and never again for that', () => {
    const session = openSession();
    session.change('src/a.ts');
    for (const code of ['1', '2', '3', '4', '5', '6', '7']) {
      if (session.phase() === 'calming') session.take({ kind: 'waited', at: session.now() });
      if (session.phase() !== 'building') break;
      session.build(code, ['src/a.ts', 'src/seed.json']);
      session.end();
      const from = session.now();
      session.take({ kind: 'process-ending', at: from });
      session.change('src/seed.json');
      session.take({ kind: 'process-ended', from, at: session.now() });
    }
    expect(session.starts()).toBe(6);
    expect(session.last('tell-own-writes')).toBeDefined();
  });
});

type Session = ReturnType<typeof openSession>;

/** A session that has started the code `one`, with a clock that goes on with each step. */
function openSession() {
  let state = initialSessionState;
  let time = 0;
  const done: SessionEffect[] = [];
  const now = (): number => ++time;
  const take = (event: SessionEvent): void => {
    const step = toNextStep(state, event, ['/p/.env']);
    state = step.state;
    done.push(...step.effects);
  };
  const filesOf = (phase: SessionPhase): readonly string[] =>
    'start' in phase ? phase.start.changes.map(({ file }) => file.slice('/p/'.length)) : [];
  const build = (code: string, files: readonly string[] = ['src/a.ts', 'src/b.ts']): void =>
    take({
      kind: 'built',
      code,
      inputs: { files: new Set(files.map((file) => `/p/${file}`)), missing: [] },
      at: now(),
    });
  const end = ({ wasGivenUp = false, missing = [] as readonly string[] } = {}): void =>
    take({ kind: 'ran', wasGivenUp, missing, at: now() });
  take({ kind: 'asked', why: 'start', at: now() });
  build('one');
  end();
  now();
  return {
    take,
    now,
    build,
    end,
    change: (file: string): void => {
      const at = now();
      take({ kind: 'files-changed', changes: [changeOf(file, at)], at });
    },
    fail: (missing: BuildInputs['missing'][number]): void =>
      take({ kind: 'build-failed', inputs: { files: new Set(['/p/src/a.ts']), missing: [missing] }, at: now() }),
    phase: () => state.phase.name,
    building: () => (state.phase.name === 'building' ? filesOf(state.phase) : undefined),
    running: () => (state.phase.name === 'running' ? filesOf(state.phase) : undefined),
    starts: () => done.filter(({ kind }) => kind === 'run').length,
    last: (kind: SessionEffect['kind']) => done.findLast((effect) => effect.kind === kind),
  };
}
