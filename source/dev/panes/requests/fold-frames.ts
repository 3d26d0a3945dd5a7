import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../package-root.ts';

const library = `${pathToFileURL(join(packageRoot(), 'dist', 'server-runtime')).href}/`;

/** Lines of output with one line for frames of a stack that follow one another in the library: nobody looks for a fault there first. */
export function foldFrames(lines: readonly string[]): readonly string[] {
  const folded: string[] = [];
  let count = 0;
  const end = (): void => {
    if (count > 0) folded.push(`    at ${count === 1 ? 'one frame' : `${count} frames`} of capix`);
    count = 0;
  };
  for (const line of lines) {
    if (/^\s+at /.test(line) && line.includes(library)) count += 1;
    else {
      end();
      folded.push(line);
    }
  }
  end();
  return folded;
}
