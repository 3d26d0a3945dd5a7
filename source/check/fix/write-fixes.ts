import { readFile } from 'node:fs/promises';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { expectInside } from '../../files/expect-inside.ts';
import { toWriteError } from '../../files/write-error.ts';
import { writeFiles } from '../../files/write-files.ts';
import { toProjectPath } from '../../manifest/project.ts';
import type { FilePlan } from './plan-fixes.ts';

/**
 * Writes what was planned: all files or none, each whole.
 *
 * @throws CliError `FileChanged` where a file is not what the plan was made of, `LeadsOutside`, `WriteFailed`
 */
export async function writeFixes(plans: readonly FilePlan[], root: string): Promise<void> {
  expectInside(
    plans.map(({ file }) => file),
    { folder: root, called: 'the project' },
  );
  for (const { file, before } of plans) {
    if ((await readFile(file, 'utf8')) !== before)
      throw createCliError('FileChanged', { file: toProjectPath(file, root) });
  }
  try {
    await writeFiles(plans.map(({ file, after }) => ({ file, text: after })));
  } catch (error) {
    throw toWriteError(error, { from: root });
  }
}
