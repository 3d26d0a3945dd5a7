import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds the packages that written code can import by their names, as the project does: what instruments packages, such as OpenTelemetry, knows them by
 * the name that an import says.
 */
export interface PackageNames {
  /** The name, where it leads to the file of `url` from the folder of the code; otherwise the URL. `text` is what the project imports. */
  readonly find: (text: string, url: string) => string;
}

/** A package by its name alone: a file in it may be found by esbuild, and not by Node. capix and zod are imported ahead, by their URLs. */
const PACKAGE_NAME = /^(?!capix$|zod$)(?:@[^/]+\/)?[^./#@\\:][^/\\:]*$/;
/** The conditions of an ES import in Node. */
const CONDITIONS = new Set(['.', 'node', 'import', 'module-sync', 'default']);

/** `folder`: absolute path of the folder that the code will lie in, or near; it need not be there. */
export function createPackageNames(folder: string): PackageNames {
  const known = new Map<string, string>();
  return {
    find: (text, url) => {
      if (!PACKAGE_NAME.test(text) || !url.startsWith('file:')) return url;
      const key = `${text} ${url}`;
      const name = known.get(key) ?? (leadsTo(text, fileURLToPath(url), folder) ? text : url);
      known.set(key, name);
      return name;
    },
  };
}

function leadsTo(name: string, file: string, folder: string): boolean {
  try {
    return realpathSync(findEntry(name, folder)) === file;
  } catch {
    return false;
  }
}

/** @throws where Node would not find it, or not certainly */
function findEntry(name: string, folder: string): string {
  const home = findPackage(name, folder);
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { readonly exports?: unknown };
  if (exports === undefined || exports === null) return createRequire(join(folder, 'index.js')).resolve(name);
  return join(home, findTarget(exports) ?? '');
}

/** Absolute path of the folder where Node looks for a package first. @throws where there is none */
function findPackage(name: string, folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', name);
    if (basename(at) !== 'node_modules' && isPackage(home)) return home;
    if (dirname(at) === at) throw new Error(`There is no package ${name}.`);
  }
}

function isPackage(home: string): boolean {
  try {
    return readFileSync(join(home, 'package.json')).length > 0;
  } catch {
    return false;
  }
}

/** The first target that the conditions lead to: `'./index.js'`. */
function findTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) return undefined;
  for (const [key, value] of Object.entries(exports)) {
    const target = CONDITIONS.has(key) ? findTarget(value) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}
