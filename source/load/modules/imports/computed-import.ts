import { pathToFileURL } from 'node:url';
import type { OwnModule } from '../module-graph.ts';
import { toCompiledName } from './to-compiled-name.ts';

/** The ids of the modules that the computed paths of a module may mean, by their relative paths: also as JavaScript, which imports of TypeScript name. */
export function findComputed({ imports }: OwnModule): ReadonlyMap<string, string> {
  const own = imports.flatMap(({ kind, isOwn, text, target }): [string, string][] =>
    kind === 'dynamic' && isOwn && text !== undefined ? [[text, target]] : [],
  );
  return new Map([...own.map(([text, id]): [string, string] => [toCompiledName(text), id]), ...own]);
}

/** The meaning of an import that leads to no module of the program, wherever the compiled module lies. `path`: absolute, of the source. */
export function fromSource(text: string, path: string): string {
  return /^\.{1,2}\//.test(text) ? new URL(text, pathToFileURL(path)).href : text;
}

/** The modules that a computed path may mean: each relative path, and the id or the name of the module. */
export type Found = readonly (readonly [path: string, module: string])[];

/**
 * The beginning of an import of a computed path, in place of `import(`. What the program has no module for is found from where the source lies: the
 * compiled module lies elsewhere. `modules`: the names of their files; `path`: absolute, of the source.
 */
export function toComputedImport(modules: Found, path: string): string {
  const place = JSON.stringify(pathToFileURL(path).href);
  const own = `new Map(${JSON.stringify(modules)}).get(String(path))`;
  const outside = `import(/^\\.{1,2}\\//.test(path) ? new URL(path, ${place}).href : path, options)`;
  return `((path, options) => { const own = ${own}; return own === undefined ? ${outside} : import(own); })(`;
}
