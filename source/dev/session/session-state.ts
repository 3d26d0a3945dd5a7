import { type CodeInputs, isBuildInput, noInputs } from '../../load/watch/code-inputs.ts';
import { isBuiltOf, type Span } from '../../load/watch/span.ts';
import type { SeenChange } from '../../system/watch/gather-changes.ts';
import { isBuildSetting } from '../../system/watch/is-build-setting.ts';
import type { SessionEffect } from './session-effect.ts';
import type { SessionEvent, SessionEventOf } from './session-event.ts';
import {
  type FailedAttempt,
  isEcho,
  isOlder,
  joinWanted,
  mayBeOwn,
  type ServerPast,
  type Wanted,
  withoutBuiltFiles,
  withoutOwnFiles,
} from './wanted.ts';

/** Starts in a row for nothing but what was written while the server started or ended. */
interface Echoes {
  /** All files that they were for, as absolute paths. */
  readonly files: ReadonlySet<string>;
  /** The number of such starts, without the first one for each file. */
  readonly count: number;
}

const noEchoes: Echoes = { files: new Set(), count: 0 };

export interface SessionState extends ServerPast {
  readonly phase: SessionPhase;
  /** The start that comes next. */
  readonly wanted: Wanted | undefined;
  /** The inputs of the code that was started last. */
  readonly inputs: CodeInputs;
  readonly echoes: Echoes;
  /** The last build, where it failed. */
  readonly failed: FailedAttempt | undefined;
  /** The number of waits that have begun: the end of any but the last counts for nothing. */
  readonly waits: number;
}

export interface SessionStep {
  readonly state: SessionState;
  /** The effects, in this order. */
  readonly effects: readonly SessionEffect[];
}

/** Whether a file (absolute path) counts though the code does not import it: env files, watched names. */
type IsRead = (file: string) => boolean;

export const initialSessionState: SessionState = {
  phase: { name: 'idle' },
  wanted: undefined,
  inputs: noInputs,
  tried: undefined,
  endings: [],
  echoes: noEchoes,
  failed: undefined,
  ownFiles: new Set(),
  waits: 0,
};

/** The time for which a build that failed waits for the rest of a save, milliseconds. */
const SETTLE_MS = 30;
/** The most starts in a row for files written during a start: a person may save then, too. */
const MAX_ECHOES = 2;
/** The time for which such files must be left alone before one more start, milliseconds. */
const CALM_MS = 1_000;
/**
 * After so many of those starts the server writes the files, and no person: whoever saves all the time does not leave
 * them alone, and whoever stops has the last save started.
 */
const MAX_CALM_STARTS = 3;
/** Processes end within seconds, and few end at a time. */
const MAX_ENDINGS = 8;

/** The next state of a session, and its effects. */
export function toNextStep(state: SessionState, event: SessionEvent, isRead: IsRead): SessionStep {
  switch (event.kind) {
    case 'asked':
      return want(state, { why: event.why, changes: [], since: event.at });
    case 'files-changed':
      return takeChanges(state, event, isRead);
    case 'built':
      return takeBuild(state, event, isRead);
    case 'build-failed':
      return takeFailure(state, event);
    case 'waited':
      return takeWait(state, event);
    case 'ran':
      return takeRun(state, event, isRead);
    case 'read':
      return takeInputs(state, event);
    case 'process-ending':
      return stay({ ...state, endings: [...state.endings, { from: event.at, to: undefined }].slice(-MAX_ENDINGS) });
    case 'process-ended':
      return stay({ ...state, endings: closeEnding(state.endings, event) });
    case 'stopped':
      return stay({ ...state, phase: { name: 'stopped' }, wanted: undefined });
  }
}

/** Files that were loaded or told of after a start. The loader does not know what the start has not found to read. */
function takeInputs(state: SessionState, event: SessionEventOf<'read'>): SessionStep {
  const unread = state.inputs.missing.filter(({ folder }) => folder === NOT_IMPORTED);
  const inputs = { ...event.inputs, missing: [...event.inputs.missing, ...unread] };
  return stay({ ...state, inputs }, { kind: 'watch-inputs', inputs });
}

/** The folder of what was missing and is no import: its path is whole. */
const NOT_IMPORTED = '';

