import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { readSourceText } from '../manifest/code-frame.ts';
import { INSTALLED } from '../system/watched-places.ts';

/** An import that was not found. */
export interface MissingImport {
  /** As it is written: `./text.ts`, `@/lib/text`. */
  readonly text: string;
  /** Absolute path of the folder of the file that says it. */
  readonly folder: string;
}

/** Whether an import could mean this file. An alias may stand for any folder, so that only names are compared. */
export function mayBeImported(file: string, { text }: MissingImport): boolean {
  const names = [basename(file), toStem(file), toStem(file) === 'index' ? basename(dirname(file)) : ''];
  return names.includes(basename(text)) || names.includes(toStem(text));
}

function toStem(path: string): string {
  return /\.(?:[cm]?[jt]sx?|json)$/.test(path) ? basename(path, extname(path)) : basename(path);
}

/**
 * Absolute paths of the files that a build depends on besides those that it read: the package.json and tsconfig.json
 * around each of them, also in other packages of the workspace, all that these extend, and what says which packages are
 * installed.
 */
export function findBuildSettings(files: Iterable<string>, root: string): readonly string[] {
  const folders = new Set<string>();
  for (const file of [join(root, 'package.json'), ...files]) {
    for (let at = dirname(file); !folders.has(at); at = dirname(at)) {
      folders.add(at);
      if (dirname(at) === at || existsSync(join(at, '.git'))) break;
    }
  }
  const toInstalled = (folder: string) => INSTALLED.map((name) => join(folder, 'node_modules', name));
  const there = [...folders]
    .flatMap((folder) => [join(folder, 'package.json'), join(folder, 'tsconfig.json'), ...toInstalled(folder)])
    .filter((file) => existsSync(file));
  const extended = there.filter((file) => file.endsWith('tsconfig.json')).flatMap((file) => findExtended(file));
  return [...new Set([...there, ...extended, ...toInstalled(root)])];
}

/** A tsconfig.json has comments, so that it is not parsed; packages that are extended do not change. */
function findExtended(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const [, list = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(readSourceText(file)) ?? [];
  return [...list.matchAll(/"(\.[^"]*)"/g)].flatMap(([, name = '']) => {
    const path = resolve(dirname(file), name);
    const own = path.endsWith('.json') || existsSync(path) ? path : `${path}.json`;
    return [own, ...findExtended(own, seen)];
  });
}
