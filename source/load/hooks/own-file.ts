import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../package-root.ts';
import { findStats, findUpwards, isRegularFile } from '../../system/paths.ts';
import { attempt } from '../../values/attempt.ts';
import { findFileSettings } from './compiler-options.ts';

/** The copies of git refs lie in a `node_modules`, to find packages there. */
const PACKAGE = /[\\/]node_modules[\\/](?!\.capix[\\/])/;
const TYPESCRIPT = /\.[cm]?tsx?$/;

export function isOfPackage(file: string): boolean {
  return PACKAGE.test(file);
}

export function isCompiled(file: string): boolean {
  return TYPESCRIPT.test(file) || file.endsWith('.jsx');
}

let toolFolder: string | undefined;

/** The absolute path of a URL where it is the project's own: not of a package without TypeScript, or the tool. */
export function toOwnFile(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  toolFolder ??= join(packageRoot(), 'dist');
  const file = fileURLToPath(url);
  return (PACKAGE.test(file) && !TYPESCRIPT.test(file)) || file.startsWith(toolFolder)
    ? undefined
    : file;
}

const isModuleIn = new Map<string, boolean>();

export function forgetPackages(): void {
  isModuleIn.clear();
}

export function isOfModules(folder: string): boolean {
  const known = isModuleIn.get(folder);
  if (known !== undefined) return known;
  const found = readPackage(folder);
  const isModule = found
    ? found.type === 'module'
    : dirname(folder) !== folder && isOfModules(dirname(folder));
  isModuleIn.set(folder, isModule);
  return isModule;
}

/** Whether Node reads a file of this name as CommonJS: by its extension, else by the nearest package.json. */
export function isCommonJs(file: string): boolean {
  const kind = /\.([cm])[jt]s$/.exec(file)?.[1];
  return kind === undefined ? !isOfModules(dirname(file)) : kind === 'c';
}

type Package = Readonly<Partial<Record<'name' | 'main' | 'type', unknown>>>;

export function readPackage(folder: string): Package | undefined {
  return attempt(() => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package);
}

const ENDS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'] as const;
/** The sources of what TypeScript compiles, by the end of the compiled name. */
const sourceEnds: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

/** The file of an import (a path, or by `paths` and `baseUrl`); undefined where Node itself is to find it. */
export function findImported(specifier: string, importer: string): string | undefined {
  if (/^(?:\.{1,2}(?:\/|$)|\/)/.test(specifier))
    return findFile(resolve(dirname(importer), specifier));
  if (specifier.startsWith('file:')) return findFile(fileURLToPath(specifier));
  return isOfPackage(importer)
    ? undefined
    : findFirst(findFileSettings(importer).toPaths(specifier));
}

/** The file at a path: itself, its source in TypeScript, with an end that was left out, or the index of a folder. */
export function findFile(path: string): string | undefined {
  const { stem = path, end = '' } = /^(?<stem>.*)(?<end>\.[cm]?jsx?)$/.exec(path)?.groups ?? {};
  const sources = (sourceEnds[end] ?? []).map((source) => stem + source);
  const found = [path, ...sources, ...ENDS.map((each) => path + each)].find(isRegularFile);
  return found ?? (findStats(path)?.isDirectory() ? findMain(path) : undefined);
}

/** The main file of a package of the workspace, whose name says less than Node wants. */
export function findPackageFile(specifier: string, importer: string): string | undefined {
  const { name = '', rest = '' } =
    /^(?<name>(?:@[^/]+\/)?[^/]+)(?<rest>\/.*)?$/.exec(specifier)?.groups ?? {};
  const toFolder = (around: string): string => join(around, 'node_modules', name);
  const around = findUpwards(
    dirname(importer),
    (each) => findStats(toFolder(each))?.isDirectory() ?? false,
  );
  const path = around && join(realpathSync(toFolder(around)), rest);
  return path === undefined || isOfPackage(path) ? undefined : findFile(path);
}

function findMain(folder: string): string | undefined {
  const main = readPackage(folder)?.main;
  return findFirst([
    ...(typeof main === 'string' ? [join(folder, main)] : []),
    join(folder, 'index'),
  ]);
}

function findFirst(paths: readonly string[]): string | undefined {
  return paths.reduce<string | undefined>((found, path) => found ?? findFile(path), undefined);
}
