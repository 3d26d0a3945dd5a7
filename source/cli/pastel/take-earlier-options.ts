import type { Command } from 'commander';
import { toUsageError } from './to-usage-error.ts';

/**
 * An option that a command shares with one above it may stand before the command too: `capix --config x.ts list`. After
 * it wins.
 *
 * @throws CliError for one that the command does not have
 */
export function takeEarlierOptions(command: Command): void {
  for (let above = command.parent; above; above = above.parent) takeOptions(command, above);
}

function takeOptions(command: Command, above: Command): void {
  for (const option of above.options) {
    const name = option.attributeName();
    if (above.getOptionValueSource(name) !== 'cli') continue;
    if (!command.options.some((own) => own.attributeName() === name))
      throw toUsageError(`unknown option '${option.long}'`, command);
    if (command.getOptionValueSource(name) !== 'cli')
      command.setOptionValueWithSource(name, above.getOptionValue(name), 'cli');
  }
}
