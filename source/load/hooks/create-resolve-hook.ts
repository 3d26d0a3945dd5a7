import type { ResolveFnOutput, ResolveHookContext } from 'node:module';
import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeNote } from './code-note.ts';
import { findFile, findImported, findPackageFile } from './find-file.ts';
import { toOwnFile } from './own-file.ts';

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
