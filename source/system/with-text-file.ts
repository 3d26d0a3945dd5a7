import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a task with the absolute path of a file that has a text, that nobody else can read, and that is gone afterwards. */
export async function withTextFile<Result>(
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
