import type { SessionEffect } from '../../../../source/dev/session/session-effect.ts';
import type { SessionEvent } from '../../../../source/dev/session/session-event.ts';
import type { SessionPhase } from '../../../../source/dev/session/session-phase.ts';
import { initialSessionState, toNextStep } from '../../../../source/dev/session/session-state.ts';
import type { BuildInputs } from '../../../../source/load/bundle/build-inputs.ts';
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
  const build = (code: string, files: readonly string[] = ['src/a.ts', 'src/b.ts']): void =>
    take({
      kind: 'built',
      code,
      inputs: { files: new Set(files.map((file) => `/p/${file}`)), missing: [], settings: new Set<string>() },
      at: now(),
    });
  const end = ({ wasGivenUp = false, missing = [] as readonly string[] } = {}): void =>
    take({ kind: 'ran', wasGivenUp, missing, at: now() });
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
    fail: (missing: BuildInputs['missing'][number], isPassing = false): void =>
      take({
        kind: 'build-failed',
        reason: missing.text,
        isPassing,
        inputs: { files: new Set(['/p/src/a.ts']), settings: new Set<string>(), missing: [missing] },
        at: now(),
      }),
    phase: () => state.phase.name,
    building: () => (state.phase.name === 'building' ? filesOf(state.phase) : undefined),
    running: () => (state.phase.name === 'running' ? filesOf(state.phase) : undefined),
    starts: () => count('run'),
    /** Lets the time until the next try go by; gives it, in milliseconds. */
    waitToTryAgain: (): number => {
      const wait = done.findLast((effect) => effect.kind === 'wait');
      if (wait?.wait === state.waits) take({ kind: 'waited', wait: state.waits, at: now() });
      return wait?.ms ?? 0;
    },
    /** What people were told: how often a start has begun, and a build has failed. */
    told: () => ({ starts: count('tell-starting'), failures: count('tell-build-failure') }),
    last: (kind: SessionEffect['kind']) => done.findLast((effect) => effect.kind === kind),
  };
}
