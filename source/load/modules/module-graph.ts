import { relative, resolve } from 'node:path';
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

const importsOf = new WeakMap<OwnModule, ReadonlyMap<string, ModuleImport>>();

/** The import of a file of the project that is written so; the first of several. */
export function findOwnImport(module: OwnModule, text: string): ModuleImport | undefined {
  const known =
    importsOf.get(module) ??
    new Map(
      module.imports
        .toReversed()
        .flatMap((each): [string, ModuleImport][] =>
          each.isOwn && each.text !== undefined ? [[each.text, each]] : [],
        ),
    );
  importsOf.set(module, known);
  return known.get(text);
}

type Inputs = Metafile['inputs'];

/** A build that reads few files anew names the others as the build before. */
const graphs = new WeakMap<Inputs, { readonly root: string; readonly modules: ModuleGraph['modules'] }>();
const known = new WeakMap<Inputs[string], { readonly root: string; readonly module: OwnModule }>();

/** `root`: absolute path that the names in `metafile` are relative to. The same input is the same module. */
export function toModuleGraph({ inputs, outputs }: Metafile, root: string): ModuleGraph {
  const before = graphs.get(inputs);
  const modules =
    before?.root === root
      ? before.modules
      : new Map(Object.entries(inputs).map(([id, input]) => [id, toModule(id, input, root)]));
  graphs.set(inputs, { root, modules });
  const [entry = ''] = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  return { entry, modules };
}

/** The path of an input of a build: esbuild adds how it is imported. */
export function toInputPath(id: string, root: string): string {
  return resolve(root, id.replace(/ with \{.*\}$/, ''));
}

/** The name of a file among the inputs of a build. `path`: absolute. */
export function toInputName(path: string, root: string): string {
  return relative(root, path).replaceAll('\\', '/');
}

function toModule(id: string, input: Inputs[string], root: string): OwnModule {
  const before = known.get(input);
  if (before?.root === root) return before.module;
  const { format, imports } = input;
  const path = toInputPath(id, root);
  const module: OwnModule = {
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
  known.set(input, { root, module });
  return module;
}

const KINDS: Readonly<Partial<Record<string, ModuleImport['kind']>>> = {
  'import-statement': 'static',
  'dynamic-import': 'dynamic',
  'require-call': 'require',
  'require-resolve': 'require',
};
