import { readFileSync } from 'node:fs';
import {
  isBuiltin,
  type LoadFnOutput,
  type LoadHookContext,
  type ResolveFnOutput,
  type ResolveHookContext,
} from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CodeNote, type HooksOrder, isAsRead, type ReadFile, readCode } from './code-note.ts';
import { type Compiled, compileFile, toFacade } from './compile.ts';
import { forgetSettings } from './compiler-options.ts';
import { findFile, findImported, findPackageFile, forgetPackages, isCompiled, toOwnFile } from './own-file.ts';

export interface Hooks {
  readonly resolve: ResolveHook;
  readonly load: (
    url: string,
    context: LoadHookContext,
    next: (url: string, context?: LoadHookContext) => Later<LoadFnOutput>,
  ) => Later<LoadFnOutput>;
  readonly take: (order: HooksOrder) => void;
}

/**
 * The hooks that let Node run a project where it lies: they find the TypeScript that an import means, and compile it.
 * All else, and the order, is Node's.
 */
export function createHooks(note: (note: CodeNote) => void): Hooks {
  const ahead = new Map<string, { readonly read: ReadFile; readonly compiled: Compiled }>();
  let pauses = false;

  const open = (file: string): { readonly read: ReadFile; readonly compiled: () => Compiled } => {
    const known = ahead.get(file);
    if (known !== undefined && isAsRead(known.read)) return { read: known.read, compiled: () => known.compiled };
    const { read, text } = readCode(file);
    return { read, compiled: () => compileFile(file, text) };
  };
  const follow = (file: string) => (specifier: string) => {
    const found = findImported(specifier, file);
    return found && (isCompiled(found) ? open(found).compiled().code : readFileSync(found, 'utf8'));
  };

  return {
    resolve: createResolveHook(note),
    load: (url, context, next) => {
      const file = toOwnFile(url);
      if (file === undefined) return next(url, context);
      const { read, compiled } = open(file);
      note(read);
      if (file.endsWith('.json')) return loadJson(file, context) ?? next(url, context);
      if (!isCompiled(file)) return next(url, context);
      const { format, code } = compiled();
      const isImported = format === 'commonjs' && !isRequired(context);
      if (isImported) return { format: 'module', source: toFacade(url, code, follow(file)), shortCircuit: true };
      ahead.delete(file); // It is loaded once.
      return { format, source: pauses ? PAUSE_ONCE + code : code, shortCircuit: true };
    },
    take: (order) => {
      if (order.isAnew) for (const forget of [() => ahead.clear(), forgetSettings, forgetPackages]) forget();
      pauses = order.pauses ?? pauses;
      for (const file of order.files.filter(isCompiled)) {
        const { read, compiled } = open(file);
        if (read.isYoung) continue;
        try {
          ahead.set(file, { read, compiled: compiled() });
        } catch {
          // Whoever loads it is told.
        }
      }
    },
  };
}

/** The first of all files that runs: nobody knows before which that is. */
const PAUSE_ONCE = 'if ((globalThis[Symbol.for("capix.pauses")] ??= [1]).pop()) debugger;';

function isRequired({ conditions }: LoadHookContext): boolean {
  return conditions?.includes('require') ?? false;
}

/** Without an attribute JSON is a module, whose names can be imported, too. */
function loadJson(file: string, context: LoadHookContext): LoadFnOutput | undefined {
  if (context.importAttributes?.['type'] !== undefined || isRequired(context)) return undefined;
  const text = readFileSync(file, 'utf8');
  const value: unknown = JSON.parse(text);
  const names = Object.keys(Object(value)).filter((name) => !Array.isArray(value) && name !== 'default');
  const lines = names.map(
    (name, index) => `const $${index} = all[${JSON.stringify(name)}]; export { $${index} as ${JSON.stringify(name)} };`,
  );
  const source = [`const all = ${JSON.stringify(value)}; export default all;`, ...lines].join('\n');
  return { format: 'module', source, shortCircuit: true };
}

/** The answer of Node: at once on its own thread, later on another. */
export type Later<T> = T | Promise<T>;

export type ResolveHook = (
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context?: ResolveHookContext) => Later<ResolveFnOutput>,
) => Later<ResolveFnOutput>;

/** Finds the file that an import of the project means, which Node finds only once it is compiled. */
export function createResolveHook(note: (note: CodeNote) => void): ResolveHook {
  return (specifier, context, next) => {
    // An entry of a process or a thread has no importer.
    const importer = context.parentURL === undefined ? '/entry' : toOwnFile(context.parentURL);
    if (importer === undefined || isBuiltin(specifier)) return next(specifier, context);
    const isRequired = context.conditions.includes('require');
    const [, path = specifier, query = ''] = (!isRequired && /^([^?#]*)([?#].*)$/.exec(specifier)) || [];
    const toSpecifier = (file: string): string => (isRequired ? file : pathToFileURL(file).href + query);
    const notePackage = (found: ResolveFnOutput): ResolveFnOutput => {
      if (isBare(specifier) && found.url.startsWith('file:'))
        note({ kind: 'package', name: specifier, url: found.url });
      return found;
    };
    const found = findImported(path, importer);
    return settle(() => next(found === undefined ? specifier : toSpecifier(found), context), {
      onFound: notePackage,
      onError: (error) => {
        if (!isMissing(error)) throw error;
        const other = findOther(error, path, importer);
        if (other !== undefined) return next(toSpecifier(other), context);
        note({ kind: 'missing', text: path, folder: dirname(importer) });
        throw error;
      },
    });
  };
}

function isBare(specifier: string): boolean {
  return !/^(?:[./]|[a-z]{2,}:)/.test(specifier);
}

/** The file that Node would have found if it had been compiled. */
function findOther(error: unknown, path: string, importer: string): string | undefined {
  const [, missing = ''] = /'([^']+)'/.exec((error as Error).message) ?? [];
  const found = missing.startsWith('/') || /^[a-z]:\\/i.test(missing) ? findFile(missing) : undefined;
  return found ?? (isBare(path) ? findPackageFile(path, importer) : undefined);
}

function isMissing(error: unknown): boolean {
  const { code } = Object(error) as { readonly code?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT';
}

interface Settling<T> {
  readonly onFound: (value: T) => T;
  readonly onError: (error: unknown) => Later<T>;
}

function settle<T>(run: () => Later<T>, { onFound, onError }: Settling<T>): Later<T> {
  try {
    const result = run();
    return result instanceof Promise ? result.then(onFound, onError) : onFound(result);
  } catch (error) {
    return onError(error);
  }
}
