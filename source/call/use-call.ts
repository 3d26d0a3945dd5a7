import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldProblem } from '../../server-runtime/schema/validator.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { waitWithin } from '../system/wait-within.ts';
import type { CallInput } from './run/call-input.ts';
import type { CallResult } from './run/call-protocol.ts';
import type { CallServerOptions } from './run/call-server.ts';
import type { RequestHeaders } from './run/request-headers.ts';
import type { CallTarget } from './target/call-target.ts';
import { type Session, useSession } from './use-session.ts';

/** What came of the last call. */
export type CallState =
  | { readonly kind: 'none' }
  /** `startedAt`: milliseconds since 1970. */
  | { readonly kind: 'running'; readonly startedAt: number }
  /** Nobody waits for its answer any more: the process that ran it is ended, a server may have done it. */
  | { readonly kind: 'cancelled'; readonly isOnServer: boolean; readonly afterMs: number }
  | { readonly kind: 'answered'; readonly result: CallResult }
  /** There is no answer: the server is not there, the code ended its process. */
  | { readonly kind: 'failed'; readonly message: string };

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
  /** What the real schema says of the input, by path. */
  readonly problems: ReadonlyMap<string, string>;
  readonly history: readonly PastCall[];
  /**
   * Calls it, where no call runs. `isChecked`: not where the schema refuses the input; gives what it says then, by path.
   */
  readonly send: (options: { readonly isChecked: boolean }) => Promise<ReadonlyMap<string, string>>;
  readonly cancel: () => void;
}

/** Calls a capability, and has its input validated while it is typed. The code is loaded anew when the manifest is. */
export function useCall(options: UseCallOptions): CallUse {
  const { capability, manifest, filled, input, headers, target } = options;
  const { project } = manifest;
  const session = useSession(manifest);
  const problems = useProblems(session, { key: capability.key, input, manifest });
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const { history, keep } = usePastCalls(project.root);
  const running = useRef<RunningCall>(undefined);
  const stop = useEffectEvent((): void => {
    running.current?.controller.abort();
    // What runs in the process of all calls would keep the next one waiting.
    if (running.current?.target.kind === 'process') session.restart();
    running.current = undefined;
  });
  useEffect(() => () => stop(), []);

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const result = await (target.kind === 'process'
        ? session.call(capability.key, input, headers)
        : callRunning(capability, {
            baseUrl: target.url,
            input,
            headers: { ...target.headers, ...headers },
            signal,
          }));
      if (signal.aborted) return;
      setState({ kind: 'answered', result });
      await keep({ key: capability.key, input: filled, status: result.status, at: Date.now() });
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: toMessage(error, target) });
    }
  };
  return {
    state,
    problems,
    history,
    send: async ({ isChecked }) => {
      if (running.current !== undefined) return new Map();
      const controller = new AbortController();
      running.current = { controller, target };
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
      setState({
        kind: 'cancelled',
        isOnServer,
        afterMs: state.kind === 'running' ? Date.now() - state.startedAt : 0,
      });
    },
  };
}

/** The calls of a project, the last one first. */
function usePastCalls(root: string) {
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  useEffect(() => void readCallHistory(root).then(setHistory), [root]);
  return { history, keep: async (call: PastCall): Promise<void> => setHistory(await keepCall(root, call)) };
}

interface RunningCall {
  readonly controller: AbortController;
  readonly target: CallTarget;
}

/** How long the schema may take, milliseconds, before a call goes without it. */
const CHECK_MS = 5_000;

/** What the schema says of an input; nothing where it cannot be asked, for then the call says why. */
async function checkInput(session: Session, key: string, input: CallInput): Promise<ReadonlyMap<string, string>> {
  let fields: readonly FieldProblem[] = [];
  const asked = session.validate(key, input).then(
    (said) => void (fields = said),
    () => {},
  );
  await waitWithin(CHECK_MS, asked);
  return toProblemMap(fields);
}

/** Screens that call no server do not load its client. */
async function callRunning(capability: ManifestCapability, options: CallServerOptions): Promise<CallResult> {
  const { callServer } = await import('./run/call-server.ts');
  return callServer(capability, options);
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

interface Validation {
  readonly key: string;
  readonly input: CallInput;
  /** Another one is another schema. */
  readonly manifest: Manifest;
}

function useProblems(session: Session, { key, input, manifest }: Validation): ReadonlyMap<string, string> {
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const text = JSON.stringify(input);
  useEffect(() => {
    let isOld = false;
    session.validate(key, JSON.parse(text) as CallInput).then(
      (fields) => {
        if (!isOld) setProblems(toProblemMap(fields));
      },
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [session, key, text, manifest]);
  return problems;
}

/** The first problem of each field. */
function toProblemMap(fields: readonly FieldProblem[]): ReadonlyMap<string, string> {
  return new Map(fields.toReversed().map(({ path, message }) => [path, toShortMessage(message)]));
}

/** What zod says of a field that is missing, as a form says it. */
function toShortMessage(message: string): string {
  return /^Invalid input: expected .+, received undefined$/.test(message) ? 'required' : message;
}
