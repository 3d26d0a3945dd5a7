import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { findWithPackages, isInside } from '../../system/paths.ts';

export interface LinkOptions {
  /** Absolute path of the top of the repository, without links. */
  readonly top: string;
  /** Absolute path of the project in the working tree, without links. */
  readonly root: string;
  /** The folder of the copy that stands for `top`. */
  readonly files: string;
  /** The folder of the copy that stands for `root`. */
  readonly rootThen: string;
}

/**
 * Gives the copy of a commit the packages that are installed now: each `node_modules` that the project finds becomes
 * one of the copy, of links. A package of the workspace leads to its files at the commit, and all others lead to where
 * they are. Gives the folders that are the present ones although they lie in the repository, from its top.
 */
export async function linkPackages(options: LinkOptions): Promise<readonly string[]> {
  const { top, root, files, rootThen } = options;
  const builds: string[] = [];
  const linked = new Set<string>();
  const places = [{ now: root, copied: rootThen }];
  for (let at = dirname(root); isInside(at, top); at = dirname(at))
    places.push({ now: at, copied: join(files, relative(top, at)) });
  // Packages above the repository stand behind those of the repository.
  const above = findWithPackages(dirname(top));
  if (above !== undefined) places.push({ now: above, copied: dirname(files) });
  for (let place = places.shift(); place !== undefined; place = places.shift()) {
    if (linked.has(place.copied)) continue;
    linked.add(place.copied);
    for (const { now, copied } of await linkFolder(place.now, place.copied, options)) {
      builds.push(...(await linkBuilt(now, copied, options)));
      places.push({ now, copied });
    }
  }
  return builds;
}

interface Place {
  /** A folder of the working tree. */
  readonly now: string;
  /** The same folder in the copy. */
  readonly copied: string;
}

/** Links the packages of one `node_modules`. Gives those of the workspace. */
async function linkFolder(
  now: string,
  copied: string,
  options: LinkOptions,
): Promise<readonly Place[]> {
  const from = join(now, 'node_modules');
  const to = join(copied, 'node_modules');
  // Packages that are committed belong to the commit.
  if (!existsSync(from) || existsSync(to)) return [];
  const entries = await readPackages(from, options);
  const ofWorkspace = entries.flatMap(({ workspace }) => workspace ?? []);
  await mkdir(copied, { recursive: true });
  if (ofWorkspace.length === 0) {
    await link(from, to);
    return [];
  }
  for (const { name, target, workspace } of entries) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await link(workspace?.copied ?? target, join(to, name));
  }
  return ofWorkspace;
}

interface InstalledPackage {
  /** `zod`, `@acme/shared` */
  readonly name: string;
  /** Absolute path, without links. */
  readonly target: string;
  readonly workspace: Place | undefined;
}

async function readPackages(
  folder: string,
  options: LinkOptions,
  scope = '',
): Promise<readonly InstalledPackage[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map(async (entry): Promise<readonly InstalledPackage[]> => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name.startsWith('@'))
      return readPackages(path, options, `${entry.name}/`);
    const target = await realpath(path).catch(() => undefined);
    // A link that leads nowhere, a file of the package manager, or the copies themselves.
    if (target === undefined || entry.isFile() || entry.name === '.capix') return [];
    const workspace = entry.isSymbolicLink() ? findWorkspace(target, options) : undefined;
    return [{ name: `${scope}${entry.name}`, target, workspace }];
  });
  return (await Promise.all(found)).flat();
}

/** The place of a package of the workspace; undefined of others, and of one that is not in the commit. */
function findWorkspace(target: string, { top, files }: LinkOptions): Place | undefined {
  const path = relative(top, target);
  if (!isInside(target, top) || path.split(sep).includes('node_modules')) return undefined;
  const copied = join(files, path);
  return existsSync(copied) ? { now: target, copied } : undefined;
}

/**
 * Links the files that the build of a workspace package has written and the package exports. Git does not have them, so
 * the present ones count.
 */
async function linkBuilt(
  now: string,
  copied: string,
  { top }: LinkOptions,
): Promise<readonly string[]> {
  const exported = await readTargets(copied);
  const folders = new Set(exported.map((target) => target.split('/')[0] ?? ''));
  const missing = [...folders].filter(
    (name) => !existsSync(join(copied, name)) && existsSync(join(now, name)),
  );
  for (const name of missing) await link(join(now, name), join(copied, name));
  return missing.map((name) => relative(top, join(now, name)).replaceAll(sep, '/'));
}

/** What the package.json of a folder exports, as paths without `./`. Types are not code that runs. */
async function readTargets(folder: string): Promise<readonly string[]> {
  try {
    const { main, module, exports } = Object(
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
    ) as Readonly<Record<string, unknown>>;
    return [main, module, exports].flatMap(findPaths).map((path) => path.replace(/^\.\//, ''));
  } catch {
    return [];
  }
}

function findPaths(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  return Object.entries(Object(target)).flatMap(([condition, inner]) =>
    condition === 'types' ? [] : findPaths(inner),
  );
}

/** Windows lets everybody make a junction, and few a link. */
async function link(target: string, path: string): Promise<void> {
  await symlink(target, path, 'junction');
}
