import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toCodeFrame } from '../../../manifest/code-frame.ts';
import { findSourcePlace } from '../../../manifest/find-source-place.ts';
import { toProjectPath } from '../../../manifest/project.ts';
import { packageRoot } from '../../../package-root.ts';

/** The lines of the project around the place where an error was thrown; undefined where it was not thrown in the project. */
export function findErrorFrame(stack: string | undefined, root: string): string | undefined {
  const place = findSourcePlace(stack, { root, except: join(packageRoot(), 'dist') });
  if (place === undefined) return undefined;
  try {
    const frame = toCodeFrame({ ...place, text: readFileSync(place.file, 'utf8') });
    return `${toProjectPath(place.file, root)}:${place.line}\n${frame}`;
  } catch {
    return undefined; // The stack says where it was.
  }
}
