import type { Terminal } from '../terminal/terminal.ts';
import type { EditedText } from './edit-in-editor.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { withTextFile } from './with-text-file.ts';

/**
 * Shows a text in the user's pager, `$PAGER` or less, and resolves when it has ended. Gives what went wrong, undefined where nothing did. The
 * terminal must be free.
 */
export function openInPager(
  { name, text }: Pick<EditedText, 'name' | 'text'>,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<string | undefined> {
  const command = environment['PAGER'] || (process.platform === 'win32' ? 'more' : 'less');
  return withTextFile({ name, text }, (file) =>
    // With -F, which many have in LESS, a short text would be gone before it is read.
    runInTerminal(command, () => [file], { environment: { ...environment, LESS: '-R' } }),
  );
}