/** A start is wanted: now, or after the one under way. */
function want(state: SessionState, next: Wanted): SessionStep {
  const wanted = joinWanted(state.wanted, next);
  const waiting = { ...state, wanted };
  switch (state.phase.name) {
    case 'idle':
      return begin(waiting, next.since);
    case 'calming':
      return isEcho(wanted, state) ? stay(waiting) : begin(waiting, next.since);
    case 'settling':
      return stay(waiting);
    case 'building':
    case 'running':
      return stay(waiting, { kind: 'supersede' });
    case 'stopped':
      return stay(state);
  }
}

function takeChanges(
  state: SessionState,
  { changes, at }: SessionEventOf<'files-changed'>,
  isRead: IsRead,
): SessionStep {
  const counts = ({ file }: SeenChange): boolean => isBuildInput(file, state.inputs, isRead);
  const counted = changes.filter(counts);
  const { phase } = state;
  const others = phase.name === 'running' ? changes.filter((change) => !counts(change)) : [];
  const known: SessionState =
    phase.name === 'running' ? { ...state, phase: { ...phase, passed: [...phase.passed, ...others] } } : state;
  return counted.length === 0 ? stay(known) : want(known, { why: 'change', changes: counted, since: at });
}

/** A finished build is run, unless that would start what was started last. */
function takeBuild(state: SessionState, event: SessionEventOf<'built'>, isRead: IsRead): SessionStep {
  const { phase } = state;
  const { code, at } = event;
  if (phase.name !== 'building') return stay(state);
  const { start, from } = phase;
  const known = { ...state, failed: undefined };
  if (code === state.tried?.code && isTried(start, known, isRead)) return begin(known, at);
  return {
    state: {
      ...known,
      phase: { name: 'running', start, builtAt: from, from: at, passed: [] },
      echoes: isEcho(start, state) ? withEcho(state.echoes, start) : noEchoes,
    },
    effects: [...tellChange(start), { kind: 'run', start }],
  };
}

/** A failed build is told, unless it was: the system may tell of a save late, and more than once. */
function takeFailure(state: SessionState, { reason, inputs, at }: SessionEventOf<'build-failed'>): SessionStep {
  const { phase, failed } = state;
  if (phase.name !== 'building') return stay(state);
  const isSame = failed?.reason === reason && (phase.start === failed.start || isOlder(phase.start, failed));
  const start = isSame ? failed.start : phase.start;
  const known: SessionState = {
    ...state,
    inputs,
    failed: { start, reason, builtAt: phase.from, isTold: isSame && failed.isTold },
  };
  if (isSame && failed.isTold) return begin(known, at);
  const wait = state.waits + 1;
  return {
    state: { ...known, phase: { name: 'settling', start }, waits: wait },
    effects: [
      { kind: 'watch-inputs', inputs },
      ...(isSame ? [] : tellChange(start)),
      { kind: 'wait', wait, ms: SETTLE_MS },
    ],
  };
}

function takeWait(state: SessionState, { wait, at }: SessionEventOf<'waited'>): SessionStep {
  const { phase, wanted, failed } = state;
  if (wait !== state.waits) return stay(state);
  if (phase.name === 'calming' && wanted !== undefined) return build(state, wanted, at);
  if (phase.name !== 'settling') return stay(state);
  if (wanted !== undefined) return begin(state, at);
  return {
    state: { ...state, phase: { name: 'idle' }, failed: failed && { ...failed, isTold: true } },
    effects: [{ kind: 'tell-build-failure', start: phase.start }],
  };
}

function takeRun(state: SessionState, event: SessionEventOf<'ran'>, isRead: IsRead): SessionStep {
  const { wasGivenUp, hasFailed, code, missing, at } = event;
  const { phase } = state;
  if (phase.name !== 'running') return stay(state);
  const { start, builtAt, from, passed } = phase;
  const inputs: CodeInputs = {
    ...event.inputs,
    missing: [...event.inputs.missing, ...missing.map((file) => ({ text: file, folder: NOT_IMPORTED }))],
  };
  const late = passed.filter(({ file }) => isBuildInput(file, inputs, isRead));
  const wanted =
    late.length === 0 ? state.wanted : joinWanted(state.wanted, { why: 'change', changes: late, since: at });
  const known = { ...state, inputs, wanted, tried: wasGivenUp ? undefined : { code, builtAt, from, to: at } };
  // A save may come in parts: nobody needs to know that a part of it has failed.
  const isPart = hasFailed && code === undefined && wanted !== undefined;
  const effects: readonly SessionEffect[] = [
    { kind: 'watch-inputs', inputs },
    ...(isPart ? [] : [{ kind: 'tell-outcome', start } as const]),
    { kind: 'prepare-build' },
  ];
  return after(effects, begin(known, at));
}

