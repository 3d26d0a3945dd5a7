import { join } from 'node:path';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Elicited } from '../../server-runtime/capability/call-request.ts';
import type { FieldProblem } from '../../server-runtime/schema/validator.ts';
import type { Environment } from '../cli/caller-values.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import { readVariables } from '../system/read-variables.ts';
import { waitWithin } from '../system/timing.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CallInput } from './run/call-input.ts';
import { type CallSession, createCallSession, type PrintedLine } from './run/call-session.ts';
import { type CallTarget, expandHeaders } from './run/call-target.ts';
import type { RequestHeaders } from './run/request-headers.ts';
import { type AskedQuestion, type CallEvents, type CallRequest, type CallResult, runCall } from './run/run-call.ts';

/** The outcome of the last call. */
export type CallState =
  | { readonly kind: 'none' }
  /** `startedAt`: milliseconds since 1970. */
  | { readonly kind: 'running'; readonly startedAt: number }
  /** Nobody waits for its answer any more: the process that ran it is ended, a server may have done it. */
  | { readonly kind: 'cancelled'; readonly isOnServer: boolean; readonly afterMs: number }
  /** `filled`: the call that it answers. */
  | { readonly kind: 'answered'; readonly result: CallResult; readonly filled: unknown }
  /** There is no answer: the server is not there, the code ended its process. */
  | { readonly kind: 'failed'; readonly message: string };

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

export type CallUse = ReturnType<typeof useCall>;

/** Calls a capability, and has its input validated while it is typed. The code is loaded anew when the manifest is. */
export function useCall({ capability: { key }, manifest, filled, input, headers, target }: UseCallOptions) {
  const { root } = manifest.project;
  const session = useSession(manifest);
  const ask = useAsk(session, { manifest, target });
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const { question, closeQuestion, toAskUser } = useQuestion();
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  useEffect(() => void readCallHistory(root).then(setHistory), [root]);
  const live = useLiveOutput(session);
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
      const on = { ...live.listen(signal), ask: toAskUser(signal) };
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
    /** Messages and output of the last call. */
    live: live.output,
    /** The problems that the real schema finds in the input, by path. */
    problems: useProblems(session, { key, input }),
    history,
    /** The question of the call that runs, which waits for its answer. */
    question,
    /** Calls any capability at the same target, beside what the screen shows. */
    ask,
    /** Calls it, where no call runs. `isChecked`: not where the schema refuses the input, which it gives by path. */
    send: async ({ isChecked }: { readonly isChecked: boolean }): Promise<ReadonlyMap<string, string>> => {
      if (running.current !== undefined) return none;
      const controller = new AbortController();
      const { signal } = controller;
      running.current = { controller, isHere: target.kind === 'process' };
      live.clear();
      setState({ kind: 'running', startedAt: Date.now() });
      try {
        const wrong = isChecked ? await checkInput(session, key, input) : none;
        if (wrong.size === 0) await run(signal);
        else if (!signal.aborted) setState(state);
        return signal.aborted ? none : wrong;
      } finally {
        if (running.current?.controller === controller) running.current = undefined;
      }
    },
    cancel: (): void => {
      const afterMs = state.kind === 'running' ? Date.now() - state.startedAt : 0;
      setState({ kind: 'cancelled', isOnServer: running.current?.isHere !== true, afterMs });
      stop();
    },
  };
}

const none: ReadonlyMap<string, string> = new Map();

/** Calls any capability at a target. Rejects with `Usage` where a variable of the target's headers is not set. */
function useAsk(session: CallSession, { manifest, target }: Pick<UseCallOptions, 'manifest' | 'target'>) {
  const readAll = useVariables(manifest.project.root);
  return async (request: CallRequest): Promise<CallResult> => {
    if (target.kind === 'process') return runCall({ kind: 'here', call: session.call }, request);
    const { url, name, headers: named } = target;
    const server = { url, headers: expandHeaders(name, named, readAll()), routes: toCapabilities(manifest) };
    return runCall({ kind: 'server', ...server }, request);
  };
}

let questionCount = 0;

/** The question of the call that runs. */
function useQuestion() {
  const [question, setQuestion] = useState<OpenQuestion>();
  const closeQuestion = (): void => setQuestion(undefined);
  const toAskUser =
    (signal: AbortSignal): CallEvents['ask'] =>
    (asked) =>
      new Promise((resolve) => {
        if (signal.aborted) return;
        const answer = (given: Elicited): void => {
          closeQuestion();
          resolve(given);
        };
        setQuestion({ number: ++questionCount, asked, answer });
      });
  return { question, closeQuestion, toAskUser };
}

