import { lstatSync, readFileSync } from 'node:fs';
import {
  createRequire,
  isBuiltin,
  type LoadFnOutput,
  type LoadHookContext,
  type ResolveFnOutput,
  type ResolveHookContext,
} from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CodeNote, type HooksOrder, isAsRead, type ReadFile, readCode } from './code-note.ts';
import { compileFile, forgetCompiler, toFacade, toNamedExports } from './compile.ts';
import type { Compiled } from './compile-cache.ts';
import { forgetSettings } from './compiler-options.ts';
import { CopiedTree } from './copied-tree.ts';
import {
  findFile,
  findImported,
  findPackageFile,
  forgetPackages,
  isCompiled,
  toOwnFile,
} from './own-file.ts';

/** The answer of Node: at once on its own thread, later on another. */
type Later<T> = T | Promise<T>;
type Hook<Context, Output> = (
  target: string,
  context: Context,
  next: (target: string, context?: Context) => Later<Output>,
) => Later<Output>;

export interface Hooks {
  readonly resolve: Hook<ResolveHookContext, ResolveFnOutput>;
  readonly load: Hook<LoadHookContext, LoadFnOutput>;
  readonly take: (order: HooksOrder) => void;
}

/** Finds the TypeScript that an import means, and compiles it. All else, and the order, is Node's. */
export function createHooks(
  note: (note: CodeNote) => void,
  onPackageFile: (url: string) => void = () => {},
): Hooks {
  const ahead = new Map<string, { readonly read: ReadFile; readonly compiled: Compiled }>();
  let pauses = false;
  let tree: CopiedTree | undefined;

  const open = (file: string): { readonly read: ReadFile; readonly compile: () => Compiled } => {
    const known = ahead.get(file);
    if (known !== undefined && isAsRead(known.read))
      return { read: known.read, compile: () => known.compiled };
    const { read, text } = readCode(file);
    return { read, compile: () => compileFile(file, text) };
  };
  const follow = (file: string) => (specifier: string) => {
    const found = findImported(specifier, file);
    return found && (isCompiled(found) ? open(found).compile().code : readFileSync(found, 'utf8'));
  };

  return {
    resolve: createResolveHook(note, () => tree),
    load: (url, context, next) => {
      const file = toOwnFile(url);
      if (file === undefined) {
        onPackageFile(url);
        return next(url, context);
      }
      const { read, compile } = open(file);
      note(read);
      const isRequired = context.conditions?.includes('require') ?? false;
      const isPlainJson =
        file.endsWith('.json') && context.importAttributes?.['type'] === undefined && !isRequired;
      if (isPlainJson) return { format: 'module', source: toJsonModule(file), shortCircuit: true };
      if (!isCompiled(file)) return next(url, context);
      const { format, code } = compile();
      if (format === 'commonjs' && !isRequired)
        return { format: 'module', source: toFacade(url, code, follow(file)), shortCircuit: true };
      ahead.delete(file); // It is loaded once.
      return { format, source: pauses ? PAUSE_ONCE + code : code, shortCircuit: true };
    },
    take: (order) => {
      if (order.isAnew) {
        ahead.clear();
        forgetSettings();
        forgetPackages();
        forgetCompiler();
      }
      pauses = order.pauses ?? pauses;
      if (order.copied !== undefined) tree = new CopiedTree(order.copied);
      for (const file of order.files.filter(isCompiled)) {
        const { read, compile } = open(file);
        if (read.isYoung) continue;
        try {
          ahead.set(file, { read, compiled: compile() });
        } catch {
          // The same error comes when the file is imported, which reports it.
        }
      }
    },
  };
}

/** The first of all files that runs: nobody knows before which that is. */
const PAUSE_ONCE = 'if ((globalThis[Symbol.for("capix.pauses")] ??= [1]).pop()) debugger;';

/**
 * JSON that is imported without an attribute: a module, whose names can be imported, too. The module parses the text,
 * as a literal would take `__proto__` for the prototype.
 * @throws SyntaxError that names the file, as Node's own for JSON with an attribute
 */
