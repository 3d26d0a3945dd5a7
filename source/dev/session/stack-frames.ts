import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../package-root.ts';

const library = `${pathToFileURL(join(packageRoot(), 'dist', 'server-runtime')).href}/`;

/** Lines of output with one line for adjoining stack frames of the library, which are rarely at fault. */
export function foldFrames(lines: readonly string[]): readonly string[] {
  return foldLogFrames(lines.map((text) => ({ text }))).map(({ text }) => text);
}

/** The same for lines that are more than a text; the line that stands for frames is like the last one of them. */
export function foldLogFrames<Log extends { readonly text: string }>(logs: readonly Log[]): readonly Log[] {
  const folded: Log[] = [];
  let hidden: Log[] = [];
  const end = (): void => {
    const last = hidden.at(-1);
    const frames = hidden.length === 1 ? 'one frame' : `${hidden.length} frames`;
    if (last !== undefined) folded.push({ ...last, text: `    at ${frames} of capix` });
    hidden = [];
  };
  for (const log of logs) {
    if (/^\s+at /.test(log.text) && log.text.includes(library)) hidden.push(log);
    else {
      end();
      folded.push(log);
    }
  }
  end();
  return folded;
}

const toolFolders = ['source', 'chunks'].map((folder) => `${pathToFileURL(join(packageRoot(), 'dist', folder)).href}/`);

/** Whether a line is a stack frame of what observes the server: it is not there without `capix dev`. */
export function isToolFrame(line: string): boolean {
  return /^\s+at /.test(line) && toolFolders.some((folder) => line.includes(folder));
}
