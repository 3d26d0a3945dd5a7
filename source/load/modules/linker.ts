import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { init } from 'es-module-lexer';
import { toComponents } from './components.ts';
import { type Found, findComputed, fromSource, toComputedImport } from './imports/computed-import.ts';
import { type ImportPart, type ModuleParts, toModuleParts } from './imports/module-parts.ts';
import type { CompiledModule } from './module-compiler.ts';
import type { ModuleGraph, OwnModule } from './module-graph.ts';
import { createNamesOfModules } from './names-of-modules.ts';
import { shiftMap, shiftMapText } from './shift-map.ts';

/** The meaning of an import of `text` by a file, where it stays outside: a URL, a path; undefined where nobody knows. */
export type FindOutside = (text: string, importer: string, isRequired: boolean) => string | undefined;

export interface LinkOptions {
  readonly graph: ModuleGraph;
  /** Modules by id. */
  readonly compiled: ReadonlyMap<string, CompiledModule>;
  readonly findOutside: FindOutside;
  /** Absolute path of the folder that the modules will lie in. */
  readonly folder: string;
  /** Id of a module that pauses under a debugger before it begins. */
  readonly pausedId?: string | undefined;
  /** The numbers from which modules count what they declare, by id. @default they go on where the one before ended */
  readonly counts?: ReadonlyMap<string, number> | undefined;
}

/** A program of one file for each module. */
export interface LinkedProgram {
  /** Name of the file that is run. */
  readonly entry: string;
  /** Names of files, by the ids of modules. */
  readonly names: ReadonlyMap<string, string>;
  /** Texts by name. A name tells of what is in the file and in all that it imports: the same name is the same program. */
  readonly files: ReadonlyMap<string, () => string>;
}

/** Makes the imports of modules lead to one another, wherever they lie; what leads where it led is not made again. */
export interface Linker {
  readonly link: (options: LinkOptions) => Promise<LinkedProgram>;
  /** Whether a module uses what no other exports. */
  readonly missesImports: (program: Pick<LinkOptions, 'compiled' | 'graph'>) => Promise<boolean>;
}

interface Linked {
  readonly module: OwnModule;
  readonly compiled: CompiledModule;
  readonly parts: ModuleParts;
  readonly mapLine: string;
  /** The code before its own, on the first line. */
  readonly before: string;
  /** The target of each import: an own module by its id, or something else by its text. */
  readonly targets: readonly Target[];
  /** Ids of the modules among them. */
  readonly next: readonly string[];
  /** The same while all of this is. */
  readonly own: string;
}

/** The name of a module, and what it tells of: the module, and the names of all that it leads to. */
interface Named {
  readonly linked: Linked;
  readonly hash: string;
  readonly name: string;
}

interface Target {
  readonly id?: string | undefined;
  readonly outside?: string | undefined;
  /** The ids of the modules that a computed path may mean; undefined for any other. */
  readonly found?: Found | undefined;
}

export function createLinker(): Linker {
  const names = createNamesOfModules();
  let linked: ReadonlyMap<string, Linked> = new Map();
  let named: ReadonlyMap<string, Named> = new Map();
  return {
    link: async (options) => {
      await init;
      const compiled = names.withoutTypes(options.graph, options.compiled);
      linked = linkAll(compiled, options, linked);
      named = nameModules(linked, named);
      return toProgram(linked, named, options);
    },
    missesImports: async ({ graph, compiled }) => {
      await init;
      return names.missesImports(graph, compiled);
    },
  };
}

function linkAll(
  compiled: LinkOptions['compiled'],
  options: LinkOptions,
  before: ReadonlyMap<string, Linked>,
): ReadonlyMap<string, Linked> {
  const linked = new Map<string, Linked>();
  for (const module of options.graph.modules.values()) {
    const found = compiled.get(module.id);
    if (found !== undefined) linked.set(module.id, link(module, found, { ...options, known: before.get(module.id) }));
  }
  return linked;
}

function toProgram(
  linked: ReadonlyMap<string, Linked>,
  named: ReadonlyMap<string, Named>,
  { graph, folder }: LinkOptions,
): LinkedProgram {
  const toNames = (found: Found): Found => found.map(([text, id]) => [text, `./${named.get(id)?.name ?? ''}`]);
  const toText = (name: string, { module, parts, targets, mapLine, before, compiled: { map } }: Linked): string => {
    const imports = parts.imports.map((part, index) => toImport(part, targets[index] ?? {}, module.path));
    const code = parts.texts.map((text, index) => text + (imports[index] ?? '')).join('');
    const last = map === undefined ? shiftMap(mapLine, before.length) : `//# sourceMappingURL=${name}.map\n`;
    return `${before}${code}${last}`;
  };
  const toImport = (
    { text, isRequired, attributes }: ImportPart,
    { id, outside, found }: Target,
    path: string,
  ): string => {
    if (found !== undefined) return toComputedImport(toNames(found), path);
    const module = id === undefined ? undefined : linked.get(id)?.module;
    if (module === undefined)
      return JSON.stringify(outside ?? (isRequired ? text : fromSource(text, path))) + attributes;
    // CommonJS reads data as it is.
    if (isRequired && module.format === 'json') return JSON.stringify(module.path);
    const name = named.get(module.id)?.name ?? '';
    return JSON.stringify(isRequired ? join(folder, name) : `./${name}`);
  };
  const toFiles = (each: Linked): [string, () => string][] => {
    const name = named.get(each.module.id)?.name ?? '';
    const { map } = each.compiled;
    const files: [string, () => string][] = [[name, () => toText(name, each)]];
    return map === undefined ? files : [...files, [`${name}.map`, () => shiftMapText(map, each.before.length)]];
  };
  return {
    entry: named.get(graph.entry)?.name ?? '',
    names: new Map([...named].map(([id, { name }]) => [id, name])),
    files: new Map([...linked.values()].flatMap(toFiles)),
  };
}

