import { join } from 'node:path';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FieldProblem } from '../../server-runtime/schema/validator.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import { toEnvFiles } from '../load/env-files.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import { waitWithin } from '../system/wait-within.ts';
import type { CallInput } from './run/call-input.ts';
import type { CallResult } from './run/call-protocol.ts';
import type { CallServerOptions } from './run/call-server.ts';
import { type CallSession, startCallSession } from './run/call-session.ts';
import type { RequestHeaders } from './run/request-headers.ts';

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
  /** Missing calls in a process of the tool. */
  readonly baseUrl: string | undefined;
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
  const { capability, manifest, filled, input, headers, baseUrl } = options;
  const { project } = manifest;
  const session = useSession(manifest);
  const problems = useProblems(session, { key: capability.key, input, manifest });
  const [state, setState] = useState<CallState>({ kind: 'none' });
  const [history, setHistory] = useState<readonly PastCall[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => void readCallHistory(project.root).then(setHistory), [project.root]);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      const result = await (baseUrl === undefined
        ? session.call(capability.key, input, headers)
        : callRunning(capability, { baseUrl, input, headers, signal }));
      if (signal.aborted) return;
      setState({ kind: 'answered', result });
      const call = { key: capability.key, input: filled, status: result.status, at: Date.now() };
      setHistory(await keepCall(project.root, call));
    } catch (error) {
      if (!signal.aborted) setState({ kind: 'failed', message: toMessage(error) });
    }
  };
  return {
    state,
    problems,
    history,
    send: async ({ isChecked }) => {
      if (running.current !== undefined) return new Map();
      const controller = new AbortController();
      running.current = controller;
      setState({ kind: 'running', startedAt: Date.now() });
      try {
        const wrong = isChecked ? await checkInput(session, capability.key, input) : new Map<string, string>();
        if (wrong.size === 0) await run(controller.signal);
        else if (!controller.signal.aborted) setState(state);
        return controller.signal.aborted ? new Map() : wrong;
      } finally {
        if (running.current === controller) running.current = undefined;
      }
    },
    cancel: () => {
      running.current?.abort();
      running.current = undefined;
      if (baseUrl === undefined) session.restart();
      setState({
        kind: 'cancelled',
        isOnServer: baseUrl !== undefined,
        afterMs: state.kind === 'running' ? Date.now() - state.startedAt : 0,
      });
    },
  };
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

function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** The code as it is now, in a process that is there for as long as the screen is. */
type Session = Pick<CallSession, 'validate' | 'call'> & {
  /** Ends what it does, whatever that is. */
  readonly restart: () => void;
};

function useSession(manifest: Manifest): Session {
  const { name, root, config } = manifest.project;
  const { terminal, envFile } = useScreen();
  const running = useRef<CallSession>(undefined);
  const session = useMemo((): Session => {
    const start = (): CallSession => {
      const started = startCallSession({
        project: { name, root, configFile: join(root, config) },
        envFiles: toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() }),
        onExit: () => {
          if (running.current === started) running.current = undefined;
        },
      });
      return started;
    };
    const current = (): CallSession => (running.current ??= start());
    return {
      validate: (...asked) => current().validate(...asked),
      call: (...asked) => current().call(...asked),
      restart: () => {
        running.current?.end();
        running.current = undefined;
      },
    };
  }, [name, root, config, envFile, terminal]);
  useEffect(() => session.restart, [session, manifest]);
  return session;
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
