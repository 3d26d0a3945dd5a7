import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../source/dev/session/session-event.ts';
import type { SessionPhase } from '../../../../source/dev/session/session-state.ts';
import { initialSessionState, type SessionState, toNextStep } from '../../../../source/dev/session/session-state.ts';
import type { Wanted } from '../../../../source/dev/session/wanted.ts';
import { type CodeInputs, noInputs } from '../../../../source/load/watch/code-inputs.ts';
import { changeOf, openSession } from './open-session.ts';

const inputs: CodeInputs = { ...noInputs, files: new Set(['/p/src/a.ts', '/p/src/b.ts']) };
const start: Wanted = { why: 'change', changes: [changeOf('src/a.ts', 90)], since: 90 };
const ran = { kind: 'ran', wasGivenUp: false, hasFailed: false, code: 'new', inputs, missing: [], at: 100 } as const;
const wanted: Wanted = { why: 'change', changes: [changeOf('src/b.ts', 95)], since: 95 };

const phases = {
  idle: { name: 'idle' },
  calming: { name: 'calming' },
  building: { name: 'building', start, from: 91 },
  settling: { name: 'settling', start },
  running: { name: 'running', start, builtAt: 91, from: 92, passed: [] },
  stopped: { name: 'stopped' },
} as const satisfies Record<SessionPhase['name'], SessionPhase>;

