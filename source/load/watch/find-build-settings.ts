import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readSourceText } from '../../manifest/code-frame.ts';
import { INSTALLED } from '../../system/watch/is-build-setting.ts';

/**
 * The files that a build depends on besides those that it read, as absolute paths: the package.json and tsconfig.json around each of them, also in
 * other packages of the workspace, all that these extend, and what says which packages are installed. It need not be there.
 */
export function findBuildSettings(files: Iterable<string>, root: string): readonly string[] {
  const folders = new Set<string>([root]);
  for (const file of files) {
    for (let at = dirname(file); !folders.has(at); at = dirname(at)) {
      folders.add(at);
      if (dirname(at) === at || existsSync(join(at, '.git'))) break;
    }
  }
  const settings = [...folders].flatMap((folder) =>
    ['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
  );
  const there = settings.filter((file) => existsSync(file));
  const extended = there
    .filter((file) => file.endsWith('tsconfig.json'))
    .flatMap((file) => findExtended(file, new Set()));
  return [...new Set([...there, ...extended, ...toInstalled(root)])];
}

/** Beside the packages of the project and, in a workspace, those of the folders around it. */
function toInstalled(root: string): readonly string[] {
  const folders: string[] = [];
  for (let at = root; ; at = dirname(at)) {
    if (at === root || existsSync(join(at, 'node_modules'))) folders.push(join(at, 'node_modules'));
    if (dirname(at) === at || existsSync(join(at, '.git'))) break;
  }
  return folders.flatMap((folder) => INSTALLED.map((name) => join(folder, name)));
}

/** A tsconfig.json has comments, so that it is not parsed; packages that are extended do not change. */
function findExtended(file: string, seen: Set<string>): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const [, list = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(readSourceText(file)) ?? [];
  const own = [...list.matchAll(/"(\.[^"]*)"/g)].map(([, path = '']) => toFile(resolve(dirname(file), path)));
  return own.flatMap((each) => [each, ...findExtended(each, seen)]);
}

function toFile(path: string): string {
  return path.endsWith('.json') || existsSync(path) ? path : `${path}.json`;
}
