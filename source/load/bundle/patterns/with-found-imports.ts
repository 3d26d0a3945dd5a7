import { posix, resolve } from 'node:path';
import type { BuildResult, Metafile } from 'esbuild';
import type { MissingImport } from '../build-inputs.ts';

type Imports = Metafile['inputs'][string]['imports'];
type Import = Imports[number];

/**
 * A build in which each import by a pattern is followed by imports of the files that it finds. esbuild reads the files that `import('./texts/' + name)` may
 * mean, and says of the import only that it is `./texts/` and a pattern.
 */
export function withFoundImports<Result extends BuildResult<{ metafile: true }>>(result: Result): Result {
  if (!hasPatterns(result.metafile)) return result;
  const { inputs, outputs } = result.metafile;
  const ids = Object.keys(inputs);
  const named = Object.entries(inputs).map(([id, input]) => {
    const imports = input.imports.flatMap((each) => (isPattern(each) ? toFound(each, id, ids) : [each]));
    return [id, { ...input, imports }] as const;
  });
  return { ...result, metafile: { inputs: Object.fromEntries(named), outputs } };
}

/** Whether a file imports another by a name that only the running code knows. */
export function hasPatterns({ inputs }: Metafile): boolean {
  return Object.values(inputs).some(({ imports }) => imports.some(isPattern));
}

/** A relative path stays outside where it is a pattern, or where no file is there yet and the code is ready for that. */
function isPattern({ path, external, kind }: Import): boolean {
  return external === true && /^\.{1,2}\//.test(path) && !kind.startsWith('require');
}

/** The import itself, which is not run before it is asked for, and those of files. */
function toFound(pattern: Import, importer: string, ids: readonly string[]): Imports {
  const regexp = toRegExp(pattern.path);
  const found = ids.flatMap((id): readonly Import[] => {
    const original = toRelative(posix.dirname(importer), id);
    return regexp.test(original) ? [{ kind: 'dynamic-import', path: id, original }] : [];
  });
  return [{ ...pattern, kind: 'dynamic-import' }, ...found];
}

function toRelative(folder: string, id: string): string {
  const path = posix.relative(folder, id.replace(/ with \{.*\}$/, ''));
  return path.startsWith('.') ? path : `./${path}`;
}

/** The imports that another file may fulfil than those that are there. `root`: absolute path of the project. */
export function findPatternImports({ inputs }: Metafile, root: string): readonly MissingImport[] {
  return Object.entries(inputs).flatMap(([id, { imports }]) =>
    imports.filter(isPattern).map(({ path }) => ({ text: path, folder: resolve(root, posix.dirname(id)) })),
  );
}

/** Whether a pattern stands for a file, by its absolute path. */
export function isOfPattern(file: string, { text, folder }: MissingImport): boolean {
  return toRegExp(text).test(toRelative(folder.replaceAll('\\', '/'), file.replaceAll('\\', '/')));
}

/** Two stars, a slash and a star are a path of any depth, and one star is a part of a name. */
function toRegExp(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/\*|\*)/).map((part) => {
    if (part === '**/*') return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
