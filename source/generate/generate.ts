import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inferRoute, toUrlCase, type UrlCase } from '../../server-runtime/routing/infer-route.ts';
import { createCliError } from '../cli/cli-error.ts';
import { expectInside } from '../files/expect-inside.ts';
import { toWriteError, writeFiles } from '../files/write-files.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import type { NamePart } from './capability-name.ts';
import { expectModuleExtension, loadCapabilityText, type ModuleExtension } from './capability-text.ts';
import { type GroupIndex, readGroupIndex, readTextIfThere } from './group-index.ts';

/** A capability or a group that is wished for. */
export interface Wish {
  readonly groups: readonly NamePart[];
  /** Undefined for a group alone. */
  readonly name: NamePart | undefined;
  /** Whether it has an input schema with an `id`. */
  readonly withInput: boolean;
  /** Whether its file may be replaced. */
  readonly force: boolean;
}

/** The options of the project's routes. */
export interface RouteStyle {
  readonly urlCase?: UrlCase | undefined;
  readonly prefix?: string | undefined;
  /** The paths of groups that have one in place of their name, by their keys. */
  readonly groupPaths?: Readonly<Record<string, string>> | undefined;
}

/** A file that is written. */
export interface FileChange {
  readonly kind: 'created' | 'changed';
  /** Absolute path. */
  readonly file: string;
  /** The path from the project's folder, with forward slashes. */
  readonly path: string;
  /** The whole new text. */
  readonly text: string;
  /** The line that was added, where the rest stays as it was. */
  readonly line?: string;
}

/** The outcome of generating a capability or group. */
export interface Generated {
  /** `'users.getUser'`, or that of the group. */
  readonly key: string;
  /** In the order in which they are to be written: every import finds its file, also while a server watches. */
  readonly changes: readonly FileChange[];
  /** The route of a capability, as its name makes it. `lacksId`: the path has an `:id` that the input does not have. */
  readonly route?: { readonly method: string; readonly path: string; readonly lacksId: boolean };
  /** The lines that the user writes, since their files are more than lists. */
  readonly unwritten: readonly { readonly path: string; readonly line: string }[];
}

/**
 * Works out the file of a capability, or a group, and a line for each index on the way to it that does not list the
 * next one yet. Writes nothing.
 *
 * @throws CliError `FileExists` unless forced, `GroupExists`, `NameTaken`, `LeadsOutside`, `ReadFailed`
 */
export async function generate(project: Project, wish: Wish, style: RouteStyle): Promise<Generated> {
  const way = await readWay(project, wish.groups);
  const identifiers = wish.groups.map(({ identifier }) => identifier);
  const made = wish.name === undefined ? toGroup(way, identifiers) : await toCapability(way, wish.name, wish);
  const missing = [...made.missing, ...way.missing];
  const listed = missing.filter(({ index }) => index.text === undefined || index.isList);
  const changes = [...made.changes, ...listed.map(toChange)];
  expectInside(
    changes.map(({ file }) => file),
    { folder: project.root, called: 'the project' },
  );
  const others = missing.filter(({ index }) => index.text !== undefined && !index.isList);
  const unwritten = others.map(({ index: { path }, line }) => ({ path, line }));
  const entry = await findEntryLine(project, way.extension);
  const key = [...identifiers, ...(wish.name === undefined ? [] : [wish.name.identifier])].join('.');
  return { key, changes, unwritten: [...unwritten, ...entry], ...toRoute(identifiers, wish, style) };
}

/** @throws CliError `WriteFailed`, which names what was written before it */
export async function writeChanges(changes: readonly FileChange[], { root }: Project): Promise<void> {
  await writeFiles(changes).catch((error: unknown) => {
    throw toWriteError(error, { from: root });
  });
}

/** The folder that groups lie in: `capabilities/` beside the capabilities file. */
export function capabilitiesFolder(project: Project): string {
  return join(dirname(project.entryFile), 'capabilities');
}

interface Way {
  readonly project: Project;
  readonly extension: ModuleExtension;
  /** The folder of the last group, and its index. */
  readonly folder: string;
  readonly index: GroupIndex;
  /** The lines that indexes above it lack, those nearest to it first. */
  readonly missing: readonly MissingLine[];
}

