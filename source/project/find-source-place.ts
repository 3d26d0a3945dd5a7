import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A place in a source file. */
export interface SourcePlace {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** The innermost frame of a stack that lies in the project's own code; undefined where none does. */
export function findSourcePlace(stack: string | undefined, root: string): SourcePlace | undefined {
  for (const line of stack?.split('\n') ?? []) {
    const place = matchFrame(line);
    if (place !== undefined && isOwnCode(place.file, root)) return place;
  }
  return undefined;
}

/** `    at name (/path/file.ts:3:9)` or `    at file:///path/file.ts:3:9`. */
function matchFrame(line: string): SourcePlace | undefined {
  const match = /^\s+at (?:.*\()?(?:async )?(.+?):(\d+):(\d+)\)?$/.exec(line);
  if (match?.[1] === undefined) return undefined;
  const file = match[1].startsWith('file://') ? fileURLToPath(match[1]) : match[1];
  return isAbsolute(file) ? { file, line: Number(match[2]), column: Number(match[3]) } : undefined;
}

/** Also a package of the same workspace, which lies beside the project. */
function isOwnCode(file: string, root: string): boolean {
  return !/[\\/]node_modules[\\/]/.test(relative(root, file));
}
