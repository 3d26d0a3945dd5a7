import { setTimeout as wait } from 'node:timers/promises';
import { useAnimation } from 'ink';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Elicited } from '../../server-runtime/capability/call-request.ts';
import type { FieldProblem } from '../../server-runtime/schema/validator.ts';
import type { Environment } from '../cli/caller-values.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import type { FormHistory } from '../kit/form/form-state.ts';
import { useLatest } from '../kit/use-kept.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toProject } from '../manifest/project.ts';
import { useScreen } from '../screens/use-screen.ts';
import { readVariables } from '../system/read-variables.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CallInput } from './run/call-input.ts';
import { type CallSession, createCallSession } from './run/call-session.ts';
import { type CallTarget, expandHeaders } from './run/call-target.ts';
import type { RequestHeaders } from './run/request-headers.ts';
import {
  type AskedQuestion,
  type CallEvents,
  type CallQuestion,
  type CallRequest,
  type CallResult,
  type PrintedLine,
  runCall,
} from './run/run-call.ts';

export type CallState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  /** Nobody waits for its answer any more: the process that ran it is ended, a server may have done it. */
  | { readonly kind: 'cancelled'; readonly isOnServer: boolean; readonly afterMs: number }
  /** `filled`: the call that it answers. */
  | { readonly kind: 'answered'; readonly result: CallResult; readonly filled: unknown }
  /** There is no answer: the server is not there, the code ended its process. */
  | { readonly kind: 'failed'; readonly message: string };

/** A question of a capability to its user. */
export interface OpenQuestion {
  readonly number: number;
  readonly asked: AskedQuestion;
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

export type CallUse = ReturnType<typeof useCall>;

/** Calls a capability, and has its input validated while it is typed. The code is loaded anew when the manifest is. */
export function useCall({ capability: { key }, manifest, filled, input, headers, target }: UseCallOptions) {
  const { root } = manifest.project;
  const session = useSession(manifest, useVariables(root));
  const ask = useAsk(session, { manifest, target });
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const { time: runningMs } = useAnimation({ isActive: state.kind === 'running' });
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  useEffect(() => void readCallHistory(root).then(setHistory), [root]);
  const live = useLiveOutput();
  const { question, askUser, closeQuestion } = useQuestion();
  const running = useRef<{ readonly controller: AbortController; readonly isHere: boolean }>(undefined);
  const stop = useEffectEvent(() => {
    running.current?.controller.abort();
    // What runs in the process of all calls would keep the next one waiting.
    if (running.current?.isHere === true) session.end();
    running.current = undefined;
    closeQuestion();
  });
  useEffect(() => () => stop(), []);

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const on = { ...live.listen(signal), ask: askUser };
      const result = await ask({ key, input, headers, signal, on });
      if (signal.aborted) return;
      setState({ kind: 'answered', result, filled });
      // Keeping it takes a moment, in which the next call may begin.
      running.current = undefined;
      setHistory(await keepCall(root, { key, input: filled, status: result.status, at: Date.now() }));
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: toMessage(error, target) });
    }
  };
  return {
    state,
    /** The time that it runs. */
    runningMs,
    live: live.output,
    /** The problems that the real schema finds in the input, by path. */
    problems: useProblems(session, { key, input }),
    history,
    question,
    /** Calls any capability at the same target, beside what the screen shows. */
    ask,
    /** Calls it, where no call runs. `isChecked`: not where the schema refuses the input, which it gives by path. */
    send: async ({ isChecked }: { readonly isChecked: boolean }): Promise<ReadonlyMap<string, string>> => {
      if (running.current !== undefined) return none;
      const controller = new AbortController();
      const { signal } = controller;
      running.current = { controller, isHere: target.url === undefined };
      live.clear();
      setState({ kind: 'running' });
      const limit = wait(CHECK_MS, none, { ref: false });
      const wrong = isChecked ? await Promise.race([findProblems(session, { key, input }), limit]) : none;
      if (wrong.size === 0) await run(signal);
      else if (!signal.aborted) setState(state);
      if (running.current?.controller === controller) running.current = undefined;
      return signal.aborted ? none : wrong;
    },
    cancel: (): void => {
      setState({ kind: 'cancelled', isOnServer: running.current?.isHere !== true, afterMs: runningMs });
      stop();
    },
  };
}

const none: ReadonlyMap<string, string> = new Map();
/** The time that the schema may take, milliseconds, before a call goes without it. */
const CHECK_MS = 5_000;

let questionCount = 0;

function useQuestion() {
  const [question, setQuestion] = useState<OpenQuestion>();
  const closeQuestion = (): void => setQuestion(undefined);
  const askUser: CallEvents['ask'] = (asked) =>
    new Promise((resolve) => {
      const answer = (given: Elicited): void => {
        closeQuestion();
        resolve(given);
      };
      setQuestion({ number: ++questionCount, asked, answer });
    });
  return { question, askUser, closeQuestion };
}

