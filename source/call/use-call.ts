import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import type { CallInput } from './run/call-input.ts';
import type { CallResult } from './run/call-protocol.ts';
import type { AskingOptions, PrintedLine } from './run/call-session.ts';
import type { RequestHeaders } from './run/request-headers.ts';
import type { CallTarget } from './target/call-target.ts';
import { checkInput, useProblems } from './use-problems.ts';
import { type OpenQuestion, useQuestion } from './use-question.ts';
import { type Session, useSession } from './use-session.ts';

/** The outcome of the last call. */
export type CallState =
  | { readonly kind: 'none' }
  /** `startedAt`: milliseconds since 1970. */
  | { readonly kind: 'running'; readonly startedAt: number }
  /** Nobody waits for its answer any more: the process that ran it is ended, a server may have done it. */
  | { readonly kind: 'cancelled'; readonly isOnServer: boolean; readonly afterMs: number }
  | Answered
  /** There is no answer: the server is not there, the code ended its process. */
  | { readonly kind: 'failed'; readonly message: string };

export interface Answered {
  readonly kind: 'answered';
  readonly result: CallResult;
  /** The answer before this one, since the screen was opened. */
  readonly before: CallResult | undefined;
  /** The call that it answers. */
  readonly filled: unknown;
}

export interface UseCallOptions {
  readonly capability: ManifestCapability;
  readonly manifest: Manifest;
  /** As the form has it: files are paths. It is kept with the call. */
  readonly filled: unknown;
  readonly input: CallInput;
  readonly headers: RequestHeaders;
  readonly target: CallTarget;
}

export interface CallUse {
  readonly state: CallState;
  /** The output of the code in this process since the last call began. */
  readonly log: readonly PrintedLine[];
  /** The problems that the real schema finds in the input, by path. */
  readonly problems: ReadonlyMap<string, string>;
  readonly history: readonly PastCall[];
  /** The question of the call that runs, which waits for its answer. */
  readonly question: OpenQuestion | undefined;
  /**
   * Calls it, where no call runs. `isChecked`: not where the schema refuses the input; gives what it says then, by path.
   */
  readonly send: (options: { readonly isChecked: boolean }) => Promise<ReadonlyMap<string, string>>;
  readonly cancel: () => void;
  /** Calls another capability at the same target, beside what the screen shows. */
  readonly ask: (capability: ManifestCapability, input: CallInput, headers: RequestHeaders) => Promise<CallResult>;
}

/** Calls a capability, and has its input validated while it is typed. The code is loaded anew when the manifest is. */
export function useCall(options: UseCallOptions): CallUse {
  const { capability, manifest, filled, input, target } = options;
  const { project } = manifest;
  const session = useSession(manifest);
  const problems = useProblems(session, { key: capability.key, input, manifest });
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const questions = useQuestion();
  const { history, keep } = usePastCalls(project.root);
  const { log, clear: clearLog } = useLog(session);
  const before = useRef<CallResult>(undefined);
  const running = useRef<RunningCall>(undefined);
  const stop = useEffectEvent((): void => {
    running.current?.controller.abort();
    // What runs in the process of all calls would keep the next one waiting.
    if (running.current?.target.kind === 'process') session.restart();
    running.current = undefined;
    questions.close();
  });
  useEffect(() => () => stop(), []);

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const result = await answer(session, { ...options, onAsked: questions.toAsker(signal) }, signal);
      if (signal.aborted) return;
      setState({ kind: 'answered', result, before: before.current, filled });
      before.current = result;
      // Keeping it takes a moment, in which the next call may begin.
      running.current = undefined;
      await keep({ key: capability.key, input: filled, status: result.status, at: Date.now() });
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: toMessage(error, target) });
    }
  };
  return {
    state,
    log,
    problems,
    history,
    question: questions.question,
    ask: (asked, input, headers) =>
      answer(session, { capability: asked, input, headers, target }, new AbortController().signal),
    send: async ({ isChecked }) => {
      if (running.current !== undefined) return new Map();
      const controller = new AbortController();
      running.current = { controller, target };
      clearLog();
      setState({ kind: 'running', startedAt: Date.now() });
      try {
        const wrong = isChecked ? await checkInput(session, capability.key, input) : new Map<string, string>();
        if (wrong.size === 0) await run(controller.signal);
        else if (!controller.signal.aborted) setState(state);
        return controller.signal.aborted ? new Map() : wrong;
      } finally {
        if (running.current?.controller === controller) running.current = undefined;
      }
    },
    cancel: () => {
      const isOnServer = running.current?.target.kind !== 'process';
      stop();
      setState({ kind: 'cancelled', isOnServer, afterMs: toRunningMs(state) });
    },
  };
}

function toRunningMs(state: CallState): number {
  return state.kind === 'running' ? Date.now() - state.startedAt : 0;
}

/** The calls of a project, the last one first. */
function usePastCalls(root: string) {
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  useEffect(() => void readCallHistory(root).then(setHistory), [root]);
  return { history, keep: async (call: PastCall): Promise<void> => setHistory(await keepCall(root, call)) };
}

/** The number of lines of the log that are kept, the last ones. */
const MAX_LOG = 5000;

/** The output of the code, as it comes. */
function useLog(session: Session) {
  const [log, setLog] = useState<readonly PrintedLine[]>([]);
  useEffect(() => session.watchOutput((lines) => setLog((before) => [...before, ...lines].slice(-MAX_LOG))), [session]);
  return { log, clear: () => setLog([]) };
}

interface RunningCall {
  readonly controller: AbortController;
  readonly target: CallTarget;
}

type AnsweredCall = Pick<UseCallOptions, 'capability' | 'input' | 'headers' | 'target'> &
  Pick<AskingOptions, 'onAsked'>;

/** Screens that call no server do not load its client. */
async function answer(
  session: Session,
  { capability, input, headers, target, onAsked }: AnsweredCall,
  signal: AbortSignal,
): Promise<CallResult> {
  if (target.kind === 'process') return session.call(capability.key, input, { headers, onAsked });
  const { callServer } = await import('./run/call-server.ts');
  return callServer(capability, { baseUrl: target.url, input, headers: { ...target.headers, ...headers }, signal });
}

function toMessage(error: unknown, target: CallTarget): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  if (
    !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(`${reason} ${String((error as NodeJS.ErrnoException).code)}`) ||
    target.kind === 'process'
  )
    return reason;
  return `${reason}\nNo server answers at ${target.url}. Start it with capix dev, or choose another target with Ctrl-T.`;
}
