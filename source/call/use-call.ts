import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Elicited } from '../../server-runtime/capability/call-request.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { CallInput } from './run/call-input.ts';
import type { AskedQuestion, CallEvents, CallRequest, CallResult } from './run/call-protocol.ts';
import type { RequestHeaders } from './run/request-headers.ts';
import { type RunTarget, runCall } from './run/run-call.ts';
import type { CallTarget } from './target/call-target.ts';
import { expandHeaders } from './target/read-environments.ts';
import { type LiveOutput, useLiveOutput } from './use-live-output.ts';
import { checkInput, useProblems } from './use-problems.ts';
import { type Session, useSession } from './use-session.ts';
import { useVariables } from './use-variables.ts';

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
  /** The call that it answers. */
  readonly filled: unknown;
}

/** A question of a capability to its user. */
export interface OpenQuestion {
  /** Another one for each question. */
  readonly number: number;
  readonly asked: AskedQuestion;
  /** Called once. */
  readonly answer: (given: Elicited) => void;
}

export interface UseCallOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  /** As the form has it: files are paths. It is kept with the call. */
  readonly filled: unknown;
  readonly input: CallInput;
  readonly headers: RequestHeaders;
  readonly target: CallTarget;
}

export interface CallUse {
  readonly state: CallState;
  /** Messages and output of the last call. */
  readonly live: LiveOutput;
  /** The problems that the real schema finds in the input, by path. */
  readonly problems: ReadonlyMap<string, string>;
  readonly history: readonly PastCall[];
  /** The question of the call that runs, which waits for its answer. */
  readonly question: OpenQuestion | undefined;
  /**
   * Calls it, where no call runs. `isChecked`: not where the schema refuses the input; gives what it says then, by
   * path.
   */
  readonly send: (options: { readonly isChecked: boolean }) => Promise<ReadonlyMap<string, string>>;
  readonly cancel: () => void;
  /** Calls another capability at the same target, beside what the screen shows. */
  readonly ask: (request: CallRequest) => Promise<CallResult>;
}

/** Calls a capability, and has its input validated while it is typed. The code is loaded anew when the manifest is. */
export function useCall(options: UseCallOptions): CallUse {
  const { capability, manifest, filled, input, headers, target } = options;
  const session = useSession(manifest);
  const variables = useVariables(manifest.project.root);
  const problems = useProblems(session, { key: capability.key, input, manifest });
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const [question, setQuestion] = useState<OpenQuestion>();
  const { history, keep } = usePastCalls(manifest.project.root);
  const live = useLiveOutput(session);
  const running = useRef<RunningCall>(undefined);
  const call = async (request: CallRequest): Promise<CallResult> =>
    runCall(toRunTarget(target, { session, routes: toCapabilities(manifest), variables }), request);
  const stop = useEffectEvent(() => {
    running.current?.controller.abort();
    // What runs in the process of all calls would keep the next one waiting.
    if (running.current?.target.kind === 'process') session.restart();
    running.current = undefined;
    setQuestion(undefined);
  });
  useEffect(() => () => stop(), []);

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const on = toEvents(signal, { live, setQuestion });
      const result = await call({ key: capability.key, input, headers, signal, on });
      if (signal.aborted) return;
      setState({ kind: 'answered', result, filled });
      // Keeping it takes a moment, in which the next call may begin.
      running.current = undefined;
      await keep({ key: capability.key, input: filled, status: result.status, at: Date.now() });
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: toMessage(error, target) });
    }
  };
  return {
    state,
    live: live.output,
    problems,
    history,
    question,
    ask: call,
    send: async ({ isChecked }) => {
      if (running.current !== undefined) return none;
      const controller = new AbortController();
      running.current = { controller, target };
      live.clear();
      setState({ kind: 'running', startedAt: Date.now() });
      try {
        const wrong = isChecked ? await checkInput(session, capability.key, input) : none;
        if (wrong.size === 0) await run(controller.signal);
        else if (!controller.signal.aborted) setState(state);
        return controller.signal.aborted ? none : wrong;
      } finally {
        if (running.current?.controller === controller) running.current = undefined;
      }
    },
    cancel: () => {
      const afterMs = state.kind === 'running' ? Date.now() - state.startedAt : 0;
      setState({ kind: 'cancelled', isOnServer: running.current?.target.kind !== 'process', afterMs });
      stop();
    },
  };
}

const none: ReadonlyMap<string, string> = new Map();

interface TargetFacts {
  readonly session: Session;
  readonly routes: readonly Listed[];
  readonly variables: ReturnType<typeof useVariables>;
}

/** @throws CliError `Usage` where a variable of its headers is not set */
function toRunTarget(target: CallTarget, { session, routes, variables }: TargetFacts): RunTarget {
  if (target.kind === 'process') return { kind: 'here', call: session.call };
  const headers = expandHeaders(target.name, target.headers, variables());
  return { kind: 'server', url: target.url, headers, routes };
}

interface RunningCall {
  readonly controller: AbortController;
  readonly target: CallTarget;
}

interface EventSinks {
  readonly live: ReturnType<typeof useLiveOutput>;
  readonly setQuestion: (question: OpenQuestion | undefined) => void;
}

let questionCount = 0;

/** Messages and output of a call, until it is left. */
function toEvents(signal: AbortSignal, { live, setQuestion }: EventSinks): CallEvents {
  return {
    onItem: (item) => {
      if (!signal.aborted) live.addItem(item);
    },
    onMessage: (text) => {
      if (!signal.aborted) live.addMessage(text);
    },
    ask: (asked) =>
      new Promise((resolve) => {
        if (signal.aborted) return;
        questionCount += 1;
        const answer = (given: Elicited): void => {
          setQuestion(undefined);
          resolve(given);
        };
        setQuestion({ number: questionCount, asked, answer });
      }),
  };
}

/** The calls of a project, the last one first. */
function usePastCalls(root: string) {
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  useEffect(() => void readCallHistory(root).then(setHistory), [root]);
  return { history, keep: async (call: PastCall): Promise<void> => setHistory(await keepCall(root, call)) };
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
