import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inferRoute, toUrlCase, type UrlCase } from '../../server-runtime/routing/infer-route.ts';
import { type CliError, createCliError } from '../cli/cli-error.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import { expectInside } from '../files/expect-inside.ts';
import { toWriteError, writeFiles } from '../files/write-files.ts';
import { expectModuleExtension } from '../load/module-extension.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import type { CapabilityName } from './capability-name.ts';
import { loadCapabilityText } from './capability-text.ts';

export interface Wish {
  readonly groups: CapabilityName['groups'];
  /** Missing for a group alone. */
  readonly name?: string;
  /** Whether it has an input schema with an `id`. @default false */
  readonly withInput?: boolean | undefined;
  readonly force?: boolean | undefined;
}

export interface RouteStyle {
  readonly urlCase?: UrlCase | undefined;
  readonly prefix?: string | undefined;
  /** The paths of groups that have one in place of their name, by their keys. */
  readonly groupPaths?: Readonly<Record<string, string>> | undefined;
}

interface FileChange {
  readonly kind: 'created' | 'changed';
  readonly file: string;
  /** The path from the project's folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The line that was added, where the rest stays as it was. */
  readonly line?: string;
}

export interface Generated {
  /** `'users.getUser'`, or that of the group. */
  readonly key: string;
  /** In the order in which they are to be written: every import finds its file, also while a server watches. */
  readonly changes: readonly FileChange[];
  /** The route of a capability, as its name makes it. `lacksId`: the path has an `:id` that the input does not have. */
  readonly route?: { readonly method: string; readonly path: string; readonly lacksId: boolean };
  /** The lines that the user writes, since their files are more than lists. */
  readonly unwritten: readonly { readonly path: string; readonly lines: readonly string[] }[];
}

/**
 * Works out the file of a capability, or a group, and a line for each index on the way to it that does not list the
 * next one yet. Writes nothing.
 *
 * @throws CliError `FileExists` unless forced, `NameTaken`, `LeadsOutside`, `ReadFailed`
 */
export async function generate(
  project: Project,
  wish: Wish,
  style: RouteStyle,
): Promise<Generated> {
  const { groups, name, withInput = false } = wish;
  const extension = expectModuleExtension(project);
  const found = await findGroup(project, groups, extension);
  const lines = [...found.lines];
  const made: FileChange[] = [];
  if (name !== undefined) {
    const place = { project, extension, folder: found.folder };
    made.push(await makeCapability(place, { ...wish, name }));
    const line = findMissingLine(found.index, name);
    if (line !== undefined) lines.unshift(line);
  } else if (found.index.text === undefined) {
    // A module, so that it can be imported, of nothing yet.
    const { file, path } = found.index;
    made.push({ kind: 'created', file, path, text: 'export {};\n' });
  } else if (lines.length === 0) throw toExists(groups, found.index);
  const changes = [...made, ...lines.filter(({ index: { isList } }) => isList).map(toChange)];
  const paths = changes.map(({ file }) => file);
  expectInside(paths, { folder: project.root, called: 'the project' });
  const others = lines.flatMap(({ index: { isList, path }, line }) =>
    isList ? [] : [{ path, lines: [line] }],
  );
  const entry = await findEntryLines(project, extension.imported);
  const route = name && toRoute(groups, { name, hasId: withInput }, style);
  const key = [...groups, ...(name === undefined ? [] : [name])].join('.');
  return { key, changes, unwritten: [...others, ...entry], ...(route && { route }) };
}

type Extension = ReturnType<typeof expectModuleExtension>;

/** A group: its folder and its index, and the lines that the indexes on the way to it lack, the innermost first. */
interface FoundGroup {
  readonly folder: string;
  readonly index: GroupIndex;
  readonly lines: readonly MissingLine[];
}

/** @throws CliError `NameTaken`, `ReadFailed` */
async function findGroup(
  project: Project,
  groups: readonly string[],
  extension: Extension,
): Promise<FoundGroup> {
  let folder = join(dirname(project.entryFile), 'capabilities');
  let index = await readIndex(project, join(folder, `index${extension.file}`), extension.imported);
  const lines: MissingLine[] = [];
  for (const group of groups) {
    const { from, isGroup = false } = index.exports.get(group) ?? {};
    const folderName = toUrlCase(group, 'kebab');
    const listed = from && /^\.\/([\w/-]+?)(?:\/index)?(?:\.[cm]?[jt]s)?$/.exec(from)?.[1];
    if (from !== undefined && (listed === undefined || !isGroup)) throw toTaken(index, group);
    if (from === undefined)
      lines.unshift({
        index,
        line: `export * as ${group} from './${folderName}/index${index.end}';`,
      });
    folder = join(folder, listed ?? folderName);
    index = await readIndex(project, join(folder, `index${extension.file}`), index.end);
  }
  return { folder, index, lines };
}

/** The line that an index lacks for a capability. @throws CliError `NameTaken` */
function findMissingLine(index: GroupIndex, name: string): MissingLine | undefined {
  const fileName = toUrlCase(name, 'kebab');
  const { from } = index.exports.get(name) ?? {};
  if (from === undefined)
    return { index, line: `export { ${name} } from './${fileName}${index.end}';` };
  if (from.replace(/\.[cm]?[jt]s$/, '') !== `./${fileName}`) throw toTaken(index, name);
  return undefined;
}