interface MissingLine {
  readonly index: GroupIndex;
  readonly line: string;
}

async function readWay(project: Project, groups: readonly NamePart[]): Promise<Way> {
  const extension = expectModuleExtension(project);
  const read = (folder: string, end: string): Promise<GroupIndex> => {
    const file = join(folder, `index${extension.file}`);
    return readGroupIndex({ file, path: toProjectPath(file, project.root), end });
  };
  let folder = capabilitiesFolder(project);
  let index = await read(folder, extension.imported);
  const missing: MissingLine[] = [];
  for (const { identifier, typed } of groups) {
    const from = index.exports.get(identifier);
    const listed = from && /^\.\/([\w/-]+?)(?:\/index)?(?:\.[cm]?[jt]s)?$/.exec(from)?.[1];
    if (from !== undefined && (listed === undefined || !index.groups.has(identifier))) throw toTaken(index, identifier);
    if (from === undefined)
      missing.unshift({ index, line: `export * as ${identifier} from './${typed}/index${index.end}';` });
    folder = join(folder, listed ?? typed);
    index = await read(folder, index.end);
  }
  return { project, extension, folder, index, missing };
}

interface Made {
  readonly changes: readonly FileChange[];
  readonly missing: readonly MissingLine[];
}

function toGroup({ index, missing }: Way, identifiers: readonly string[]): Made {
  // A module, so that it can be imported, of nothing yet.
  if (index.text === undefined)
    return { changes: [{ kind: 'created', file: index.file, path: index.path, text: 'export {};\n' }], missing: [] };
  if (missing.length > 0) return { changes: [], missing: [] };
  const hint = `Add to it with \`capix generate capability ${identifiers.join('/')} <name>\`.`;
  throw createCliError('GroupExists', { group: identifiers.join('.'), file: index.path }, { hint });
}

async function toCapability(
  { project, extension, folder, index }: Way,
  { identifier }: NamePart,
  { withInput, force }: Wish,
): Promise<Made> {
  const fileName = toUrlCase(identifier, 'kebab');
  const file = join(folder, `${fileName}${extension.file}`);
  const path = toProjectPath(file, project.root);
  const isThere = (await readTextIfThere(file, path)) !== undefined;
  if (isThere && !force) throw createCliError('FileExists', { path, detail: '' });
  const from = index.exports.get(identifier);
  if (from !== undefined && from.replace(/\.[cm]?[jt]s$/, '') !== `./${fileName}`) throw toTaken(index, identifier);
  const text = await loadCapabilityText({ project, identifier, folder, withInput, extension });
  const line = `export { ${identifier} } from './${fileName}${index.end}';`;
  return {
    changes: [{ kind: isThere ? 'changed' : 'created', file, path, text }],
    missing: from === undefined ? [{ index, line }] : [],
  };
}

function toRoute(
  groups: readonly string[],
  { name, withInput }: Wish,
  { urlCase, prefix = '', groupPaths: known = {} }: RouteStyle,
): Pick<Generated, 'route'> {
  if (name === undefined) return {};
  const groupPaths = groups.flatMap((_, at) => {
    const path = known[groups.slice(0, at + 1).join('.')];
    return path === undefined ? [] : [{ path, depth: groups.length - 1 - at }];
  });
  const { method, path } = inferRoute({ groups, groupPaths, name: name.identifier, hasId: withInput, urlCase });
  return { route: { method, path: `${prefix}${path}`, lacksId: !withInput && /:id(\/|$)/.test(path) } };
}

/** The line that a capabilities file lacks which does not read its folder. */
async function findEntryLine(
  { entryFile, root }: Project,
  extension: ModuleExtension,
): Promise<Generated['unwritten']> {
  const text = await readFile(entryFile, 'utf8');
  if (/['"]\.\/capabilities(\/[^'"]*)?['"]/.test(text)) return [];
  const line = `export * as capabilities from './capabilities/index${extension.imported}';`;
  return [{ path: toProjectPath(entryFile, root), line }];
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
