import { toFailure } from '../../server-runtime/errors/failure.ts';
import type { Outcome } from '../../server-runtime/errors/outcome.ts';
import type { PlainProps } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { runUserCode } from '../system/run-user-code.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';
import { toCallText, toFailureJson, toFailureText } from './call-text.ts';
import { invokeToEnd } from './run/invoke-to-end.ts';
import { readInput } from './run/read-input.ts';

export interface CallCommandOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly json: boolean;
}

/** `capix call <capability> [input]`: the value as JSON on stdout; a refusal on stderr, or on stdout with `--json`, and exit code 1. */
export default async function callCommand({
  options,
  args: [key, given],
  terminal,
}: PlainProps<CallCommandOptions, [string, (string | undefined)?]>): Promise<number> {
  const { registry } = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  expectCapability(key, registry.operations);
  const input = await readInput(given, terminal);
  const outcome = await runUserCode(() => invokeToEnd({ registry, capability: key, input }), 'call').catch(
    (thrown: unknown): Outcome => ({ ok: false, failure: toFailure(thrown) }),
  );
  if (outcome.ok) {
    terminal.writeOut(options.json ? escapeJson(toJsonOutput(outcome.value)) : toCallText(outcome.value));
    return exitCodes.done;
  }
  if (options.json) terminal.writeOut(toFailureJson(outcome.failure));
  else terminal.writeError(toFailureText(outcome.failure));
  return exitCodes.failed;
}
