import { setTimeout as pause } from 'node:timers/promises';
import type { parse as parseCode } from 'acorn';
import { toComponents } from '../components.ts';
import type { CompiledModule } from '../module-compiler.ts';
import type { ModuleGraph, OwnModule } from '../module-graph.ts';
import { isKnownPackage, isZod } from './is-known-package.ts';
import { LoudCode } from './quiet-kind.ts';
import { type QuietExports, readQuietExports } from './read-quiet-exports.ts';

/** Larger files take longer to look at than to run. */
const MAX_CHARACTERS = 4_000_000;
/** The length from which a look takes so long that it would hold up requests to the code that has just started, characters. */
const LONG_CHARACTERS = 200_000;
/** The time that such requests have, milliseconds. */
const REQUESTS_MS = 500;

/** Finds the modules of a program that only declare; what has not changed is not looked at again. */
export interface QuietModules {
  /** Ids, in the order in which they can be run. */
  readonly find: (graph: ModuleGraph, compiled: ReadonlyMap<string, CompiledModule>) => Promise<readonly string[]>;
}

interface Seen {
  readonly compiled: CompiledModule;
  /** The exports of the modules of the project that it imports, in their order. */
  readonly imported: readonly (QuietExports | undefined)[];
  /** Undefined where the module may do more than declare. */
  readonly exports: QuietExports | undefined;
}

/**
 * A module is quiet that makes schemas, capabilities, plain data and functions, and imports nothing of the project that is not: nobody can tell
 * when it ran, or that it ran and was not needed. Whoever reads a clock, the environment or a file, changes something, calls code that is not
 * known, or waits, is not quiet. Nothing is where a package may change zod.
 */
export function createQuietModules(): QuietModules {
  let seen = new Map<string, Seen>();
  return {
    find: async (graph, compiled) => {
      if (mayChangeZod(graph, compiled)) return [];
      const { parse } = await import('acorn');
      const isLong = [...compiled].some(([id, each]) => isLongAndOther(each, seen.get(id)?.compiled));
      if (isLong) await pause(REQUESTS_MS, undefined, { ref: false });
      const next = (id: string): readonly string[] => toOwnImports(graph.modules.get(id)).map(({ target }) => target);
      const now = new Map<string, Seen>();
      const quiet: string[] = [];
      for (const [id, ...others] of toComponents(graph.modules.keys(), next)) {
        const module = graph.modules.get(id ?? '');
        const code = compiled.get(id ?? '');
        if (id === undefined || module === undefined || code === undefined || others.length > 0) continue;
        const imported = next(id).map((target) => now.get(target)?.exports);
        const before = seen.get(id);
        const isKnown = before?.compiled === code && before.imported.every((each, index) => each === imported[index]);
        const exports = isKnown
          ? before.exports
          : toExports(module, code, { find: (target) => now.get(target)?.exports, parse });
        now.set(id, { compiled: code, imported, exports: keepSame(before?.exports, exports) });
        if (exports !== undefined) quiet.push(id);
      }
      seen = now;
      return quiet;
    },
  };
}

function isLongAndOther(now: CompiledModule, before: CompiledModule | undefined): boolean {
  return now.code.length >= LONG_CHARACTERS && now !== before;
}

function toOwnImports(module: OwnModule | undefined): OwnModule['imports'] {
  return (module?.imports ?? []).filter(({ isOwn }) => isOwn);
}

function keepSame(before: QuietExports | undefined, exports: QuietExports | undefined): QuietExports | undefined {
  const isSame =
    before?.size === exports?.size && [...(exports ?? [])].every(([name, kind]) => before?.get(name) === kind);
  return isSame ? before : exports;
}

/** Packages that add to zod must run before every schema; so must files that hand it on, and that tell its registry of schemas what others declared. */
function mayChangeZod({ modules }: ModuleGraph, compiled: ReadonlyMap<string, CompiledModule>): boolean {
  for (const { id, imports, format } of modules.values()) {
    const outside = imports.filter(({ isOwn }) => !isOwn).map(({ target }) => target);
    if (outside.some((target) => /zod/.test(target) && !isZod(target))) return true;
    if (!outside.some(isZod)) continue;
    const code = compiled.get(id)?.code ?? '';
    const [, , name] = /\bimport\s*(?:\{\s*z(\s+as\s+(\w+))?\s*\}|\*\s*as\s+(\w+))\s*from\s*"zod/.exec(code) ?? [];
    const body = code.replaceAll(/^import\b[^;]*;/gm, '');
    if (
      format === 'cjs' ||
      /\.prototype\b/.test(body) ||
      /\bglobalRegistry\b/.test(code) ||
      new RegExp(`\\b${name ?? 'z'}\\b(?!\\s*[.:])`).test(body)
    )
      return true;
  }
  return false;
}

interface Look {
  readonly find: (target: string) => QuietExports | undefined;
  readonly parse: typeof parseCode;
}

function toExports(module: OwnModule, { code }: CompiledModule, { find, parse }: Look): QuietExports | undefined {
  if (module.format === 'cjs' || code.length > MAX_CHARACTERS) return undefined;
  if (toOwnImports(module).some(({ kind, target }) => kind !== 'static' || find(target) === undefined))
    return undefined;
  const outside = module.imports.filter(({ isOwn }) => !isOwn);
  if (!outside.every(({ target }) => isKnownPackage(target))) return undefined;
  if (module.format === 'json') return toDataExports(code);
  try {
    return readQuietExports(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), { module, find });
  } catch (thrown) {
    if (thrown instanceof LoudCode || thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** The names of parts of JSON are those of its code. */
function toDataExports(code: string): QuietExports {
  const [, list = ''] = /\nexport \{ ([^{}]*) \};\n$/.exec(code) ?? [];
  const names = list.split(', ').flatMap((part) => / as "(.*)"$/.exec(part)?.[1] ?? []);
  return new Map(['default', ...names].map((name) => [name, 'data']));
}
