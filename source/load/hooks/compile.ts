import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Script } from 'node:vm';
import type * as swc from '@swc/core';
import { initSync, parse } from 'cjs-module-lexer';
import stringWidth from 'string-width';
import { createCliError } from '../../cli/cli-error.ts';
import { findFileSettings } from './compiler-options.ts';
import { isOfModules } from './own-file.ts';

export interface Compiled {
  readonly format: 'module' | 'commonjs';
  readonly code: string;
}

/** TypeScript that cannot be compiled. Its stack names the place as the only frame. */
export class CompileError extends SyntaxError {
  readonly code = 'ERR_COMPILE';
  /** `/shop/src/a.ts:3:9` */
  readonly place: string;

  /** `drawn`: the compiler's report, with the lines of the code, in the signs and colours that suit the terminal. */
  constructor(file: string, text: string, drawn: string) {
    const report = stripVTControlCharacters(drawn);
    const message = /^\s*(?:[x×]\s+)?(.*\S)/.exec(report)?.[1] ?? report;
    super(message);
    const reportedLine = Number(/[-─]\[.*:(\d+):\d+\]/.exec(report)?.[1] ?? 1);
    const drawing = new RegExp(`\\n +${reportedLine} [|│].*\\n +[:·] ( *)\\S`);
    const mark = drawing.exec(report)?.[1];
    // Nothing is marked where the text ends too early.
    const end = text.trimEnd().split('\n');
    const line = mark === undefined ? end.length : reportedLine;
    const code = text.split('\n')[line - 1] ?? '';
    const column = mark === undefined ? (end.at(-1)?.length ?? 0) + 1 : toColumn(code, mark.length);
    this.place = `${file}:${line}:${column}`;
    this.stack = `SyntaxError: ${message}\n    at ${this.place}`;
  }
}

/** The column, from 1, of what the compiler draws at so many columns of a terminal from the left. */
function toColumn(line: string, width: number): number {
  let column = 0;
  while (
    column < line.length &&
    stringWidth(line.slice(0, column).replaceAll('\t', '    ')) < width
  )
    column += 1;
  return column + 1;
}

/**
 * Compiles a file (absolute path) as its tsconfig.json says. Its format is what `tsc` makes of it, but a file that uses
 * `import.meta` or waits at its top level is a module.
 * @throws CompileError
 */
export function compileFile(file: string, text: string): Compiled {
  const format = toFormat(file, text);
  const code = transform(file, text, format);
  if (format === 'module' || file.endsWith('.cts') || !waits(code)) return { format, code };
  return { format: 'module', code: transform(file, text, 'module') };
}

/** A file as CommonJS. @throws CompileError, also where it waits at its top level */
export function compileToCommonJs(file: string, text: string): string {
  const code = transform(file, text, 'commonjs');
  if (waits(code)) throw new CompileError(file, text, 'top-level `await` is not available here');
  return code;
}

function toFormat(file: string, text: string): Compiled['format'] {
  const kind = /\.([cm])tsx?$/.exec(file)?.[1];
  if (kind !== undefined) return kind === 'm' ? 'module' : 'commonjs';
  const isModule =
    isOfModules(dirname(file)) || /^(?:es|preserve)/.test(findFileSettings(file).module);
  return isModule || /\bimport\.meta\b/.test(text) ? 'module' : 'commonjs';
}

/** Whether CommonJS waits at its top level, where it cannot. */
function waits(code: string): boolean {
  if (!/\bawait\b/.test(code)) return false;
  try {
    // Its constructor throws where the code cannot be parsed. V8 only looks over a function that is not called.
    new Script(`function file() { ${code}\n}`);
    return false;
  } catch {
    return true;
  }
}

function transform(file: string, text: string, format: Compiled['format']): string {
  const assigns = /\bimport\s+[\w$]+\s*=\s*require\b/.test(text);
  const moduleType = assigns ? 'nodenext' : 'es6';
  const { target, transform: settings } = findFileSettings(file);
  const { transformSync } = requireCompiler(file);
  try {
    return transformSync(text, {
      filename: file,
      // As Node names it, and so as debuggers look for it.
      sourceFileName: pathToFileURL(file).href,
      swcrc: false,
      configFile: false,
      sourceMaps: 'inline',
      inlineSourcesContent: false,
      module: {
        type: format === 'commonjs' ? 'commonjs' : moduleType,
        ignoreDynamic: true,
        exportInteropAnnotation: true,
      } as swc.ModuleConfig,
      jsc: {
        target,
        parser: { syntax: 'typescript', decorators: true, tsx: file.endsWith('x') },
        transform: settings,
        experimental: { keepImportAttributes: true },
      },
    }).code;
  } catch (error) {
    throw new CompileError(file, text, (error as Error).message);
  }
}

let compiler: typeof swc | undefined;

/** Projects have it: servers in production do not need its 40 MB. @throws CliError `MissingPackage` */
export function requireCompiler(file: string): typeof swc {
  // A package manager that keeps packages apart lets capix see only what it names.
  for (const from of [import.meta.url, file]) {
    try {
      compiler ??= createRequire(from)('@swc/core') as typeof swc;
      return compiler;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw createCliError('MissingPackage', {
    name: '@swc/core',
    purpose: 'which capix reads the project with',
  });
}

/** Loads it ahead of its use. */
export function prepareCompiler(file: string): void {
  try {
    requireCompiler(file);
  } catch {
    // The hooks report it to whoever uses it.
  }
}

/**
 * An ES module that stands for a CommonJS file (URL), which Node 22 can only require where hooks have compiled it.
 * `follow` gives the code of a file that its exports are handed on from.
 */
export function toFacade(
  url: string,
  code: string,
  follow: (specifier: string) => string | undefined,
): string {
  initSync();
  const names = findNames(code, follow, new Set());
  names.delete('default');
  return [
    "import { createRequire } from 'node:module';",
    "import { fileURLToPath } from 'node:url';",
    `const all = createRequire(${JSON.stringify(url)})(fileURLToPath(${JSON.stringify(url)}));`,
    `export default all; export { all as 'module.exports' };`,
    toNamedExports(names),
  ].join('\n');
}

export function toNamedExports(names: Iterable<string>): string {
  return Array.from(names, (name, index) => {
    const quoted = JSON.stringify(name);
    return `const $${index} = all[${quoted}]; export { $${index} as ${quoted} };`;
  }).join('\n');
}

function findNames(
  code: string,
  follow: (specifier: string) => string | undefined,
  seen: Set<string>,
): Set<string> {
  const { exports, reexports } = parse(code);
  const more = reexports
    .filter((specifier) => !seen.has(specifier))
    .flatMap((specifier) => {
      const text = follow(specifier);
      return text === undefined ? [] : [...findNames(text, follow, seen.add(specifier))];
    });
  return new Set([...exports, ...more]);
}
