import { createHash } from 'node:crypto';
import { parse } from 'es-module-lexer';
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
  return parse(code)[0].flatMap(({ n: text, s, e, d, ss, se, a }): readonly Cut[] => {
    if (text === undefined && d < 0) return [];
    if (text === undefined)
      return [{ text: '', isRequired: false, attributes: '', isComputed: true, from: ss, to: d + 1 }];
    // Of `import(…)` the quotes belong to it, and so does the bracket behind it.
    const isCalled = d >= 0;
    const [from, end] = isCalled ? [s, e] : [s - 1, e + 1];
    const to = a < 0 ? end : isCalled ? se - 1 : se;
    return [{ text, isRequired: false, from, to, attributes: code.slice(end, to) }];
  });
}

/** esbuild writes each `require` of a text in this way. */
const REQUIRE = /\brequire(?:\.resolve)?\(("(?:[^"\\]|\\.)*")(?=\))/g;

function findRequires(code: string): readonly Cut[] {
  return [...code.matchAll(REQUIRE), ...code.matchAll(IMPORT)]
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, 0: whole, 1: literal = '""' }) => ({
      text: JSON.parse(literal) as string,
      isRequired: whole.startsWith('require'),
      from: index + whole.length - literal.length,
      to: index + whole.length,
      attributes: '',
    }));
}

/** CommonJS may import too, when it runs. */
const IMPORT = /\bimport\(("(?:[^"\\]|\\.)*")(?=\))/g;
