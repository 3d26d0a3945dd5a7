import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { endProcessGroup } from '../system/end-process-group.ts';
import { readLines } from '../system/read-lines.ts';
import { waitWithin } from '../system/wait-within.ts';
import type { ServerMessage, ServerOrder } from './server-message.ts';

export interface ServerProcessOptions {
  /** Absolute path of the compiled `dev-child`. */
  readonly childFile: string;
  /** Absolute path that the user's code sees as `process.argv[1]`. */
  readonly entryFile: string;
  readonly workingDirectory: string;
  /** All of its environment. */
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

/** How a process ended: one of the two is known. */
export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signalName: string | undefined;
}

/** A process that runs the user's server, or waits to. */
export interface ServerProcess {
  /** Also the id of its group, but on Windows; undefined where it could not be started. */
  readonly pid: number | undefined;
  /** False when the message cannot reach it; a socket is then still the caller's. */
  readonly send: (message: ServerOrder, socket?: Socket) => boolean;
  /** Resolves when it is gone, with all that it has started, and all of its output was given. */
  readonly exited: Promise<ProcessExit>;
  /** Asks it to end with SIGTERM, and ends it after `graceMs` milliseconds. Resolves when it is gone. */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** How long output may come after the process is gone, from what it has started and set apart, milliseconds. */
const LATE_OUTPUT_MS = 1_000;

export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { execa } = await import('execa');
  const { childFile, entryFile, workingDirectory, environment, nodeOptions } = options;
  const child = execa(process.execPath, [...nodeOptions, childFile, entryFile], {
    cwd: workingDirectory,
    env: environment,
    extendEnv: false,
    ipc: true,
    serialization: 'json',
    stdin: 'ignore',
    buffer: false,
    reject: false,
    // Ctrl-C reaches this process only, which then ends the child; when this process is gone, the child sees its channel close.
    detached: process.platform !== 'win32',
  });
  child.on('message', (message) => options.onMessage(message as ServerMessage));
  // A message to a child that is just ending; its end is seen anyway.
  child.on('error', () => {});
  if (child.stdout !== null) readLines(child.stdout, (lines) => options.onOutput({ stream: 'stdout', lines }));
  if (child.stderr !== null) readLines(child.stderr, (lines) => options.onOutput({ stream: 'stderr', lines }));

  const exited = waitForExit(
    child,
    child.then(() => {}),
  );
  return {
    pid: child.pid,
    send: (message, socket) => {
      if (!child.connected) return false;
      child.send(message, socket as never);
      return true;
    },
    exited,
    stop: async (graceMs) => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Does not wait for ever for the output, which a subprocess that the server has set apart keeps open. */
async function waitForExit(child: ChildProcess, closed: Promise<void>): Promise<ProcessExit> {
  await Promise.race([once(child, 'exit'), closed]);
  if (child.pid !== undefined) await endProcessGroup(child.pid);
  await waitWithin(LATE_OUTPUT_MS, closed);
  return { exitCode: child.exitCode ?? undefined, signalName: child.signalCode ?? undefined };
}
