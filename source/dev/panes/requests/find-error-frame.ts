import { readFile } from 'node:fs/promises';
import { toCodeFrame } from '../../../manifest/code-frame.ts';
import { findErrorPlace } from '../../../manifest/places/find-source-place.ts';
import { toProjectPath } from '../../../manifest/project.ts';

/** The project's lines around the place where an error was thrown; undefined where it was thrown elsewhere. */
export async function findErrorFrame(stack: string | undefined, root: string): Promise<string | undefined> {
  const place = findErrorPlace(stack, root);
  if (place === undefined) return undefined;
  try {
    const frame = toCodeFrame({ ...place, text: await readFile(place.file, 'utf8') });
    return `${toProjectPath(place.file, root)}:${place.line}\n${frame}`;
  } catch {
    return undefined; // The stack says where it was.
  }
}
