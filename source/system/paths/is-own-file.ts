import { statSync } from 'node:fs';

/** Whether a file is of the user of this process; on Windows, where files have no such number, always. */
export function isOwnFile(path: string): boolean {
  return process.getuid === undefined || statSync(path).uid === process.getuid();
}