function toMessage(error: unknown, target: CallTarget): string {
  if (!(error instanceof Error)) return String(error);
  const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  const isAway = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(`${reason} ${(error as NodeJS.ErrnoException).code}`);
  if (!isAway || target.kind === 'process') return reason;
  const how = 'Start it with capix dev, or choose another target with Ctrl-T.';
  return `${reason}\nNo server answers at ${target.url}. ${how}`;
}

/** One process for all calls of a terminal: what a call has created in memory, the next one finds. */
const sessionOf = new WeakMap<Terminal, { readonly manifest: Manifest; readonly session: CallSession }>();

function useSession(manifest: Manifest): CallSession {
  const { terminal, envFile } = useScreen();
  const session = useMemo((): CallSession => {
    const known = sessionOf.get(terminal);
    if (known?.manifest === manifest) return known.session;
    const { name, root, config } = manifest.project;
    const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    return createCallSession({ name, root, entryFile: join(root, config) }, envFiles);
  }, [manifest, envFile, terminal]);
  useEffect(() => {
    const known = sessionOf.get(terminal);
    if (known !== undefined && known.session !== session) known.session.end();
    sessionOf.set(terminal, { manifest, session });
  }, [terminal, manifest, session]);
  return session;
}

/** Gives the variables of calls as they are then: those of the shell, and of the project's env files. */
export function useVariables(root: string): () => Environment {
  const { terminal, envFile } = useScreen();
  return () => {
    const files = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    return { ...readVariables(files, terminal.environment), ...terminal.environment };
  };
}

/** Messages and output of a running call, as they come. */
export interface LiveOutput {
  /** The items of a stream, the last ones. */
  readonly items: readonly unknown[];
  /** All items that came. */
  readonly itemCount: number;
  /** The messages of `ctx.progress` and `ctx.log`. */
  readonly messages: readonly string[];
  /** The lines that the code in this process has printed. */
  readonly printed: readonly PrintedLine[];
}

/** The items, messages and lines that are kept, the last ones. */
const MAX_KEPT = 5000;
/** Items that come without a pause are drawn together, milliseconds. */
const DRAW_MS = 50;

const nothing: LiveOutput = { items: [], itemCount: 0, messages: [], printed: [] };

function useLiveOutput(session: CallSession) {
  const [output, setOutput] = useState(nothing);
  const latest = useRef(nothing);
  const timer = useRef<NodeJS.Timeout>(undefined);
  const add = <Name extends 'items' | 'messages' | 'printed'>(name: Name, more: LiveOutput[Name]): void => {
    const all = [...latest.current[name], ...more];
    const itemCount = latest.current.itemCount + (name === 'items' ? more.length : 0);
    latest.current = { ...latest.current, [name]: all.length > MAX_KEPT ? all.slice(-MAX_KEPT) : all, itemCount };
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setOutput(latest.current);
    }, DRAW_MS);
  };
  const print = useEffectEvent((lines: readonly PrintedLine[]) => add('printed', lines));
  useEffect(() => session.watchOutput((lines) => print(lines)), [session]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    output,
    listen: (signal: AbortSignal) => ({
      onItem: (item: unknown): void => {
        if (!signal.aborted) add('items', [item]);
      },
      onMessage: (text: string): void => {
        if (!signal.aborted) add('messages', [text]);
      },
    }),
    clear: (): void => {
      latest.current = nothing;
      setOutput(nothing);
    },
  };
}

/** The problems that the schema finds in an input while it is typed, by path. */
function useProblems(session: CallSession, { key, input }: Pick<CallRequest, 'key' | 'input'>) {
  const [problems, setProblems] = useState(none);
  const text = JSON.stringify(input);
  useEffect(() => {
    let isOld = false;
    session.validate({ key, input: JSON.parse(text) as CallInput }).then(
      (fields) => {
        if (!isOld) setProblems(toProblemMap(fields));
      },
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [session, key, text]);
  return problems;
}

/** The first problem of each field; that of a field which is missing as a form says it. */
function toProblemMap(fields: readonly FieldProblem[]): ReadonlyMap<string, string> {
  const toShort = (message: string): string =>
    /^Invalid input: expected .+, received undefined$/.test(message) ? 'required' : message;
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShort(message)]));
}

/** The time that the schema may take, milliseconds, before a call goes without it. */
const CHECK_MS = 5_000;

/** The problems that the schema finds in an input; none where it cannot be asked, for then the call says why. */
async function checkInput(session: CallSession, key: string, input: CallInput): Promise<ReadonlyMap<string, string>> {
  let fields: readonly FieldProblem[] = [];
  const asked = session.validate({ key, input }).then(
    (found) => void (fields = found),
    () => {},
  );
  await waitWithin(CHECK_MS, asked);
  return toProblemMap(fields);
}
