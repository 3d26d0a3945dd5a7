import type { Command } from 'commander';
import { toUsageError } from './to-usage-error.ts';

/**
 * An option that both the root and a command have may stand before the command too: `capix --config x.ts list`. After it wins.
 *
 * @throws CliError for one that the command does not have
 */
export function takeEarlierOptions(command: Command): void {
  const { parent } = command;
  for (const option of parent?.options ?? []) {
    const name = option.attributeName();
    if (parent?.getOptionValueSource(name) !== 'cli') continue;
    if (!command.options.some((own) => own.attributeName() === name))
      throw toUsageError(`unknown option '${option.long}'`, command);
    if (command.getOptionValueSource(name) !== 'cli')
      command.setOptionValueWithSource(name, parent.getOptionValue(name), 'cli');
  }
}
