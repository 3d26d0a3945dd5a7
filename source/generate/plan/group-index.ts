import { readFile } from 'node:fs/promises';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { toFileReason } from '../../cli/errors/file-reason.ts';
import { inferModuleStyle, type ModuleStyle } from './module-style.ts';
import { readExports } from './read-exports.ts';

/** The module that lists what is in a group. */
export interface GroupIndex {
  /** Absolute path. */
  readonly file: string;
  /** undefined where there is no such file yet. */
  readonly text: string | undefined;
  readonly exports: ReadonlySet<string>;
  readonly style: ModuleStyle;
}

export interface ReadGroupIndexOptions {
  readonly file: string;
  readonly shownAs: string;
  /** Style of a module that shows none. */
  readonly style: ModuleStyle;
}

/** Reads the index of a group, or what it will be where it is missing. Rejects as `readExports`. */
export async function readGroupIndex({ file, shownAs, style }: ReadGroupIndexOptions): Promise<GroupIndex> {
  const text = await readTextIfThere(file, shownAs);
  if (text === undefined) return { file, text, exports: new Set(), style };
  return { file, text, exports: await readExports({ file, text, shownAs }), style: inferModuleStyle(text, style) };
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

/** The line that lists a capability of the file `./<fileName>`: `export { getUser } from './get-user.js';` */
export function toCapabilityLine(identifier: string, fileName: string, style: ModuleStyle): string {
  const { quote, semicolon, padding, extension } = style;
  return `export {${padding}${identifier}${padding}} from ${quote}./${fileName}${extension}${quote}${semicolon}`;
}

/** The line that lists a group of the folder `./<folder>`: `export * as users from './users/index.js';` */
export function toGroupLine(identifier: string, folder: string, style: ModuleStyle): string {
  const { quote, semicolon, extension } = style;
  return `export * as ${identifier} from ${quote}./${folder}/index${extension}${quote}${semicolon}`;
}

/** The index with one more line at its end, everything else as it was; the placeholder of an empty module gives way. */
export function addLine({ text, style }: Pick<GroupIndex, 'text' | 'style'>, line: string): string {
  const before = (text ?? '').replace(/^export\s*\{\s*\}[ \t]*;?[ \t]*(\r?\n|$)/m, '');
  const gap = before === '' || before.endsWith('\n') ? '' : style.lineEnd;
  return `${before}${gap}${line}${style.lineEnd}`;
}

/** The groups that an index lists, each with its folder, which need not be called as the group is. */
export function findListedGroups(text: string | undefined): ReadonlyMap<string, string> {
  const lines = (text ?? '').matchAll(
    /\bexport\s*\*\s*as\s+([a-zA-Z]\w*)\s+from\s*['"]\.\/([\w/-]+?)(?:\/index)?(?:\.[cm]?[jt]s)?['"]/g,
  );
  return new Map(Array.from(lines, ([, identifier = '', folder = '']) => [identifier, folder]));
}

/** Whether the index lists the capability from this very file. */
export function listsFile(text: string | undefined, identifier: string, fileName: string): boolean {
  const line = new RegExp(
    String.raw`\bexport\s*\{[^}]*\b${identifier}\b(?!\s+as\b)[^}]*\}\s*from\s*['"]\./${fileName}(?:\.[cm]?[jt]s)?['"]`,
  );
  return line.test(text ?? '');
}
