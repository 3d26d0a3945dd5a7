import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package of a workspace. */
export interface WorkspacePackage {
  /** The name in package.json, else its path. */
  readonly name: string;
  /** The path from the root of the workspace, with forward slashes: `apps/api`. */
  readonly path: string;
  /** Absolute path. */
  readonly folder: string;
}

/** The nearest folder from `folder` upwards that says which packages are in its workspace: npm, yarn and bun in package.json, pnpm in a file of its own. */
export function findWorkspaceRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (readPatterns(at).length > 0) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The packages of the workspace of a root, in the order of their paths. */
export function findWorkspacePackages(root: string): readonly WorkspacePackage[] {
  const patterns = readPatterns(root).map(toPath);
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(toExpression);
  const others = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => toExpression(pattern.slice(1)));
  const depth = patterns.some((pattern) => pattern.includes('**'))
    ? MAX_DEPTH
    : Math.max(0, ...patterns.map((pattern) => pattern.split('/').length));
  return findFolders(root, '', depth)
    .filter((path) => wanted.some((one) => one.test(path)) && !others.some((one) => one.test(path)))
    .flatMap((path) => toPackage(root, path));
}

/** Folders that `**` reaches. */
const MAX_DEPTH = 5;

function toPath(pattern: string): string {
  return pattern.replace(/^(!?)\.\//, '$1').replace(/\/+$/, '');
}

/** Workspaces know two wildcards: `*` is part of one name, `**` any folders. */
function toExpression(pattern: string): RegExp {
  const text = pattern
    .split(/(\*\*\/?|\*)/)
    .map((part) => {
      if (part === '*') return '[^/]*';
      return part.startsWith('**') ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
  return new RegExp(`^${text}$`);
}

function findFolders(root: string, path: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  return readFolder(join(root, path))
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted()
    .flatMap((name) => {
      const inner = path === '' ? name : `${path}/${name}`;
      return [inner, ...findFolders(root, inner, depth - 1)];
    });
}

function readFolder(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function toPackage(root: string, path: string): readonly WorkspacePackage[] {
  const folder = join(root, path);
  if (!existsSync(join(folder, 'package.json'))) return [];
  const { name } = readDescription(folder);
  return [{ name: typeof name === 'string' && name !== '' ? name : path, path, folder }];
}

function readPatterns(folder: string): readonly string[] {
  const file = join(folder, 'pnpm-workspace.yaml');
  if (existsSync(file)) return parseList(readFileSync(file, 'utf8'));
  const { workspaces } = readDescription(folder);
  const patterns = Array.isArray(workspaces) ? workspaces : Object(workspaces).packages;
  return Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === 'string') : [];
}

/** A package.json that cannot be read is the package manager's to complain about. */
function readDescription(folder: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** The list `packages` of a file of YAML, in its two forms: `[apps/*]`, or a line each. */
function parseList(text: string): readonly string[] {
  const [, inline, block] = /^packages:[ \t]*(?:\[([^\]]*)\]|((?:\s*\n[ \t]*(?:#.*|-[ \t]+.*))+))/m.exec(text) ?? [];
  const items = inline?.split(',') ?? block?.split('\n').map((line) => /^[ \t]*-[ \t]+(.*)$/.exec(line)?.[1] ?? '');
  return (items ?? [])
    .map((item) =>
      item
        .replace(/\s+#.*$/, '')
        .trim()
        .replace(/^(['"])(.*)\1$/, '$2'),
    )
    .filter(Boolean);
}
