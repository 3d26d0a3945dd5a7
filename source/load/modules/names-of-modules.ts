import { parse } from 'es-module-lexer';
import { toComponents } from './components.ts';
import type { CompiledModule } from './module-compiler.ts';
import { findOwnImport, type ModuleGraph, type OwnModule } from './module-graph.ts';

type Compiled = ReadonlyMap<string, CompiledModule>;

/** Knows the names that modules import and export; where a save leaves all exports as they are, it looks into what was saved only. */
export interface NamesOfModules {
  /**
   * TypeScript lets a file import a type, and export it further, as if it were a value. Nobody exports it then, which Node refuses: such names are
   * left out, as where files are bundled. `init` of the lexer comes before.
   */
  readonly withoutTypes: (graph: ModuleGraph, compiled: Compiled) => Compiled;
  /** Whether a file imports a name that nobody exports, and uses it: unused ones are gone. A type that it exports further counts, too. */
  readonly missesImports: (graph: ModuleGraph, compiled: Compiled) => boolean;
}

interface Program {
  readonly modules: ModuleGraph['modules'];
  readonly compiled: Compiled;
}

export function createNamesOfModules(): NamesOfModules {
  let left: (Program & { readonly result: Compiled }) | undefined;
  /** The last program in which no import is missing. */
  let whole: Program | undefined;

  return {
    withoutTypes: ({ modules }, compiled) => {
      const ids = left && findChanged(left, { modules, compiled });
      const again = left && ids && leaveOutAgain(ids, { modules, compiled, before: left.result });
      const result = again ?? leaveOutOfAll(modules, compiled);
      left = { modules, compiled, result };
      return result;
    },
    missesImports: ({ modules }, compiled) => {
      const ids = (whole && findChanged(whole, { modules, compiled })) ?? [...modules.keys()];
      const misses = ids.some((id) => missesImport(modules.get(id), { modules, compiled }));
      whole = misses ? undefined : { modules, compiled };
      return misses;
    },
  };
}

/** The modules that differ; undefined where one exports other names, so that any module may. */
function findChanged(before: Program, now: Program): readonly string[] | undefined {
  if (before.modules.size !== now.modules.size) return undefined;
  const ids = [...now.modules.keys()].filter(
    (id) => before.modules.get(id) !== now.modules.get(id) || before.compiled.get(id) !== now.compiled.get(id),
  );
  return ids.every((id) => toExportKey(id, before) === toExportKey(id, now)) ? ids : undefined;
}

/** The same while a module exports the same names; undefined where there is no such module. */
function toExportKey(id: string, { modules, compiled }: Program): string | undefined {
  const [module, code] = [modules.get(id), compiled.get(id)];
  if (module === undefined || code === undefined) return undefined;
  if (module.format !== 'esm') return module.format;
  const { exports, stars } = read(code);
  const targets = stars.map((star) => findOwnImport(module, star)?.target);
  return JSON.stringify([...exports, targets]);
}

interface Again extends Program {
  readonly before: Compiled;
}

/** Undefined where a module exports other names now. */
function leaveOutAgain(ids: readonly string[], { modules, compiled, before }: Again): Compiled | undefined {
  const result = new Map(before);
  for (const id of ids) {
    const code = compiled.get(id);
    if (code !== undefined) result.set(id, leaveOutOf(modules.get(id), code, { modules, compiled: result }));
  }
  const isSame = (id: string): boolean =>
    toExportKey(id, { modules, compiled: before }) === toExportKey(id, { modules, compiled: result });
  return ids.every(isSame) ? result : undefined;
}

function leaveOutOfAll(modules: ModuleGraph['modules'], compiled: Compiled): Compiled {
  const result = new Map(compiled);
  const next = (id: string): readonly string[] =>
    (modules.get(id)?.imports ?? []).flatMap(({ kind, target, isOwn }) => (isOwn && kind === 'static' ? target : []));
  // What is exported further is known before whoever imports it.
  for (const component of toComponents(modules.keys(), next)) {
    for (const id of component) {
      const code = result.get(id);
      if (code !== undefined) result.set(id, leaveOutOf(modules.get(id), code, { modules, compiled: result }));
    }
  }
  return result;
}

function leaveOutOf(module: OwnModule | undefined, code: CompiledModule, known: Known): CompiledModule {
  if (module?.format !== 'esm' || !/\.[cm]?tsx?$/.test(module.path)) return code;
  return leaveOut(code, findMissing(module, code, known));
}

