import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { compiledFile } from '../package-root.ts';
import { type ChildChannel, startChild } from '../system/child-channel.ts';
import { readLines } from '../system/read-lines.ts';
import { waitWithin } from '../system/timing.ts';
import type { ServerMessage, ServerProtocol } from './server-message.ts';

export interface ServerProcessOptions {
  /** Absolute path that the user's code sees as `process.argv[1]`. */
  readonly entryFile: string;
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options of Node, such as `--inspect`. */
  readonly nodeOptions: readonly string[];
  readonly onMessage: (message: ServerMessage) => void;
  readonly onOutput: (output: ProcessOutput) => void;
}

export interface ProcessOutput {
  readonly stream: 'stdout' | 'stderr';
  /** Without line feeds; as the code wrote them, escape sequences and all. */
  readonly lines: readonly string[];
}

/** The time for which output may come after the process is gone, from its children, milliseconds. */
const LATE_OUTPUT_MS = 1_000;

/**
 * Starts a process that is to run the user's server. `exited` resolves when all that it has started is gone, too, and
 * all of its output and messages were given.
 */
export function startServerProcess(options: ServerProcessOptions): ChildChannel<ServerProtocol> {
  const { entryFile, workingDirectory, environment, nodeOptions, onMessage, onOutput } = options;
  const { channel, process: child } = startChild<ServerProtocol>(compiledFile('serve/dev-child.js'), {
    output: 'pipe',
    arguments: [entryFile],
    // What its code starts loads TypeScript too.
    execArgv: ['--import', pathToFileURL(compiledFile('load/hooks/run-code-child.js')).href, ...nodeOptions],
    cwd: workingDirectory,
    env: environment,
    // Ctrl-C reaches this process only, which then ends the child; when this process is gone, the child sees its
    // channel close.
    detached: process.platform !== 'win32',
    onNote: onMessage,
  });
  const closed = Promise.all([once(child, 'close'), once(child, 'disconnect')]).catch(() => {});
  for (const stream of ['stdout', 'stderr'] as const) {
    const output = child[stream];
    if (output !== null) readLines(output, (lines) => onOutput({ stream, lines }));
  }
  const exited = channel.exited.then(async (exit) => {
    if (child.pid !== undefined) await endProcessGroup(child.pid);
    // Not for ever: a subprocess that the server has set apart keeps its output open.
    await waitWithin(LATE_OUTPUT_MS, closed);
    return exit;
  });
  return { ...channel, exited };
}

/** The time that processes may take to end in their own way, milliseconds. */
const GRACE_MS = 1_000;
const LOOK_EVERY_MS = 20;

/**
 * Ends what a process has started and left behind: all that is still in its group, by SIGTERM and then by SIGKILL.
 * Resolves when the group is empty, at once where it was. Does nothing on Windows, which has no groups.
 */
async function endProcessGroup(group: number): Promise<void> {
  if (process.platform === 'win32') return;
  const endAt = performance.now() + GRACE_MS;
  for (let isThere = signalGroup(group, 'SIGTERM'); isThere; isThere = signalGroup(group, 0)) {
    if (performance.now() > endAt) return void signalGroup(group, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Whether there is such a group; 0 asks only. */
function signalGroup(group: number, signalName: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signalName);
  } catch {
    return false;
  }
}
