import type { ChildProcess } from 'node:child_process';

/**
 * Ends the process (by default with the exit code of an interrupt, else 0) after its output has left it and its
 * children have ended. It does not wait for what user code left open: a command that is done is done.
 */
export async function endProcess(exitCode: number | undefined): Promise<never> {
  await Promise.all([...[process.stdout, process.stderr].map(written), endChildren()]);
  process.exit(exitCode ?? process.exitCode);
}

/** Runs a task when this process ends, also by user code, until the returned function is called. */
export function atExit(task: () => void): () => void {
  process.once('exit', task);
  return () => void process.off('exit', task);
}

/**
 * Ends the process where its output cannot be written: quietly when the reader went away (`capix list | head -1`), else
 * (a full disk) with the reason and exit code 1.
 */
export function endOnFailedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit();
      if (stream === process.stdout)
        process.stderr.write(`error: The output could not be written: ${message}.\n`);
      process.exit(1);
    });
  }
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}

/** Processes that have not ended yet, and do not end by themselves. */
const running = new Set<ChildProcess>();

/** Has `endChildren` end a process that this one has started. */
export function endsWithProcess(child: ChildProcess): void {
  running.add(child.once('exit', () => running.delete(child)));
}

/** Ends every process that was handed to `endsWithProcess`. Resolves when all have ended. */
export async function endChildren(): Promise<void> {
  // While some end, another may be started: by a timer, or because one of them has ended.
  while (running.size > 0) await Promise.all([...running].map(endChild));
}

/** Processes that lead a group, with which whoever started them ends them. */
const leading = new Set<ChildProcess>();

/** Has `killChildren` end a process with all that it has started. */
export function leadsGroup(leader: ChildProcess): void {
  leading.add(leader.once('exit', () => leading.delete(leader)));
}

/** Ends all processes where nothing may be waited for. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const leader of leading) killGroup(leader);
}

function killGroup(leader: ChildProcess): void {
  try {
    // Windows has no groups.
    if (leader.pid === undefined || process.platform === 'win32') leader.kill('SIGKILL');
    else process.kill(-leader.pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function endChild(child: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => void child.once('exit', resolve));
  child.kill('SIGKILL');
  return ended;
}

/** Gives errors that nobody caught (in a timer, in a promise) to `onError`, until the returned function is called. */
export function catchUncaught(onError: (error: Error) => void): () => void {
  const report = (thrown: unknown): void =>
    onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  return () => {
    process.off('uncaughtException', report);
    process.off('unhandledRejection', report);
  };
}