/** Takes what is wanted up, but for what the server is known to write itself. */
function begin(state: SessionState, at: number): SessionStep {
  const wanted = withoutOwnFiles(state.wanted, state);
  const idle: SessionState = { ...state, phase: { name: 'idle' }, wanted: undefined };
  if (wanted === undefined) return stay(idle);
  const isAgain = isEcho(wanted, state) && hasAllFiles(state.echoes, wanted);
  if (!isAgain || state.echoes.count < MAX_ECHOES) return build(state, wanted, at);
  if (state.echoes.count < MAX_ECHOES + MAX_CALM_STARTS) {
    const wait = state.waits + 1;
    return stay({ ...state, phase: { name: 'calming' }, wanted, waits: wait }, { kind: 'wait', wait, ms: CALM_MS });
  }
  const files = wanted.changes.map(({ file }) => file);
  const ownFiles = new Set([...state.ownFiles, ...files]);
  return stay({ ...idle, ownFiles, echoes: noEchoes }, { kind: 'tell-own-writes', files });
}

function build(state: SessionState, wanted: Wanted, at: number): SessionStep {
  const isAnew =
    wanted.why === 'restart' ||
    wanted.changes.some(({ file }) => isBuildSetting(file) || state.inputs.settings.has(file));
  const start = withoutBuiltFiles(wanted, state.failed ?? state.tried);
  return stay(
    { ...state, wanted: undefined, phase: { name: 'building', start, from: at } },
    ...(start.why === 'change' ? [] : [{ kind: 'tell-starting', start } as const]),
    { kind: 'build', isAnew },
  );
}

/**
 * Whether the same code was started of the files as they are: one save may be reported twice, and the server may write
 * with the same content what it is made of. A later save that changes nothing is a start all the same.
 */
function isTried({ why, changes }: Wanted, state: SessionState, isRead: IsRead): boolean {
  const { tried, inputs } = state;
  if (why !== 'change' || tried === undefined) return false;
  // The start itself did not find it, though the coarse clock of files may say that it came before the start had ended.
  const wasMissing = ({ file }: SeenChange): boolean =>
    inputs.missing.some(({ text, folder }) => folder === NOT_IMPORTED && text === file);
  return changes.every(
    (change) =>
      isBuildInput(change.file, inputs, isRead) &&
      !wasMissing(change) &&
      (isBuiltOf(change, tried.builtAt, tried.to) || mayBeOwn(change, state)),
  );
}

function tellChange(start: Wanted): readonly SessionEffect[] {
  return start.why === 'change' ? [{ kind: 'tell-starting', start }] : [];
}

function closeEnding(endings: readonly Span[], { from, at }: SessionEventOf<'process-ended'>): readonly Span[] {
  return endings.map((span) => (span.from === from && span.to === undefined ? { from, to: at } : span));
}

function after(effects: readonly SessionEffect[], { state, effects: more }: SessionStep): SessionStep {
  return { state, effects: [...effects, ...more] };
}

function stay(state: SessionState, ...effects: readonly SessionEffect[]): SessionStep {
  return { state, effects };
}

/** Whether all files of a start are among those of the starts before. */
function hasAllFiles({ files }: Echoes, { changes }: Wanted): boolean {
  return changes.every(({ file }) => files.has(file));
}

/** The starts with one more. */
function withEcho(echoes: Echoes, start: Wanted): Echoes {
  if (hasAllFiles(echoes, start)) return { ...echoes, count: echoes.count + 1 };
  return { ...echoes, files: new Set([...echoes.files, ...start.changes.map(({ file }) => file)]) };
}

/** The activity of the session. */
export type SessionPhase =
  | { readonly name: 'idle' }
  /** The wanted start waits until its files are left alone: the server itself seems to write them. */
  | { readonly name: 'calming' }
  | { readonly name: 'building'; readonly start: Wanted; readonly from: number }
  /** The build has failed; a save that comes in parts may be the reason. */
  | { readonly name: 'settling'; readonly start: Wanted }
  | {
      readonly name: 'running';
      readonly start: Wanted;
      readonly builtAt: number;
      readonly from: number;
      /** Changes that did not count for the code before. */
      readonly passed: readonly SeenChange[];
    }
  | { readonly name: 'stopped' };
