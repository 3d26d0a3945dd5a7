import { randomUUID } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProcessId } from '../../system/own-process-id.ts';

/**
 * The time of the file system of a folder, milliseconds since 1970: its clock may be another than that of this machine, or that may have been put forward.
 * Undefined where nothing can be written. The file that tells it comes and goes at once: this process could end between.
 */
export function readFolderTime(folder: string): number | undefined {
  const file = join(folder, `${ownProcessId}-${randomUUID()}.mjs`);
  try {
    writeFileSync(file, '');
    return statSync(file).mtimeMs;
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}
