import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';

const made = new Set<string>();

/** Makes an empty folder, without symbolic links in its path. It goes when the tests of the file are over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'capix-test-')));
  made.add(folder);
  return folder;
}

cleanUp.afterEachFile.add(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  made.clear();
});
