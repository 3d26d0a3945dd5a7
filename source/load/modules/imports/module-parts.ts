import { createHash } from 'node:crypto';
import { type ImportSpecifier, parse } from 'es-module-lexer';
import type { CompiledModule } from '../module-compiler.ts';
import type { OwnModule } from '../module-graph.ts';

/** A compiled module, taken apart at what it imports. */
export interface ModuleParts {
  /** The same for the same code. */
  readonly hash: string;
  readonly imports: readonly ImportPart[];
  /** The texts before each import, and behind the last one: one more than there are imports. */
  readonly texts: readonly string[];
}

export interface ImportPart {
  /** The text that is imported, as it is written. */
  readonly text: string;
  readonly isRequired: boolean;
  /** The attributes, `with { type: "json" }`; they go where data has become code. */
  readonly attributes: string;
  /** Whether the path is computed when the import is made: the part is then all before its value, `import(`. */
  readonly isComputed?: boolean;
}

/** In place of the quoted text of an import. */
interface Cut extends ImportPart {
  readonly from: number;
  readonly to: number;
}

const known = new WeakMap<CompiledModule, ModuleParts>();

/** Takes a module apart, once. `init` of the lexer comes before. */
export function toModuleParts(compiled: CompiledModule, format: OwnModule['format']): ModuleParts {
  const parts = known.get(compiled) ?? cut(compiled, format);
  known.set(compiled, parts);
  return parts;
}

function cut({ code, mapLine, map = '' }: CompiledModule, format: OwnModule['format']): ModuleParts {
  const cuts = format === 'json' ? [] : format === 'cjs' ? findRequires(code) : findImports(code);
  const starts = [0, ...cuts.map(({ to }) => to)];
  return {
    hash: createHash('sha1').update(code).update(mapLine).update(map).digest('hex'),
    imports: cuts,
    texts: starts.map((start, index) => code.slice(start, cuts[index]?.from ?? code.length)),
  };
}

function findImports(code: string): readonly Cut[] {
  return parse(code)[0].flatMap((found): readonly Cut[] => {
    const { n: text, s, e, d, se, a } = found;
    if (text === undefined) return toComputed(found);
    // Of `import(…)` the quotes belong to it, and so does the bracket behind it.
    const isCalled = d >= 0;
    const [from, end] = isCalled ? [s, e] : [s - 1, e + 1];
    const to = a < 0 ? end : isCalled ? se - 1 : se;
    return [{ text, isRequired: false, from, to, attributes: code.slice(end, to) }];
  });
}

/** An import of a path that is computed; `import.meta` begins like one. */
function toComputed({ d, ss }: ImportSpecifier): readonly Cut[] {
  return d < 0 ? [] : [{ text: '', isRequired: false, attributes: '', isComputed: true, from: ss, to: d + 1 }];
}

function findComputed(code: string): readonly Cut[] {
  if (!code.includes('import(')) return [];
  try {
    return parse(code)[0].flatMap((found) => (found.n === undefined ? toComputed(found) : []));
  } catch {
    return []; // Some code that CommonJS may be is not that of a module.
  }
}

/** esbuild writes each `require` of a text in this way. */
const REQUIRE = /\brequire(?:\.resolve)?\(("(?:[^"\\]|\\.)*")(?=\))/g;

function findRequires(code: string): readonly Cut[] {
  const quoted = [...code.matchAll(REQUIRE), ...code.matchAll(IMPORT)].map(
    ({ index, 0: whole, 1: literal = '""' }) => ({
      text: JSON.parse(literal) as string,
      isRequired: whole.startsWith('require'),
      from: index + whole.length - literal.length,
      to: index + whole.length,
      attributes: '',
    }),
  );
  return [...quoted, ...findComputed(code)].toSorted((a, b) => a.from - b.from);
}

/** CommonJS may import too, when it runs. */
const IMPORT = /\bimport\(("(?:[^"\\]|\\.)*")(?=\))/g;