const events = {
  'a restart that is asked for': { kind: 'asked', why: 'restart', at: 100 },
  'a change of a file of the code': { kind: 'files-changed', changes: [changeOf('src/a.ts', 100)], at: 100 },
  'a change of another file': { kind: 'files-changed', changes: [changeOf('data.sqlite', 100)], at: 100 },
  'a build of other code': { kind: 'built', code: 'other', at: 100 },
  'a build that failed': { kind: 'build-failed', reason: 'new', inputs, at: 100 },
  'a start that came to its end': ran,
  'a start that was given up': { ...ran, wasGivenUp: true },
  'a start that missed a file': { ...ran, missing: ['/p/x.txt'] },
  'more that is loaded': { kind: 'read', inputs },
  'the end of a wait': { kind: 'waited', wait: 0, at: 100 },
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
    idle: 'idle:',
    calming: 'calming:',
    building: 'running: tell-starting run',
    settling: 'settling:',
    running: 'running:',
    stopped: 'stopped:',
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
    running: 'idle: watch-inputs tell-outcome prepare-build',
    stopped: 'stopped:',
  },
  'a start that was given up': {
    idle: 'idle:',
    calming: 'calming:',
    building: 'building:',
    settling: 'settling:',
    running: 'idle: watch-inputs tell-outcome prepare-build',
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
  'more that is loaded': {
    idle: 'idle: watch-inputs',
    calming: 'calming: watch-inputs',
    building: 'building: watch-inputs',
    settling: 'settling: watch-inputs',
    running: 'running: watch-inputs',
    stopped: 'stopped: watch-inputs',
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
    const step = toNextStep(state, events[event as keyof typeof events], () => false);
    expect(`${step.state.phase.name}: ${step.effects.map(({ kind }) => kind).join(' ')}`.trim()).toBe(expected);
  });

  it.each([
    ['settling', events['the end of a wait'], 'building: build'],
    ['running', events['a start that came to its end'], 'building: watch-inputs tell-outcome prepare-build build'],
    ['running', events['a start that was given up'], 'building: watch-inputs tell-outcome prepare-build build'],
  ] as const)('where a change waits, %s, takes it up', (phase, event, expected) => {
    const step = toNextStep({ ...initialSessionState, inputs, phase: phases[phase], wanted }, event, () => false);
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

  it('starts for a file that was missing, also where the rest of what was loaded is told of after the start', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.end({ hasFailed: true, missing: ['/p/config.txt'] });
    session.take({ kind: 'read', inputs });
    session.change('config.txt');
    expect(session.building()).toEqual(['config.txt']);
  });

  it('starts the same code again for a file that was missing, also where the clock of files is behind', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    const during = session.now();
    session.end({ hasFailed: true, missing: ['/p/config.txt'] });
    const late = { file: '/p/config.txt', at: during, changedAt: during };
    session.take({ kind: 'files-changed', changes: [late], at: session.now() });
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

  it('starts again for a file that the start only now turned out to need', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/new.ts');
    session.end({ files: ['src/a.ts', 'src/new.ts'] });
    expect(session.building()).toEqual(['src/new.ts']);
  });

  it('starts again for a file that was saved after it was read, though it becomes what it was', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/a.ts');
    session.end({ isOutdated: true });
    session.build('two');
    expect(session.running()).toEqual(['src/a.ts']);
  });

  it('tells nothing of a part of a save that has failed', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/b.ts');
    session.end({ hasFailed: true, isOutdated: true });
    expect(session.building()).toEqual(['src/b.ts']);
    expect(session.outcomes()).toBe(1);
    session.build('three');
    session.end({ hasFailed: true });
    expect(session.outcomes()).toBe(2);
  });

  it('takes up an import that was missing when it is there, also where it came during the start', () => {
    const session = openSession();
    session.change('src/a.ts');
    session.build('two');
    session.change('src/more.ts');
    session.end({ hasFailed: true, isOutdated: true, imports: [{ text: './more', folder: '/p/src' }] });
    expect(session.building()).toEqual(['src/more.ts']);
    session.build('three');
    session.end({ hasFailed: true, imports: [{ text: '@lib/text.js', folder: '/p/src' }] });
    expect(session.phase()).toBe('idle');
    session.change('src/lib/text.log');
    session.change('lib/text.ts');
    expect(session.building()).toEqual(['lib/text.ts']);
  });

  describe('whose build has failed', () => {
    const failing = 'no';
    const failed = () => {
      const session = openSession();
      session.change('src/a.ts');
      const from = session.now();
      session.fail(failing);
      session.waitToTheEnd();
      return { session, from };
    };
    const tell = ({ session, from }: ReturnType<typeof failed>) =>
      session.take({
        kind: 'files-changed',
        changes: [{ file: '/p/src/a.ts', at: session.now(), changedAt: from - 2 }],
        at: session.now(),
      });

    it('does not start for a change that the system tells of only now', () => {
      const late = failed();
      tell(late);
      expect(late.session.phase()).toBe('building');
      late.session.fail(failing);
      expect(late.session.phase()).toBe('idle');
      expect(late.session.told()).toEqual({ starts: 2, failures: 1 });
    });

    it('tells the failure once where the system tells of the change before that', () => {
      const session = openSession();
      session.change('src/a.ts');
      const from = session.now();
      session.fail(failing);
      tell({ session, from });
      session.waitToTheEnd();
      session.fail(failing);
      session.waitToTheEnd();
      expect(session.phase()).toBe('idle');
      expect(session.told()).toEqual({ starts: 2, failures: 1 });
    });

    it('starts where such a change mends it, as a folder that was moved does', () => {
      const late = failed();
      tell(late);
      late.session.build('two');
      expect(late.session.running()).toEqual(['src/a.ts']);
    });

    it('tells another failure, and the same one of a later save', () => {
      const late = failed();
      tell(late);
      late.session.fail('other');
      late.session.waitToTheEnd();
      late.session.change('src/a.ts');
      late.session.fail('other');
      late.session.waitToTheEnd();
      expect(late.session.told()).toEqual({ starts: 4, failures: 3 });
    });
  });

  it('starts for a save alone, where the system tells only now of one that was built before', () => {
    const session = openSession();
    session.change('src/a.ts');
    const from = session.now();
    session.build('two');
    session.end();
    const at = session.now();
    const late = { file: '/p/src/a.ts', at, changedAt: from - 2 };
    session.take({ kind: 'files-changed', changes: [late, changeOf('src/b.ts', at)], at });
    expect(session.building()).toEqual(['src/b.ts']);
  });

  it('starts for an env file, and for none beside it', () => {
    const session = openSession();
    session.change('.env.local');
    expect(session.phase()).toBe('idle');
    session.change('.env');
    expect(session.building()).toEqual(['.env']);
  });
});
