import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import type { StartValues } from '../flags/serve-flags.ts';
import { toEnvFiles, toListenVariables } from '../load/env-files.ts';
import { expectServerEntry } from '../load/expect-project.ts';
import { readVariables } from '../system/read-variables.ts';
import { interruptExitCode, interruptExitCodes, onHangUp } from '../terminal/terminal.ts';
import { type StartEvent, toEndText, toStartJson, toStartText } from './start-text.ts';
import { WorkerPool } from './worker-pool.ts';
import { createWorkerStarter } from './worker-process.ts';

/**
 * `capix start`: the built server in several processes behind one port, until Ctrl-C or SIGTERM. SIGHUP replaces them
 * one by one. Gives 0 where all ended in time after SIGTERM.
 */
export default async function startCommand({
  options,
  args: [entry],
  terminal,
}: PlainProps<StartValues, [entry?: string | undefined]>): Promise<number | undefined> {
  const { workers = availableParallelism(), json } = options;
  const workingDirectory = terminal.workingDirectory();
  const { root, entryFile: file } = expectServerEntry(entry, workingDirectory, true);
  const mode = terminal.environment['NODE_ENV'] || 'production';
  const envFiles = toEnvFiles(root, { envFile: options.envFile, workingDirectory, mode });
  const interrupted = terminal.interruptSignal();

  const pool = new WorkerPool({
    count: workers,
    startWorker: createWorkerStarter({
      entry: file,
      startMs: 1000 * (options.startTimeout ?? 30),
      hangMs: 1000 * (options.hangTimeout ?? 30),
      // Longer than `server.stop()` waits by default.
      graceMs: 1000 * (options.stopGrace ?? 15),
      ownsStdout: json,
      nodeOptions: options.nodeOption ?? [],
      environment: () => ({
        ...terminal.environment,
        ...readVariables(envFiles),
        NODE_ENV: mode,
        ...toListenVariables(options),
      }),
    }),
    report: (event) => report(event),
  });
  const report = (event: StartEvent): void => {
    const isFault = event.kind === 'worker-ended' || event.kind === 'restart-failed';
    if (json) terminal.writeOut(`${toStartJson(event, new Date())}\n`);
    else if (isFault) terminal.writeError(`${toStartText(event)}\n`);
    else terminal.writeOut(`${toStartText(event)}\n`);
  };
  onHangUp(() => void pool.restart());

  const ended = new Promise<void>((resolve) =>
    interrupted.addEventListener('abort', () => resolve(), { once: true }),
  );
  const failed = await Promise.race([pool.start(), ended]);
  if (failed !== undefined) {
    await pool.stop();
    throw createCliError('NoServer', {
      file: relative(workingDirectory, file),
      how: toEndText(failed),
    });
  }
  report({ kind: 'stopping' });
  const isInTime = await pool.stop();
  return isInTime && interruptExitCode() === interruptExitCodes.SIGTERM
    ? exitCodes.done
    : undefined;
}
