import { useAnimation } from 'ink';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Elicited } from '../../server-runtime/capability/context.ts';
import type { Environment } from '../cli/caller-values.ts';
import { CliError } from '../cli/cli-error.ts';
import { cliErrors } from '../cli/cli-errors.ts';
import { toOperationSecrets } from '../document/operations/secret-check.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import type { FormHistory } from '../kit/form/form-state.ts';
import { useLatest } from '../kit/use-memory.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toProject } from '../manifest/project.ts';
import { useServices } from '../screens/use-screen.ts';
import { readVariables } from '../system/read-variables.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CallInput } from './run/call-input.ts';
import { type CallSession, createCallSession } from './run/call-session.ts';
import { type CallTarget, expandHeaders } from './run/call-target.ts';
import {
  type CallEvents,
  type CallQuestion,
  type CallRequest,
  type CallResult,
  type LoggedLine,
  performCall,
  type RequestHeaders,
  type UserQuestion,
} from './run/perform-call.ts';

export type CallState =
  | { readonly kind: 'none' | 'running' }
  /** There is no answer: the server is not there, the code ended its process, or nobody waits for it any more. */
  | { readonly kind: 'failed'; readonly message: string; readonly cancelledAfterMs?: number }
  /** `filled`: the call that it answers. */
  | { readonly kind: 'answered'; readonly result: CallResult; readonly filled: unknown };

export interface OpenQuestion {
  readonly question: UserQuestion;
  readonly answer: (answer: Elicited) => void;
}

/** The items and lines of a running call so far, the last ones. */
export interface LiveOutput {
  readonly items: readonly unknown[];
  readonly itemCount: number;
  readonly lines: readonly LoggedLine[];
}

const noOutput: LiveOutput = { items: [], itemCount: 0, lines: [] };
const MAX_KEPT = 5000;

export interface UseCallOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  /** The input as the form has it: files are paths. The history stores it with the call. */
  readonly filled: unknown;
  readonly input: CallInput;
  readonly headers: RequestHeaders;
  readonly target: CallTarget;
}

export type CallUse = ReturnType<typeof useCall>;

/** Calls a capability, and has its input validated while it is typed. The code is loaded anew when the manifest is. */
export function useCall({ capability, manifest, filled, input, headers, target }: UseCallOptions) {
  const { key } = capability;
  const { root } = manifest.project;
  const variables = useVariables(root);
  const session = useSession(manifest, variables);
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const { time: runningMs } = useAnimation({ isActive: state.kind === 'running' });
  const draw = useReducer((count: number) => count + 1, 0)[1];
  const [live] = useState(() => createLive(draw));
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  useEffect(() => void readCallHistory(root).then(setHistory), [root]);
  const [question, setQuestion] = useState<OpenQuestion>();
  const running = useRef<{ readonly controller: AbortController; readonly isHere: boolean }>(
    undefined,
  );
  const stop = useEffectEvent(() => {
    running.current?.controller.abort();
    // What runs in the process of all calls would keep the next one waiting.
    if (running.current?.isHere === true) session.end();
    running.current = undefined;
    setQuestion(undefined);
  });
  useEffect(() => () => stop(), []);
  const ask = createAsk({ target, session, manifest, variables });
  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const askUser = (question: UserQuestion): Promise<Elicited> =>
        new Promise<Elicited>((answer) => setQuestion({ question, answer })).finally(() =>
          setQuestion(undefined),
        );
      const on = { ...live.listen(signal), ask: askUser };
      const result = await ask({ key, input, headers, signal, on });
      if (signal.aborted) return;
      setState({ kind: 'answered', result, filled });
      const past = { key, input: filled, status: result.status, at: Date.now() };
      void keepCall(root, past, toOperationSecrets(capability)).then(setHistory);
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: toMessage(error) });
    }
  };
  /** Calls it, where no call runs. `isChecked`: not where the schema refuses the input, which it gives by path. */
  const send = async (isChecked: boolean): Promise<ReadonlyMap<string, string>> => {
    if (running.current !== undefined) return none;
    const controller = new AbortController();
    const { signal } = controller;
    running.current = { controller, isHere: target.url === undefined };
    live.clear();
    setState({ kind: 'running' });
    const wrong = isChecked ? await findProblems(session, { key, input }) : none;
    if (signal.aborted) return none;
    if (wrong.size === 0) await run(signal);
    else setState(state);
    if (!signal.aborted) running.current = undefined;
    return wrong;
  };
  const cancel = (): void => {
    const message =
      running.current?.isHere === true ? 'Its process was ended.' : 'The server may have done it.';
    setState({ kind: 'failed', message, cancelledAfterMs: runningMs });
    stop();
  };
  /** The problems that the schema finds in the input while it is typed, by path. */
  const problems = useProblems(session, { key, input });
  return {
    state,
    runningMs,
    live: live.read(),
    problems,
    history,
    question,
    ask,
    variables,
    send,
    cancel,
  };
}

