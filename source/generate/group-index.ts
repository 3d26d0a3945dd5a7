import { readFile } from 'node:fs/promises';
import { createCliError } from '../cli/cli-error.ts';
import { toFileReason } from '../cli/report-failure.ts';

/** The module that lists what is in a group. */
export interface GroupIndex {
  /** Absolute path. */
  readonly file: string;
  /** The path from the project's folder. */
  readonly path: string;
  /** Undefined where there is no such file yet. */
  readonly text: string | undefined;
  /** Whether it has nothing but lines `export … from`: another one is left to its user. */
  readonly isList: boolean;
  /** The module that each name comes from: `'./users/index.js'`. */
  readonly exports: ReadonlyMap<string, string>;
  /** The names of its lines `export * as`. */
  readonly groups: ReadonlySet<string>;
  /** The end of its relative imports: `'.js'`, `'.ts'` or nothing. */
  readonly end: string;
}

/**
 * Reads an index. `end`: that of an index without a line.
 *
 * @throws CliError `ReadFailed`
 */
export async function readGroupIndex(place: Pick<GroupIndex, 'file' | 'path' | 'end'>): Promise<GroupIndex> {
  const text = await readTextIfThere(place.file, place.path);
  const code = (text ?? '').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const lines = [...code.matchAll(LINE)].map(([, group, names = '', , from = '']) => ({ group, names, from }));
  const named = lines.flatMap(({ group, names, from }) =>
    [group, ...names.split(',').map(toExportedName)].flatMap((name) => (name ? [[name, from] as const] : [])),
  );
  const last = lines.findLast(({ from }) => from.startsWith('.'));
  return {
    ...place,
    text,
    isList:
      code
        .replaceAll(LINE, '')
        .replaceAll(/\bexport\s*\{\s*\}\s*;?/g, '')
        .trim() === '',
    exports: new Map(named),
    groups: new Set(lines.flatMap(({ group }) => group ?? [])),
    end: last === undefined ? place.end : (/\.[cm]?[jt]s$/.exec(last.from)?.[0] ?? ''),
  };
}

const LINE = /\bexport\s+(?:type\s+)?(?:\*\s*(?:as\s+(\w+)\s*)?|\{([^}]*)\}\s*)from\s*(['"])([^'"]+)\3\s*;?/g;

/** `a as b` is exported as `b`. */
function toExportedName(specifier: string): string | undefined {
  return /(\w+)\s*$/.exec(specifier)?.[1];
}

/**
 * The text of a file; undefined where there is none.
 *
 * @throws CliError `ReadFailed`
 */
export async function readTextIfThere(file: string, shownAs: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const reason = toFileReason(error) ?? code ?? 'unknown';
    throw createCliError('ReadFailed', { path: shownAs, reason }, { cause: error });
  }
}