/** The file of a capability. @throws CliError `FileExists` unless forced, `ReadFailed` */
async function makeCapability(
  place: { readonly project: Project; readonly folder: string; readonly extension: Extension },
  wish: Wish & { readonly name: string },
): Promise<FileChange> {
  const { project, folder, extension } = place;
  const { name: identifier, withInput = false, force = false } = wish;
  const file = join(folder, `${toUrlCase(identifier, 'kebab')}${extension.file}`);
  const path = toProjectPath(file, project.root);
  const isThere = (await readTextIfThere(file, path)) !== undefined;
  if (isThere && !force) throw createCliError('FileExists', { path, detail: '' });
  const options = { project, identifier, folder, withInput, extension };
  const text = await loadCapabilityText(options);
  return { kind: isThere ? 'changed' : 'created', file, path, text };
}

function toExists(groups: readonly string[], { path }: GroupIndex): CliError {
  return createCliError(
    'FileExists',
    { path: `The group ${groups.join('.')}`, detail: `, in ${path}` },
    { hint: `Add to it with \`capix generate capability ${groups.join('/')} <name>\`.` },
  );
}

export function toNotes({
  route,
  unwritten,
}: Pick<Generated, 'route' | 'unwritten'>): readonly string[] {
  const advice =
    'the path has an id that the input lacks; `capix generate` adds it with --input --force.';
  const lines = unwritten.map(({ path, lines: [first, ...more] }) =>
    [
      `${path} is left as it is; add ${more.length > 0 ? 'these lines' : 'this line'} to it:`,
      first,
      ...more,
    ].join('\n  '),
  );
  return [...(route?.lacksId === true ? [advice] : []), ...lines];
}

/** @throws CliError `WriteFailed`, which names what was written before it */
export async function writeChanges(
  changes: readonly FileChange[],
  { root }: Pick<Project, 'root'>,
): Promise<void> {
  await writeFiles(changes).catch((error: unknown) => {
    throw toWriteError(error, { from: root });
  });
}

/** The module that lists what is in a group. */
interface GroupIndex {
  readonly file: string;
  readonly path: string;
  /** Undefined where there is no such file yet. */
  readonly text: string | undefined;
  /** Whether it has nothing but lines `export … from`: another one is left to its user. */
  readonly isList: boolean;
  /** The module that each name comes from, `'./users/index.js'`, and whether its line is `export * as`. */
  readonly exports: Map<string, { readonly from: string; readonly isGroup: boolean }>;
  /** The end of its relative imports: `'.js'`, `'.ts'` or nothing. */
  readonly end: string;
}

interface MissingLine {
  readonly index: GroupIndex;
  readonly line: string;
}

/** Reads an index. `end`: that of an index without a line. @throws CliError `ReadFailed` */
async function readIndex({ root }: Project, file: string, end: string): Promise<GroupIndex> {
  const path = toProjectPath(file, root);
  const text = await readTextIfThere(file, path);
  const code = (text ?? '').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const exports: GroupIndex['exports'] = new Map();
  let ownEnd = end;
  for (const { 1: group, 2: names = '', 4: from = '' } of code.matchAll(LINE)) {
    if (group !== undefined) exports.set(group, { from, isGroup: true });
    // `a as b` is exported as `b`.
    for (const [name] of names.matchAll(/\w+(?=\s*(?:,|$))/g))
      exports.set(name, { from, isGroup: false });
    if (from.startsWith('.')) ownEnd = /\.[cm]?[jt]s$/.exec(from)?.[0] ?? '';
  }
  const rest = code.replaceAll(LINE, '').replaceAll(/\bexport\s*\{\s*\}\s*;?/g, '');
  return { file, path, text, isList: rest.trim() === '', exports, end: ownEnd };
}

const LINE =
  /\bexport\s+(?:type\s+)?(?:\*\s*(?:as\s+(\w+)\s*)?|\{([^}]*)\}\s*)from\s*(['"])([^'"]+)\3\s*;?/g;

/** The text of a file; undefined where there is none. @throws CliError `ReadFailed` */
async function readTextIfThere(file: string, shownAs: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const reason = toAccessReason(error);
    throw createCliError('ReadFailed', { path: shownAs, reason }, { cause: error });
  }
}

function toChange({ index: { file, path, text }, line }: MissingLine): FileChange {
  if (text === undefined) return { kind: 'created', file, path, text: `${line}\n`, line };
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.replace(/^export\s*\{\s*\}[ \t]*;?[ \t]*(\r?\n|$)/m, '');
  const gap = before === '' || before.endsWith('\n') ? '' : end;
  return { kind: 'changed', file, path, text: `${before}${gap}${line}${end}`, line };
}

function toTaken({ path }: GroupIndex, name: string): Error {
  return createCliError('NameTaken', { file: path, name });
}

/** The lines that a capabilities file lacks which does not read its folder. */
async function findEntryLines(
  { entryFile, root }: Project,
  end: string,
): Promise<Generated['unwritten']> {
  const text = await readFile(entryFile, 'utf8');
  if (/['"]\.\/capabilities(\/[^'"]*)?['"]/.test(text)) return [];
  const from = `from './capabilities/index${end}';`;
  const isDeclared = /\bexport\s+const\s+capabilities\b/.test(text);
  const lines = isDeclared
    ? [`import * as more ${from}`, 'export const capabilities = { ...more, /* what it has */ };']
    : [`export * as capabilities ${from}`];
  return [{ path: toProjectPath(entryFile, root), lines }];
}

function toRoute(
  groups: readonly string[],
  { name, hasId }: { readonly name: string; readonly hasId: boolean },
  { urlCase, prefix = '', groupPaths: known = {} }: RouteStyle,
): NonNullable<Generated['route']> {
  const groupsAround = groups.map((_, at) => ({
    at: at + 1,
    path: known[groups.slice(0, at + 1).join('.')],
  }));
  const { method, path } = inferRoute({ groups, groupsAround, name, hasId }, urlCase);
  return { method, path: `${prefix}${path}`, lacksId: !hasId && /:id(\/|$)/.test(path) };
}