/** Items and lines that arrive without a pause are drawn together, milliseconds. */
const DRAW_MS = 50;

/** Keeps the output of a call, which the code may go on with after its end. */
function createLive(draw: () => void) {
  let output = noOutput;
  let timer: NodeJS.Timeout | undefined;
  const add = (more: Partial<LiveOutput>): void => {
    output = { ...output, ...more };
    timer ??= setTimeout(() => {
      timer = undefined;
      draw();
    }, DRAW_MS);
  };
  return {
    read: () => output,
    clear: (): void => {
      output = noOutput;
    },
    listen: (signal: AbortSignal): CallEvents => ({
      onItem: (item) => {
        const items = [...output.items, item].slice(-MAX_KEPT);
        if (!signal.aborted) add({ items, itemCount: output.itemCount + 1 });
      },
      onLine: (line) => {
        if (!signal.aborted) add({ lines: [...output.lines, line].slice(-MAX_KEPT) });
      },
    }),
  };
}

interface AskOptions extends Pick<UseCallOptions, 'manifest' | 'target'> {
  readonly session: CallSession;
  readonly variables: () => Environment;
}

/** Calls any capability at the target. Rejects with `Usage` where a variable of its headers is not set. */
function createAsk({ target, session, manifest, variables }: AskOptions) {
  return async (request: CallRequest): Promise<CallResult> => {
    const { url, environment = '', headers: named } = target;
    if (url === undefined) return performCall({ kind: 'here', call: session.call }, request);
    const headers = expandHeaders(environment, named, variables());
    return performCall({ kind: 'server', url, headers, routes: toCapabilities(manifest) }, request);
  };
}

const none: ReadonlyMap<string, string> = new Map();

function toMessage(error: unknown): string {
  if (!(error instanceof CliError)) return error instanceof Error ? error.message : String(error);
  const { code, hint, message } = error;
  const isAway = code === 'NoAnswer' && hint === cliErrors.NoAnswer.hint;
  const next = isAway ? 'Start it with capix dev, or choose another target with Ctrl-T.' : hint;
  return next === undefined ? message : `${message}\n${next}`;
}

/** The state of calls until the application ends, in whichever screen: it is written nowhere. */
interface CallMemory {
  /** One process for all calls: what a call has created in memory, the next one finds. */
  session?: { readonly manifest: Manifest; readonly session: CallSession };
  target?: string;
  /** The headers that were filled in last, which each call begins with. */
  lastHeaders: RequestHeaders;
  /** The forms of capabilities, now and before, by key. */
  readonly forms: Map<string, FormHistory>;
}

const memories = new WeakMap<Terminal, CallMemory>();

export function memoryOf(terminal: Terminal): CallMemory {
  const memory = memories.get(terminal) ?? { lastHeaders: {}, forms: new Map() };
  memories.set(terminal, memory);
  return memory;
}

function useSession(manifest: Manifest, variables: () => Environment): CallSession {
  const { terminal } = useServices();
  const session = useMemo(() => {
    const known = memoryOf(terminal).session;
    return known?.manifest === manifest
      ? known.session
      : createCallSession(toProject(manifest.project), variables);
  }, [manifest, terminal, variables]);
  useEffect(() => {
    const memory = memoryOf(terminal);
    if (memory.session?.session !== session) memory.session?.session.end();
    memory.session = { manifest, session };
  }, [terminal, manifest, session]);
  return session;
}

/** Gives the variables of calls as they are then: those of the shell, and of the project's env files. */
function useVariables(root: string): () => Environment {
  const { terminal, envFile } = useServices();
  return useCallback(() => {
    const files = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    return { ...readVariables(files, terminal.environment), ...terminal.environment };
  }, [root, envFile, terminal]);
}

function useProblems(session: CallSession, question: CallQuestion): ReadonlyMap<string, string> {
  const text = JSON.stringify(question);
  const load = useCallback(
    () => findProblems(session, JSON.parse(text) as CallQuestion),
    [session, text],
  );
  return useLatest(load, none);
}

/** The words for a field that is missing: those of a form. */
export const MISSING = 'required';

/** The first problem of each field. There are none where the schema cannot run: then the call itself says why. */
async function findProblems(
  session: CallSession,
  question: CallQuestion,
): Promise<ReadonlyMap<string, string>> {
  const fields = await session.validate(question).catch(() => []);
  // A missing field has the words of a form.
  const toShort = (message: string): string =>
    /^Invalid input: expected .+, received undefined$/.test(message) ? MISSING : message;
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShort(message)]));
}
