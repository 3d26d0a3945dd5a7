import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { toInputName } from '../../modules/module-graph.ts';

type Inputs = Metafile['inputs'];

/** Each of the words that lead to another file, or tell that a file is CommonJS. One in a text or a comment counts too. */
const LEADING = /\b(?:import|from|require|module|exports|__dirname|__filename)\b/;

/**
 * The files, by their absolute paths, that neither imported anything when they were known nor do now: a build need not be asked what has
 * changed in the graph. Gives their inputs, by their names in the build.
 */
export function findLoneFiles(
  paths: readonly string[],
  known: Inputs,
  root: string,
): ReadonlyMap<string, Inputs[string]> {
  const lone = new Map<string, Inputs[string]>();
  for (const path of paths) {
    const id = toInputName(path, root);
    const input = known[id];
    // JSX imports what nobody has written.
    if (input?.format !== 'esm' || !/\.m?[jt]s$/.test(path)) continue;
    // esbuild's own helpers are named among what is imported.
    if (input.imports.some((each) => each.path !== '<runtime>')) continue;
    const text = readText(path);
    if (text !== undefined && !LEADING.test(text)) lone.set(id, { ...input, bytes: Buffer.byteLength(text) });
  }
  return lone;
}

/** Undefined where it is gone by now. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