function toJsonModule(file: string): string {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const value = parseJsonFile(file, text);
  const names = Array.isArray(value)
    ? []
    : Object.keys(Object(value)).filter((name) => name !== 'default');
  const source = JSON.stringify(text);
  return `const all = JSON.parse(${source}); export default all;\n${toNamedExports(names)}`;
}

function parseJsonFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`${file}: ${(error as Error).message}`);
  }
}

function createResolveHook(
  note: (note: CodeNote) => void,
  findTree: () => CopiedTree | undefined,
): Hooks['resolve'] {
  const packages = new Map<string, ResolveFnOutput>();
  /** Node loads the file that a link leads to; the link itself may become another one, or a file. */
  const noteLink = (file: string, url: string): void => {
    if (url.split(/[?#]/)[0] !== pathToFileURL(file).href && lstatSync(file).isSymbolicLink())
      note(readCode(file).read);
  };
  return (specifier, context, next) => {
    // An entry of a process or a thread has no importer.
    const importer = context.parentURL === undefined ? '/entry' : toOwnFile(context.parentURL);
    if (importer === undefined || isBuiltin(specifier)) return next(specifier, context);
    const isRequired = context.conditions.includes('require');
    // What is required has no query: a file may be called `a?b`.
    const { path, query } = isRequired ? { path: specifier, query: '' } : splitQuery(specifier);
    const nextFile = (file: string): Later<ResolveFnOutput> =>
      next(isRequired ? file : pathToFileURL(file).href + query, context);
    const nextImport = (): Later<ResolveFnOutput> => {
      const original = isBare(specifier) ? findTree()?.toOriginal(importer) : undefined;
      if (original === undefined) return next(specifier, context);
      // Whoever asks by `require` is known to Node alone.
      if (isRequired) return nextFile(createRequire(original).resolve(specifier));
      return next(specifier, { ...context, parentURL: pathToFileURL(original).href });
    };
    // Whatever lies in one folder finds the same packages, and Node looks for them anew for each file.
    const place = isBare(specifier) ? `${dirname(importer)}\n${specifier}\n${isRequired}` : '';
    const known = packages.get(place);
    if (known !== undefined) return known;
    const onFound = (found: ResolveFnOutput): Later<ResolveFnOutput> => {
      const copied = findTree()?.toCopy(found.url);
      if (copied !== undefined) return nextFile(copied);
      if (place === '' || !found.url.startsWith('file:')) return found;
      note({ kind: 'package', name: specifier, url: found.url });
      if (Object.keys({ ...context.importAttributes }).length === 0)
        packages.set(place, { ...found, shortCircuit: true });
      return found;
    };
    const onError = (error: unknown): Later<ResolveFnOutput> => {
      if (!isMissing(error)) throw error;
      const other = findOther(error, path, importer);
      if (other !== undefined) return nextFile(other);
      note({ kind: 'missing', text: path, folder: dirname(importer) });
      throw error;
    };
    const imported = findImported(path, importer);
    const onResult = (result: ResolveFnOutput): Later<ResolveFnOutput> => {
      if (imported !== undefined) noteLink(imported, result.url);
      return onFound(result);
    };
    try {
      const result = imported === undefined ? nextImport() : nextFile(imported);
      return result instanceof Promise ? result.then(onResult, onError) : onResult(result);
    } catch (error) {
      return onError(error);
    }
  };
}

function splitQuery(specifier: string): { readonly path: string; readonly query: string } {
  const { path = specifier, query = '' } =
    /^(?<path>[^?#]*)(?<query>[?#].*)$/.exec(specifier)?.groups ?? {};
  return { path, query };
}

function isBare(specifier: string): boolean {
  return !/^(?:[./]|[a-z]{2,}:)/.test(specifier);
}

/** The file that Node would have found if it had been compiled. */
function findOther(error: unknown, path: string, importer: string): string | undefined {
  const missing = /'([^']+)'/.exec((error as Error).message)?.[1] ?? '';
  const found =
    missing.startsWith('/') || /^[a-z]:\\/i.test(missing) ? findFile(missing) : undefined;
  return found ?? (isBare(path) ? findPackageFile(path, importer) : undefined);
}

function isMissing(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return /^(?:ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_UNSUPPORTED_DIR_IMPORT)$/.test(
    String(code),
  );
}
