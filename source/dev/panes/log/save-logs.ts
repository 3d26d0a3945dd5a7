import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogBuffer } from './log-buffer.ts';

/** Writes the log, as the server wrote it, to a new file in a folder. Gives the file's name. */
export async function saveLogs(logs: LogBuffer, folder: string): Promise<string> {
  const name = `capix-dev-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.log`;
  const text = logs.filter(() => true).map((line) => `${line.text}\n`);
  await writeFile(join(folder, name), text.join(''), { flag: 'wx' });
  return name;
}
