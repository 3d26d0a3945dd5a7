import { readFile } from 'node:fs/promises';
import type { Terminal } from '../terminal/terminal.ts';
import { openEditor } from './open-editor.ts';
import { withTextFile } from './with-text-file.ts';

export interface EditedText {
  /** Tells the editor what it is: `input.jsonc`. */
  readonly name: string;
  readonly text: string;
  /** The position of the cursor, from 1. */
  readonly line?: number | undefined;
}

/**
 * Has a text edited in the user's editor, in a file that nobody else can read and that is gone afterwards. Gives what was saved, or what went
 * wrong. The terminal must be free.
 */
export function editInEditor(
  { name, text, line }: EditedText,
  terminal: Pick<Terminal, 'environment'>,
): Promise<{ readonly text: string } | { readonly failure: string }> {
  return withTextFile({ name, text }, async (file) => {
    const failure = await openEditor({ file, line }, terminal);
    return failure === undefined ? { text: await readFile(file, 'utf8') } : { failure };
  });
}