interface LinkOne extends LinkOptions {
  /** As it was in the program before. */
  readonly known: Linked | undefined;
}

function link(module: OwnModule, compiled: CompiledModule, options: LinkOne): Linked {
  const { findOutside, pausedId, known } = options;
  const before = `${module.id === pausedId ? 'debugger; ' : ''}${toCount(module, compiled, options)}`;
  const isSame = known?.module === module && known.compiled === compiled && known.before === before;
  if (isSame && leadsWhereItLed(known, findOutside)) return known;
  const parts = toModuleParts(compiled, module.format);
  const own = new Map(module.imports.flatMap(({ text, target }) => (text === undefined ? [] : [[text, target]])));
  const computed = findComputed(module);
  const targets = parts.imports.map(({ text, isRequired, isComputed }): Target => {
    if (isComputed) return { found: [...computed] };
    const id = own.get(text) ?? computed.get(text);
    return id === undefined ? { outside: findOutside(text, module.path, isRequired) } : { id };
  });
  return {
    module,
    compiled,
    parts,
    targets,
    mapLine: compiled.mapLine,
    before,
    next: targets.flatMap(({ id, found = [] }) => [
      ...(id === undefined ? [] : [id]),
      ...found.map(([, each]) => each),
    ]),
    own: JSON.stringify([module.id, parts.hash, targets, before]),
  };
}

/** Imports of the project's modules do, while their module is the same. */
function leadsWhereItLed({ module, parts, targets }: Linked, findOutside: FindOutside): boolean {
  return parts.imports.every(({ text, isRequired, isComputed }, index) => {
    const { id, outside } = targets[index] ?? {};
    return isComputed || id !== undefined || findOutside(text, module.path, isRequired) === outside;
  });
}

function toCount({ id, format }: OwnModule, { code }: CompiledModule, { counts }: LinkOptions): string {
  const count = counts?.get(id);
  if (count === undefined || format !== 'esm' || code.startsWith('#!')) return '';
  return `Object.assign(global, { [Symbol.for("capix.declarationCount")]: ${count} }); `;
}

function nameModules(
  linked: ReadonlyMap<string, Linked>,
  before: ReadonlyMap<string, Named>,
): ReadonlyMap<string, Named> {
  const next = (id: string): readonly string[] => (linked.get(id)?.next ?? []).filter((target) => linked.has(target));
  const named = new Map<string, Named>();
  const keep = (id: string): boolean => {
    const known = before.get(id);
    return known !== undefined && known.linked === linked.get(id);
  };
  for (const component of toComponents(linked.keys(), next)) {
    const inside = new Set(component);
    const isKept = (target: string): boolean => inside.has(target) || named.get(target) === before.get(target);
    const isKnown = component.every((id) => keep(id) && next(id).every(isKept));
    const hash = isKnown ? '' : toHash(component, { linked, named, next });
    for (const id of component) {
      const each = linked.get(id);
      const known = before.get(id);
      if (each === undefined) continue;
      named.set(id, isKnown && known !== undefined ? known : { linked: each, hash, name: toName(each.module, hash) });
    }
  }
  return named;
}

interface Hashed {
  readonly linked: ReadonlyMap<string, Linked>;
  readonly named: ReadonlyMap<string, Named>;
  readonly next: (id: string) => readonly string[];
}

/** Tells of all modules of a component, and of all that they lead to. */
function toHash(component: readonly string[], { linked, named, next }: Hashed): string {
  const hash = createHash('sha1');
  for (const id of component) {
    hash.update(linked.get(id)?.own ?? '');
    for (const other of next(id)) hash.update(named.get(other)?.hash ?? '');
  }
  return hash.digest('hex');
}

function toName({ id, path, format }: OwnModule, hash: string): string {
  const unique = createHash('sha1').update(id).update(hash).digest('hex').slice(0, 16);
  return `${basename(path).replaceAll(/[^\w.-]/g, '_')}-${unique}.${format === 'cjs' ? 'cjs' : 'mjs'}`;
}
