import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all, and the folders above it: a reader, or a watcher, never sees half of it. An existing file is replaced
 * and keeps its mode. Rejects with what the file system says.
 */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const mode = (await stat(path).catch(() => undefined))?.mode;
  const draft = join(folder, `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    await writeFile(draft, text, mode === undefined ? {} : { mode });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
