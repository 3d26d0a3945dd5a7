import { parse } from 'es-module-lexer';
import { toComponents } from './components.ts';
import type { CompiledModule } from './module-compiler.ts';
import type { ModuleGraph, OwnModule } from './module-graph.ts';

type Compiled = ReadonlyMap<string, CompiledModule>;

/**
 * TypeScript lets a file import a type, and export it further, as if it were a value. Nobody exports it then, which Node refuses: such names are
 * left out, as where files are bundled. `init` of the lexer comes before.
 */
export function withoutTypes({ modules }: ModuleGraph, compiled: Compiled): Compiled {
  const result = new Map(compiled);
  const next = (id: string): readonly string[] =>
    (modules.get(id)?.imports ?? []).flatMap(({ kind, target, isOwn }) => (isOwn && kind === 'static' ? target : []));
  // What is exported further is known before whoever imports it.
  for (const component of toComponents(modules.keys(), next)) {
    for (const id of component) {
      const module = modules.get(id);
      const code = result.get(id);
      if (code === undefined || module?.format !== 'esm' || !/\.[cm]?tsx?$/.test(module.path)) continue;
      result.set(id, leaveOut(code, findMissing(module, code, { modules, compiled: result })));
    }
  }
  return result;
}

/** Whether a file imports a name that nobody exports, and uses it: unused ones are gone. A type that it exports further counts, too. */
export function missesImports({ modules }: ModuleGraph, compiled: Compiled): boolean {
  return [...modules.values()].some((module) => {
    const code = module.format === 'esm' ? compiled.get(module.id) : undefined;
    const missing = code === undefined ? [] : findMissing(module, code, { modules, compiled });
    return missing.some(({ statement }) => code?.code.startsWith('import', statement.from));
  });
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
    const target = module.imports.find(({ text, isOwn }) => isOwn && text === statement.text)?.target;
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
      const target = module.imports.find(({ text }) => text === star);
      if (!target?.isOwn) return true;
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
