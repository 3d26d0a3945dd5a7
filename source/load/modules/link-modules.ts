import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { init } from 'es-module-lexer';
import { toComponents } from './components.ts';
import type { CompiledModule } from './module-compiler.ts';
import type { ModuleGraph, OwnModule } from './module-graph.ts';
import { type ImportPart, type ModuleParts, toModuleParts } from './module-parts.ts';
import { shiftMap } from './shift-map.ts';
import { withoutTypes } from './without-types.ts';

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

interface Linked {
  readonly module: OwnModule;
  readonly parts: ModuleParts;
  readonly mapLine: string;
  /** The code before its own, on the first line. */
  readonly before: string;
  /** The target of each import: an own module by its id, or something else by its text. */
  readonly targets: readonly Target[];
}

interface Target {
  readonly id?: string | undefined;
  readonly outside?: string | undefined;
}

/** Makes the imports of modules lead to one another, wherever they lie. */
export async function linkModules(options: LinkOptions): Promise<LinkedProgram> {
  await init;
  const { graph, folder } = options;
  const compiled = withoutTypes(graph, options.compiled);
  const linked = new Map<string, Linked>();
  for (const module of graph.modules.values()) {
    const found = compiled.get(module.id);
    if (found !== undefined) linked.set(module.id, link(module, found, options));
  }
  const names = nameModules(linked);
  const toText = ({ parts, targets, mapLine, before }: Linked): string => {
    const imports = parts.imports.map((part, index) => toImport(part, targets[index] ?? {}));
    const code = parts.texts.map((text, index) => text + (imports[index] ?? '')).join('');
    return `${before}${code}${shiftMap(mapLine, before.length)}`;
  };
  const toImport = ({ text, isRequired, attributes }: ImportPart, { id, outside }: Target): string => {
    const module = id === undefined ? undefined : linked.get(id)?.module;
    if (module === undefined) return JSON.stringify(outside ?? text) + attributes;
    // CommonJS reads data as it is.
    if (isRequired && module.format === 'json') return JSON.stringify(module.path);
    const name = names.get(module.id) ?? '';
    return JSON.stringify(isRequired ? join(folder, name) : `./${name}`);
  };
  return {
    entry: names.get(graph.entry) ?? '',
    names,
    files: new Map([...linked.values()].map((each) => [names.get(each.module.id) ?? '', () => toText(each)])),
  };
}

function link(module: OwnModule, compiled: CompiledModule, options: LinkOptions): Linked {
  const { findOutside, pausedId } = options;
  const parts = toModuleParts(compiled, module.format);
  const own = new Map(module.imports.flatMap(({ text, target }) => (text === undefined ? [] : [[text, target]])));
  const targets = parts.imports.map(({ text, isRequired }): Target => {
    const id = own.get(text);
    return id === undefined ? { outside: findOutside(text, module.path, isRequired) } : { id };
  });
  const before = `${module.id === pausedId ? 'debugger; ' : ''}${toCount(module, compiled, options)}`;
  return { module, parts, targets, mapLine: compiled.mapLine, before };
}

function toCount({ id, format }: OwnModule, { code }: CompiledModule, { counts }: LinkOptions): string {
  const count = counts?.get(id);
  if (count === undefined || format !== 'esm' || code.startsWith('#!')) return '';
  return `Object.assign(global, { [Symbol.for("capix.declarationCount")]: ${count} }); `;
}

function nameModules(linked: ReadonlyMap<string, Linked>): ReadonlyMap<string, string> {
  const next = (id: string): readonly string[] =>
    (linked.get(id)?.targets ?? []).flatMap((target) =>
      target.id === undefined || !linked.has(target.id) ? [] : target.id,
    );
  const hashes = new Map<string, string>();
  for (const component of toComponents(linked.keys(), next)) {
    const hash = createHash('sha1');
    for (const id of component) {
      const { parts, targets, before } = linked.get(id) ?? {};
      hash.update(JSON.stringify([id, parts?.hash, targets, before]));
      for (const other of next(id)) hash.update(hashes.get(other) ?? '');
    }
    const common = hash.digest('hex');
    for (const id of component) hashes.set(id, common);
  }
  return new Map([...linked.values()].map(({ module }) => [module.id, toName(module, hashes.get(module.id) ?? '')]));
}

function toName({ id, path, format }: OwnModule, hash: string): string {
  const unique = createHash('sha1').update(id).update(hash).digest('hex').slice(0, 16);
  return `${basename(path).replaceAll(/[^\w.-]/g, '_')}-${unique}.${format === 'cjs' ? 'cjs' : 'mjs'}`;
}
