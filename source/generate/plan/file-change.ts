import { expectInside } from '../../files/expect-inside.ts';
import { toWriteError } from '../../files/write-error.ts';
import { writeFiles } from '../../files/write-files.ts';
import type { Project } from '../../manifest/project.ts';

/** A file that a command writes: a new one, or one that gets another text. */
export interface FileChange {
  readonly kind: 'created' | 'changed';
  /** Absolute path. */
  readonly file: string;
  /** The path from the project's folder, with forward slashes. */
  readonly path: string;
  /** The whole new text. */
  readonly text: string;
  /** The line that was added, where the rest stays as it was. */
  readonly line?: string;
}

/**
 * Checks that no link on the way to what is to be written leads out of the project.
 *
 * @throws CliError `LeadsOutside`
 */
export function expectInProject(changes: readonly FileChange[], { root }: Project): void {
  expectInside(
    changes.map(({ file }) => file),
    { folder: root, called: 'the project' },
  );
}

/**
 * Writes the changes one after the other, each whole, or none of them. In their order every import finds its file, also while a server watches.
 *
 * @throws CliError `WriteFailed`
 */
export async function writeChanges(changes: readonly FileChange[], { root }: Project): Promise<void> {
  try {
    await writeFiles(changes);
  } catch (error) {
    throw toWriteError(error, { from: root });
  }
}
