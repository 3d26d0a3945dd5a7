import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** The files of a project that run as one program, and what they import. */
export interface ModuleGraph {
  /** Id of the module that is run. */
  readonly entry: string;
  readonly modules: ReadonlyMap<string, OwnModule>;
}

/** A file of the project. */
export interface OwnModule {
  /** As esbuild names it: a file that is imported as JSON and in another way too is two modules. */
  readonly id: string;
  /** Absolute path. */
  readonly path: string;
  readonly format: 'esm' | 'cjs' | 'json';
  /** In the order of the source. */
  readonly imports: readonly ModuleImport[];
}

export interface ModuleImport {
  readonly kind: 'static' | 'dynamic' | 'require';
  /** Id of a module, or what stays outside: a URL, a path, or the name of a module of Node. */
  readonly target: string;
  readonly isOwn: boolean;
  /** As it is written; undefined for what stays outside. */
  readonly text: string | undefined;
}

/** `root`: absolute path that the names in `metafile` are relative to. */
export function toModuleGraph({ inputs, outputs }: Metafile, root: string): ModuleGraph {
  const modules = new Map(Object.entries(inputs).map(([id, input]) => [id, toModule(id, input, root)]));
  const [entry = ''] = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  return { entry, modules };
}

/** The path of an input of a build: esbuild adds how it is imported. */
export function toInputPath(id: string, root: string): string {
  return resolve(root, id.replace(/ with \{.*\}$/, ''));
}

function toModule(id: string, { format, imports }: Metafile['inputs'][string], root: string): OwnModule {
  const path = toInputPath(id, root);
  return {
    id,
    path,
    format: path.endsWith('.json') ? 'json' : format === 'cjs' || path.endsWith('.cjs') ? 'cjs' : 'esm',
    imports: imports.flatMap(({ kind, path: target, external = false, original }) => {
      const short = KINDS[kind];
      // esbuild's own helpers are named among what is imported.
      return short === undefined || target === '<runtime>'
        ? []
        : { kind: short, target, isOwn: !external, text: original };
    }),
  };
}

const KINDS: Readonly<Partial<Record<string, ModuleImport['kind']>>> = {
  'import-statement': 'static',
  'dynamic-import': 'dynamic',
  'require-call': 'require',
  'require-resolve': 'require',
};