function missesImport(module: OwnModule | undefined, known: Known): boolean {
  const code = module?.format === 'esm' ? known.compiled.get(module.id) : undefined;
  const missing = module === undefined || code === undefined ? [] : findMissing(module, code, known);
  return missing.some(({ statement }) => code?.code.startsWith('import', statement.from));
}

interface Known {
  readonly modules: ModuleGraph['modules'];
  readonly compiled: Compiled;
}

/** An import or export by statement that names what nobody exports. */
interface MissingNames {
  readonly statement: Statement;
  readonly names: ReadonlySet<string>;
}

function findMissing(module: OwnModule, code: CompiledModule, known: Known): readonly MissingNames[] {
  return read(code).statements.flatMap((statement) => {
    if (statement.names.length === 0) return [];
    const target = findOwnImport(module, statement.text)?.target;
    const names = target === undefined ? [] : statement.names.filter((name) => !mayExport(target, name, known));
    return names.length === 0 ? [] : [{ statement, names: new Set(names) }];
  });
}

/** False only where it is sure that there is no such export. */
function mayExport(id: string, name: string, { modules, compiled }: Known): boolean {
  const seen = new Set<string>();
  const asked = [id];
  for (let at = asked.pop(); at !== undefined; at = asked.pop()) {
    const code = compiled.get(at);
    const module = modules.get(at);
    if (code === undefined || module?.format !== 'esm') return true;
    if (seen.has(at)) continue;
    seen.add(at);
    const { exports, stars } = read(code);
    if (exports.has(name)) return true;
    for (const star of stars) {
      const target = findOwnImport(module, star);
      if (target === undefined) return true;
      asked.push(target.target);
    }
  }
  return false;
}

interface Statement {
  /** The text that is imported, as it is written. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** As the other module calls them. */
  readonly names: readonly string[];
}

interface Shape {
  readonly exports: ReadonlySet<string>;
  readonly statements: readonly Statement[];
  /** The modules of which it exports everything. */
  readonly stars: readonly string[];
}

const shapes = new WeakMap<CompiledModule, Shape>();

function read(compiled: CompiledModule): Shape {
  const known = shapes.get(compiled);
  if (known !== undefined) return known;
  const { code } = compiled;
  const [imports, exports] = parse(code);
  const statements = imports.flatMap(({ n: text, d, ss: from, se: to }) =>
    text === undefined || d !== -1
      ? []
      : [{ text, from, to, names: toSpecifiers(code.slice(from, to)).map(toOuterName) }],
  );
  const stars = statements.flatMap(({ text, from, to }) =>
    code.slice(from, to).startsWith('export * from') ? text : [],
  );
  const shape = { exports: new Set(exports.flatMap(({ n }) => n ?? [])), statements, stars };
  shapes.set(compiled, shape);
  return shape;
}

/** `a`, `b as c` of `import { a, b as c } from "…"`. */
function toSpecifiers(statement: string): readonly string[] {
  const list = /^(?:import|export)\b[^"'{]*\{([^}]*)\}/.exec(statement)?.[1] ?? '';
  return list.split(',').flatMap((part) => part.trim() || []);
}

function toOuterName(specifier: string): string {
  return specifier.split(' as ')[0] ?? '';
}

const changed = new WeakMap<CompiledModule, { readonly key: string; readonly module: CompiledModule }>();

/** On the lines that there are, so that positions keep theirs. */
function leaveOut(compiled: CompiledModule, missing: readonly MissingNames[]): CompiledModule {
  if (missing.length === 0) return compiled;
  const key = JSON.stringify(missing.map(({ statement, names }) => [statement.from, ...names]));
  const known = changed.get(compiled);
  if (known?.key === key) return known.module;
  let { code } = compiled;
  const locals: string[] = [];
  for (const { statement, names } of missing.toReversed()) {
    const before = code.slice(statement.from, statement.to);
    const isExport = before.startsWith('export');
    const after = before.replace(/\{[^}]*\}/, (list) => {
      const [kept, gone] = part(toSpecifiers(`import ${list}`), (each) => !names.has(toOuterName(each)));
      if (!isExport) locals.push(...gone.map((each) => each.split(' as ').at(-1) ?? ''));
      return `{ ${kept.join(', ')} }${'\n'.repeat(list.split('\n').length - 1)}`;
    });
    code = code.slice(0, statement.from) + after + code.slice(statement.to);
  }
  const module = { ...compiled, code: locals.length === 0 ? code : `${code}\nvar ${locals.join(', ')};\n` };
  changed.set(compiled, { key, module });
  return module;
}

function part<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
