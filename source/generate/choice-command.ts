import { usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';

/** `capix generate` alone, without a terminal: nobody is there to be asked what. */
export default function choiceCommand({ options, terminal, help }: PlainProps<{ readonly json: boolean }>): number {
  if (options.json)
    throw usageError(
      'Say what to generate: a capability or a group.',
      'Run `capix generate capability [group] <name>` or `capix generate group <name>`.',
    );
  terminal.writeError(help.text);
  return exitCodes.usage;
}
