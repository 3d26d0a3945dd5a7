import type { SessionEffect } from '../../../../source/dev/session/session-effect.ts';
import type { SessionEvent } from '../../../../source/dev/session/session-event.ts';
import type { SessionPhase } from '../../../../source/dev/session/session-state.ts';
import { initialSessionState, toNextStep } from '../../../../source/dev/session/session-state.ts';
import { type CodeInputs, noInputs } from '../../../../source/load/watch/code-inputs.ts';
import type { SeenChange } from '../../../../source/system/watch/gather-changes.ts';

export const changeOf = (file: string, at: number): SeenChange => ({ file: `/p/${file}`, at, changedAt: at });

export type Session = ReturnType<typeof openSession>;

/** A session that has started the code `one`, with a clock that goes on with each step. */
export function openSession() {
  let state = initialSessionState;
  let time = 0;
  const done: SessionEffect[] = [];
  const now = (): number => ++time;
  const take = (event: SessionEvent): void => {
    const step = toNextStep(state, event, (file) => file === '/p/.env');
    state = step.state;
    done.push(...step.effects);
  };
  const filesOf = (phase: SessionPhase): readonly string[] =>
    'start' in phase ? phase.start.changes.map(({ file }) => file.slice('/p/'.length)) : [];
  let built = '';
  const build = (code: string): void => {
    built = code;
    take({ kind: 'built', code, at: now() });
  };
  const end = ({
    wasGivenUp = false,
    hasFailed = false,
    isOutdated = false,
    files = ['src/a.ts', 'src/b.ts'] as readonly string[],
    imports = [] as CodeInputs['missing'],
    missing = [] as readonly string[],
  } = {}): void => {
    const inputs = { ...noInputs, files: new Set(files.map((file) => `/p/${file}`)), missing: imports };
    take({ kind: 'ran', wasGivenUp, hasFailed, code: isOutdated ? undefined : built, inputs, missing, at: now() });
  };
  const count = (kind: SessionEffect['kind']): number => done.filter((effect) => effect.kind === kind).length;
  take({ kind: 'asked', why: 'start', at: now() });
  build('one');
  end();
  now();
  return {
    take,
    now,
    build,
    end,
    /** Lets a pause go by, where there is one. */
    waitToTheEnd: (): void => {
      if (state.phase.name !== 'calming' && state.phase.name !== 'settling') return;
      take({ kind: 'waited', wait: state.waits, at: now() });
    },
    change: (file: string): void => {
      const at = now();
      take({ kind: 'files-changed', changes: [changeOf(file, at)], at });
    },
    fail: (reason: string): void => take({ kind: 'build-failed', reason, inputs: state.inputs, at: now() }),
    phase: () => state.phase.name,
    building: () => (state.phase.name === 'building' ? filesOf(state.phase) : undefined),
    running: () => (state.phase.name === 'running' ? filesOf(state.phase) : undefined),
    starts: () => count('run'),
    /** What people were told: how often a start has begun, and a build has failed. */
    told: () => ({ starts: count('tell-starting'), failures: count('tell-build-failure') }),
    outcomes: () => count('tell-outcome'),
    last: (kind: SessionEffect['kind']) => done.findLast((effect) => effect.kind === kind),
  };
}
