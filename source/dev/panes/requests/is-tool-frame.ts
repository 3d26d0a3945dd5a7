import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../package-root.ts';

const toolFolders = ['source', 'chunks'].map((folder) => `${pathToFileURL(join(packageRoot(), 'dist', folder)).href}/`);

/** Whether a line is the frame of a stack that lies in what looks on at the server: it is not there without `capix dev`. */
export function isToolFrame(line: string): boolean {
  return /^\s+at /.test(line) && toolFolders.some((folder) => line.includes(folder));
}
