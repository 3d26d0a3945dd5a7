import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../terminal/terminal.ts';
import { openEditor } from './open-editor.ts';
import { runInTerminal } from './run-in-terminal.ts';

export interface EditedText {
  /** Tells the editor what it is: `input.jsonc`. */
  readonly name: string;
  readonly text: string;
  /** The position of the cursor, from 1. */
  readonly line?: number | undefined;
}

/**
 * Has a text edited in the user's editor, in a file that nobody else can read and that is gone afterwards. Gives what
 * was saved, or what went wrong. The terminal must be free.
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

/**
 * Shows a text in the user's pager, `$PAGER` or less, and resolves when it has ended. Gives what went wrong, undefined
 * where nothing did. The terminal must be free.
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

/** Runs a task with the path of a private file that has a text and is gone afterwards. */
async function withTextFile<Result>(
  { name, text }: { readonly name: string; readonly text: string },
  task: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'capix-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    return await task(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
