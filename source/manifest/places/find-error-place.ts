import { join } from 'node:path';
import { packageRoot } from '../../package-root.ts';
import { findSourcePlace, type SourcePlace } from './find-source-place.ts';

/** The place in the project that a stack comes from, also a stack inside of a line of JSON; undefined where none of it is the project's. */
export function findErrorPlace(text: string | undefined, root: string): SourcePlace | undefined {
  return findSourcePlace(text?.replaceAll(String.raw`\n`, '\n'), { root, except: join(packageRoot(), 'dist') });
}