function toMessage(error: unknown, { url }: CallTarget): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  const isAway = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(`${reason} ${(error as NodeJS.ErrnoException).code}`);
  if (!isAway || url === undefined) return reason;
  return `${reason}\nNo server answers at ${url}. Start it with capix dev, or choose another target with Ctrl-T.`;
}

/** The state of calls until the application ends, in whichever screen: it is written nowhere. */
export interface CallMemory {
  /** One process for all calls: what a call has created in memory, the next one finds. */
  readonly session?: { readonly manifest: Manifest; readonly session: CallSession };
  readonly target?: string;
  /** The headers that were filled in last, which each call begins with. */
  readonly headers: RequestHeaders;
  /** The forms of capabilities, now and before, by key. */
  readonly forms: ReadonlyMap<string, FormHistory>;
}

const memories = new WeakMap<Terminal, CallMemory>();

export function memoryOf(terminal: Terminal): CallMemory {
  return memories.get(terminal) ?? { headers: {}, forms: new Map() };
}

export function remember(terminal: Terminal, changed: Partial<CallMemory>): void {
  memories.set(terminal, { ...memoryOf(terminal), ...changed });
}

function useSession(manifest: Manifest, readAll: () => Environment): CallSession {
  const { terminal } = useScreen();
  const session = useMemo(() => {
    const known = memoryOf(terminal).session;
    return known?.manifest === manifest ? known.session : createCallSession(toProject(manifest.project), readAll);
  }, [manifest, terminal, readAll]);
  useEffect(() => {
    const known = memoryOf(terminal).session?.session;
    if (known !== session) known?.end();
    remember(terminal, { session: { manifest, session } });
  }, [terminal, manifest, session]);
  return session;
}

/** Calls any capability at a target. Rejects with `Usage` where a variable of the target's headers is not set. */
function useAsk(session: CallSession, { manifest, target }: Pick<UseCallOptions, 'manifest' | 'target'>) {
  const readAll = useVariables(manifest.project.root);
  return async (request: CallRequest): Promise<CallResult> => {
    const { url, environment = '', headers: named } = target;
    if (url === undefined) return runCall({ kind: 'here', call: session.call }, request);
    const headers = expandHeaders(environment, named, readAll());
    return runCall({ kind: 'server', url, headers, routes: toCapabilities(manifest) }, request);
  };
}

/** Gives the variables of calls as they are then: those of the shell, and of the project's env files. */
export function useVariables(root: string): () => Environment {
  const { terminal, envFile } = useScreen();
  return useCallback(() => {
    const files = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    return { ...readVariables(files, terminal.environment), ...terminal.environment };
  }, [root, envFile, terminal]);
}

/** Messages and output of a running call, as they come. */
export interface LiveOutput {
  readonly items: readonly unknown[];
  /** All items that came. */
  readonly itemCount: number;
  readonly messages: readonly string[];
  readonly printed: readonly PrintedLine[];
}

/** The items, messages and lines that are kept, the last ones. */
const MAX_KEPT = 5000;
/** Items that come without a pause are drawn together, milliseconds. */
const DRAW_MS = 50;

const nothing: LiveOutput = { items: [], itemCount: 0, messages: [], printed: [] };

function useLiveOutput() {
  const [output, setOutput] = useState(nothing);
  const kept = useRef(nothing);
  const timer = useRef<NodeJS.Timeout>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const add = (more: Partial<LiveOutput>): void => {
    const { items, itemCount, messages, printed } = kept.current;
    kept.current = {
      items: [...items, ...(more.items ?? [])].slice(-MAX_KEPT),
      itemCount: itemCount + (more.items?.length ?? 0),
      messages: [...messages, ...(more.messages ?? [])].slice(-MAX_KEPT),
      printed: [...printed, ...(more.printed ?? [])].slice(-MAX_KEPT),
    };
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setOutput(kept.current);
    }, DRAW_MS);
  };
  return {
    output,
    listen: (signal: AbortSignal): CallEvents => ({
      onItem: (item) => signal.aborted || add({ items: [item] }),
      onMessage: (text) => signal.aborted || add({ messages: [text] }),
      onPrinted: (line) => signal.aborted || add({ printed: [line] }),
    }),
    clear: (): void => {
      kept.current = nothing;
      setOutput(nothing);
    },
  };
}

/** The problems that the schema finds in an input while it is typed, by path. */
function useProblems(session: CallSession, question: CallQuestion): ReadonlyMap<string, string> {
  const text = JSON.stringify(question);
  const load = useCallback(() => findProblems(session, JSON.parse(text) as CallQuestion), [session, text]);
  return useLatest(load, none);
}

/** The first problem of each field; none where the schema cannot be asked, for then the call says why. */
async function findProblems(session: CallSession, question: CallQuestion): Promise<ReadonlyMap<string, string>> {
  const fields = await session.validate(question).catch((): readonly FieldProblem[] => []);
  // A field that is missing is told as a form says it.
  const toShort = (message: string): string =>
    /^Invalid input: expected .+, received undefined$/.test(message) ? 'required' : message;
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShort(message)]));
}
