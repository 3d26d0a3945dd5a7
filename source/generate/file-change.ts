import { writeFileWhole } from '../files/write-file.ts';

/** A file that a command writes: a new one, or one that gets another text. */
export interface FileChange {
  readonly kind: 'created' | 'changed';
  /** Absolute path. */
  readonly file: string;
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  /** The whole new text. */
  readonly text: string;
  /** The line that was added, where the rest stays as it was. */
  readonly line?: string;
}

/** Writes the changes one after the other, each whole. In their order every import finds its file, also while a server watches. */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  for (const { file, text } of changes) await writeFileWhole(file, text);
}
