import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../package-root.ts';

const capixCode = `${pathToFileURL(join(packageRoot(), 'dist')).href}/`;

/** Whether a line is a stack frame of capix: of the library, rarely at fault, or of what observes the server. */
export function isCapixFrame(line: string): boolean {
  return /^\s+at /.test(line) && line.includes(capixCode);
}
