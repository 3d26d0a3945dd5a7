import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../package-root.ts';

const toolFolders = ['source', 'chunks'].map((folder) => `${pathToFileURL(join(packageRoot(), 'dist', folder)).href}/`);

/** Whether a line is a stack frame of what observes the server: it is not there without `capix dev`. */
export function isToolFrame(line: string): boolean {
  return /^\s+at /.test(line) && toolFolders.some((folder) => line.includes(folder));
}
