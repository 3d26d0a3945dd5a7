import { existsSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLED } from '../../../system/watch/is-build-setting.ts';
import { type ModuleGraph, toModuleGraph } from '../../modules/module-graph.ts';
import type { ProgramSource } from '../../modules/program-writer.ts';
import { findBuildSettings } from '../find-build-settings.ts';
import { findResolutionRoot, type UserCodeFacts } from '../user-code-plugin.ts';
import type { Evidence } from './evidence.ts';

export interface ProgramPlace {
  /** Absolute path of the file to load. */
  readonly entry: string;
  /** Absolute path of the project. */
  readonly root: string;
}

/**
 * All that a build depends on whose files import each other by relative paths, and packages by names that lead from all of them to the same, as in most
 * projects. Undefined for others, and where no package manager has left a note of what it installed last.
 */
export function findEvidence(
  { result, facts }: ProgramSource,
  { entry, root }: ProgramPlace,
): readonly Evidence[] | undefined {
  const graph = toModuleGraph(result.metafile, root);
  const files = [...graph.modules.values()].map(({ path }) => path);
  const folders = findFolders(graph, facts);
  const packages = findPackages(facts, dirname(entry));
  const settings = [...findBuildSettings(files, root), ...findSettingsAbove(files)];
  const [installed, read] = partition([...new Set(settings)], (file) =>
    INSTALLED.some((name) => name === basename(file)),
  );
  if (folders === undefined || packages === undefined) return undefined;
  if (!isOfOnePackage([entry, ...files]) || !installed.some((file) => existsSync(file))) return undefined;
  return [
    { kind: 'place', path: dirname(entry) },
    ...toEvidence('text', [...new Set([...files, ...read])]),
    ...toEvidence('names', folders),
    ...toEvidence('times', installed),
    ...packages,
  ];
}

function toEvidence(kind: Evidence['kind'], paths: Iterable<string>): readonly Evidence[] {
  return [...paths].map((path) => ({ kind, path }));
}

/** The folders in which another name could lead an import elsewhere. Undefined where another import than by a relative path leads to a file of the project. */
function findFolders({ modules }: ModuleGraph, { imports }: UserCodeFacts): ReadonlySet<string> | undefined {
  const outside = new Set([...imports.values()].flatMap((targets) => [...targets]));
  const folders = new Set<string>();
  for (const { path, imports: own } of modules.values()) {
    folders.add(dirname(path));
    for (const { isOwn, target, text } of own) {
      if (!isOwn && (isBuiltin(target) || outside.has(target))) continue;
      if (!isOwn || text === undefined || !/^\.{1,2}\//.test(text)) return undefined;
      for (const folder of findWay(dirname(path), text)) folders.add(folder);
    }
  }
  return folders;
}

/** The folders that a relative path names, one after the other. */
function findWay(from: string, text: string): readonly string[] {
  const parts = text.split('/').slice(0, -1);
  return parts.map((_, index) => resolve(from, ...parts.slice(0, index + 1)));
}

/** A package.json or tsconfig.json that is not there yet would count, up to the root of the file system. */
function findSettingsAbove(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = dirname(file); !folders.has(at); at = dirname(at)) folders.add(at);
  }
  return [...folders].flatMap((folder) => SETTINGS.map((name) => join(folder, name)));
}

const SETTINGS = ['package.json', 'tsconfig.json', 'jsconfig.json'];

/** The places of the packages that names lead to from a folder. Undefined where a name leads elsewhere than Node's way upwards. */
function findPackages({ imports }: UserCodeFacts, folder: string): readonly Evidence[] | undefined {
  const evidence: Evidence[] = [];
  for (const [text, targets] of imports) {
    const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(text) ?? [];
    const way = findPackageWay(folder, name);
    const found = way.at(-1);
    if (found === undefined || ![...targets].every((target) => isWithin(toPath(target), found))) return undefined;
    evidence.push(...toEvidence('place', way), { kind: 'text', path: join(found, 'package.json') });
  }
  return evidence;
}

/** The places where a package is looked for, the last of which has it; empty where none has. */
function findPackageWay(folder: string, name: string): readonly string[] {
  const way: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    way.push(place);
    if (existsSync(place)) return way;
    if (dirname(at) === at) return [];
  }
}

const toPath = (target: string): string => (target.startsWith('file:') ? fileURLToPath(target) : target);

const isWithin = (file: string, folder: string): boolean => file.startsWith(`${realpathSync(folder)}${sep}`);

/** Whether names mean the same in all files. */
function isOfOnePackage(files: readonly string[]): boolean {
  const roots = new Map<string, string>();
  return new Set(files.map((file) => findResolutionRoot(dirname(file), roots))).size === 1;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
