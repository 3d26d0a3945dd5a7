import { findNearest } from '../../../server-runtime/errors/find-nearest.ts';
import type { CommandHelp } from '../../cli/command-help.ts';
import { usageError } from '../../cli/errors/cli-error.ts';

const inFile = 'A saved call has its input in its file, in `calls`.';

/**
 * Refuses the words after `--all` or `@name`: an option that does not exist, or an input that would be dropped.
 *
 * @throws CliError `Usage` with what may be meant
 */
export function expectNoInput(words: readonly string[], help: CommandHelp): void {
  const [word] = words;
  if (word === undefined) return;
  if (!word.startsWith('--')) throw usageError(`argument '${word}': a saved call takes none`, inFile);
  const [name = ''] = word.split('=');
  const options = help.program().commands.find((command) => command.name === 'call')?.options ?? [];
  const nearest = findNearest(
    name,
    options.flatMap(({ names }) => names),
  );
  throw usageError(`unknown option '${name}'`, nearest ? `Did you mean \`${nearest}\`?` : inFile);
}
