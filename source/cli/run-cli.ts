import { CommanderError } from 'commander';
import Pastel from 'pastel';
import { packageInfo } from '../package-info.ts';
import { asksForJson } from '../terminal/asks-for-json.ts';
import { endOnFailedOutput, endProcess } from '../terminal/end-process.ts';
import { interruptExitCode, terminal } from '../terminal/terminal.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { reportFailure } from './errors/report-failure.ts';
import { currentRun } from './pastel/current-run.ts';
import { toFieldHelp } from './to-field-help.ts';
import { toNodeOptions } from './to-node-options.ts';

/**
 * Runs the command that `argv` names and ends the process with its exit code. `importMeta` is that of the entry: Pastel finds `commands/`
 * beside it. `refusal`: what was wrong with the words before.
 */
export async function runCli(argv: readonly string[], importMeta: ImportMeta, refusal?: Error): Promise<never> {
  endOnFailedOutput();
  try {
    if (refusal !== undefined) throw refusal;
    await new Pastel({ importMeta, ...packageInfo }).run([...toFieldHelp(toNodeOptions(argv))]);
    return await endProcess(await currentRun.finished);
  } catch (thrown) {
    if (isAbort(thrown) && interruptExitCode() !== undefined) return await endProcess(interruptExitCode());
    if (thrown instanceof CommanderError) return await endProcess(toExitCode(thrown));
    return await endProcess(reportFailure(thrown, { terminal, asJson: asksForJson(argv) }));
  }
}

/** The error that a promise throws that was given the signal of the interrupt: the end that was asked for. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** Commander ends by throwing after it wrote help or version. Help on stderr, for a group without a command, is wrong usage. */
function toExitCode({ exitCode }: CommanderError): number {
  return exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
