import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type * as swc from '@swc/core';
import { initSync, parse } from 'cjs-module-lexer';
import { createCliError } from '../../cli/cli-error.ts';
import { attempt } from '../../values/attempt.ts';
import { type Compiled, compileOnce } from './compile-cache.ts';
import { toDrawnError } from './compile-error.ts';
import { type FileSettings, findFileSettings } from './compiler-options.ts';
import { isCompiled, isOfModules } from './own-file.ts';
import { canStripTypes, stripTypes } from './strip-types.ts';

/**
 * Compiles a file (absolute path) as its tsconfig.json says. Its format is what `tsc` makes of it, but a file that uses
 * `import.meta` or waits at its top level is a module. Without a compiler, Node takes out the types.
 * @throws CompileError
 */
export function compileFile(file: string, text: string): Compiled {
  const version = findCompilerVersion(file);
  if (version === undefined) return compileAnew(file, text);
  const { target, transform: settings, interop } = findFileSettings(file);
  const inputs = JSON.stringify([version, toFormat(file, text), target, settings, interop]);
  return compileOnce(file, `${inputs}\n${text}`, () => compileAnew(file, text));
}

function compileAnew(file: string, text: string): Compiled {
  if (isStripped(file)) return stripFile(file, text);
  const format = toFormat(file, text);
  const code = transform(file, text, format);
  if (format === 'module' || file.endsWith('.cts') || !waits(code)) return { format, code };
  return { format: 'module', code: transform(file, text, 'module') };
}

/** A file as CommonJS. @throws CompileError, also where it waits at its top level */
export function compileToCommonJs(file: string, text: string): string {
  const code = transform(file, text, 'commonjs');
  if (waits(code)) throw toDrawnError(file, text, 'top-level `await` is not available here');
  return code;
}

/** Whether a file has its types taken out by Node, since the project has no compiler. */
export function isStripped(file: string): boolean {
  return canStripTypes && isCompiled(file) && obtainCompiler(file) === undefined;
}

/** As Node itself decides: a file that is written as a module is one, whatever package.json says. */
function stripFile(file: string, text: string): Compiled {
  const code = stripTypes(file, text);
  const format = toStatedFormat(file) ?? (isCommonJsCode(code) ? 'commonjs' : 'module');
  return { format, code };
}

function toFormat(file: string, text: string): Compiled['format'] {
  return toStatedFormat(file) ?? (/\bimport\.meta\b/.test(text) ? 'module' : 'commonjs');
}

/** The format that the name of a file, its package.json or its tsconfig.json state. */
function toStatedFormat(file: string): Compiled['format'] | undefined {
  const kind = /\.([cm])tsx?$/.exec(file)?.[1];
  if (kind !== undefined) return kind === 'm' ? 'module' : 'commonjs';
  const isModule =
    isOfModules(dirname(file)) || /^(?:es|preserve)/.test(findFileSettings(file).module);
  return isModule ? 'module' : undefined;
}

/** Whether CommonJS waits at its top level, where it cannot. */
function waits(code: string): boolean {
  return /\bawait\b/.test(code) && !isCommonJsCode(code);
}

function isCommonJsCode(code: string): boolean {
  try {
    // Its constructor throws where the code cannot be parsed. V8 only looks over a function that is not called.
    new Script(`function file() { ${code}\n}`);
    return true;
  } catch {
    return false;
  }
}

function transform(file: string, text: string, format: Compiled['format']): string {
  const assigns = /\bimport\s+[\w$]+\s*=\s*require\b/.test(text);
  const moduleType = assigns ? 'nodenext' : 'es6';
  const { target, transform: settings, interop } = findFileSettings(file);
  const { transformSync } = requireCompiler(file);
  try {
    const { code } = transformSync(text, {
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
        importInterop: interop === 'none' ? 'none' : 'swc',
      } as swc.ModuleConfig,
      jsc: {
        target,
        parser: { syntax: 'typescript', decorators: true, tsx: file.endsWith('x') },
        transform: settings,
        experimental: { keepImportAttributes: true },
      },
    });
    return format === 'commonjs' ? fitToTsc(code, interop) : code;
  } catch (error) {
    throw toDrawnError(file, text, (error as Error).message);
  }
}

/** The exports of a file as the compiler writes them before all else: several, or one. */
const EXPORTS = new RegExp(
  [
    /^_export\(exports, \{\n(?:    get .+ \(\) \{\n        return .+;\n    \},?\n)+/,
    /^Object\.defineProperty\(exports, ".+", \{\n    enumerable: true,\n    get: function\(\) \{\n        return .+;\n/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

/**
 * What the compiler's CommonJS lacks of that of `tsc`, on the same lines: an export that is read before its declaration
 * has run is undefined, which circles of decorated classes need; a module without interop is one of ECMAScript still;
 * and `import * as f` of a function may be called where the setting is that of before TypeScript 6.
 */
function fitToTsc(code: string, interop: FileSettings['interop']): string {
  const mark = 'Object.defineProperty(exports, "__esModule", { value: true });';
  const marked =
    interop === 'none' && EXPORTS.test(code) ? code.replace(/^"use strict";/, `$&${mark}`) : code;
  const fitted = marked.replace(EXPORTS, (exported) => {
    const safe = exported.replaceAll(
      /return (.+);$/gm,
      'try { return $1; } catch { return undefined; }',
    );
    // The compiler lists several names for Node. Node finds a single one itself, but not one with such a getter, which
    // it passes over: so it sees an assignment alone.
    return safe.replace(
      /^Object\.defineProperty(\(exports, (".+"), \{)/,
      '0 && (exports[$2] = 0); Object["defineProperty"]$1',
    );
  });
  return interop === 'old'
    ? fitted.replace(
        'if (!nodeInterop && obj',
        "if (typeof obj === 'function' || !nodeInterop && obj",
      )
    : fitted;
}

let compiler: typeof swc | undefined;
let isMissing = false;
let compilerVersion: string | undefined;

/** The compiler may have been installed meanwhile. */
export function forgetCompiler(): void {
  isMissing = false;
  compilerVersion = undefined;
}

/** The version of the compiler, which is not loaded for it; undefined where there is none. */
function findCompilerVersion(file: string): string | undefined {
  if (isMissing) return undefined;
  for (const from of [import.meta.url, file])
    compilerVersion ??= attempt(
      () => (createRequire(from)('@swc/core/package.json') as { version: string }).version,
    );
  return compilerVersion;
}

/** Projects have it: servers in production do not need its 40 MB. */
export function obtainCompiler(file: string): typeof swc | undefined {
  if (isMissing) return undefined;
  // A package manager that keeps packages apart lets capix see only what it names.
  for (const from of [import.meta.url, file]) {
    try {
      compiler ??= createRequire(from)('@swc/core') as typeof swc;
      return compiler;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  isMissing = true;
  return undefined;
}

/** @throws CliError `MissingPackage` */
export function requireCompiler(file: string): typeof swc {
  const found = obtainCompiler(file);
  if (found !== undefined) return found;
  const purpose = canStripTypes
    ? 'which compile this'
    : 'which read TypeScript on Node before 22.18';
  throw createCliError('MissingPackage', { name: '@swc/core', purpose });
}

/** Loads it ahead of its use. */
export function prepareCompiler(file: string): void {
  try {
    obtainCompiler(file);
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
