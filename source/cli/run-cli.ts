import { CommanderError } from 'commander';
import Pastel from 'pastel';
import { packageInfo } from '../package-info.ts';
import { endOnFailedOutput, endProcess } from '../terminal/end-process.ts';
import { keepStdout, runApart } from '../terminal/keep-stdout.ts';
import { interruptExitCode, terminal } from '../terminal/terminal.ts';
import { exitCodes } from './cli-errors.ts';
import { currentRun } from './create-command.ts';
import { isServing, ownsStdout } from './json-output.ts';
import { reportFailure } from './report-failure.ts';

/** Runs the command that `argv` names, and ends the process. */
export async function runCli(argv: readonly string[]): Promise<never> {
  if (ownsStdout(argv) && !keepStdout()) return runApart(argv);
  endOnFailedOutput();
  try {
    await new Pastel({ importMeta: import.meta, ...packageInfo }).run([...toNodeOptions(argv)]);
    return await endProcess(await currentRun.finished);
  } catch (thrown) {
    const interrupted = interruptExitCode();
    // A promise that has the signal of the interrupt rejects with this. The user wanted this end.
    if (interrupted !== undefined && Object(thrown).name === 'AbortError')
      return await endProcess(interrupted);
    // Commander ends by throwing after help or version. Help on stderr, for a lone group, is wrong usage.
    if (thrown instanceof CommanderError)
      return await endProcess(thrown.exitCode === 0 ? exitCodes.done : exitCodes.usage);
    return await endProcess(reportFailure(thrown, { terminal, argv }));
  }
}

/** The words with what stands behind `--` as options of Node: `capix start -- --import ./otel.mjs`. */
function toNodeOptions(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--');
  if (at === -1 || !isServing(argv)) return argv;
  return [...argv.slice(0, at), ...argv.slice(at + 1).map((option) => `--node-option=${option}`)];
}
