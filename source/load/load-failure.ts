import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CliError, toCliErrorText } from '../cli/cli-error.ts';
import { readSourceText, toCodeFrame } from '../manifest/code-frame.ts';
import { findSourcePlace, type SourcePlace } from '../manifest/find-source-place.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import { packageRoot } from '../package-root.ts';
import { isInside } from '../system/paths.ts';
import { LoadTimeoutError } from '../system/run-user-code.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { isOfPackage } from './hooks/own-file.ts';

/** Why a project could not be loaded, as plain data. All text is free of escape sequences. */
export interface LoadFailure {
  /** Permanent name, for scripts. */
  readonly code: 'MissingPackage' | 'BuildFailed' | 'ImportFailed' | 'InvalidConfig';
  readonly message: string;
  readonly hint?: string | undefined;
  /** The place in the source with the lines around it, as text. */
  readonly frame?: string | undefined;
  readonly place?: SourcePlace | undefined;
}

/** The error that ends a command for a failure. */
export function toLoadError(failure: LoadFailure, cause?: unknown): CliError {
  return new CliError({ ...failure, cause });
}

/** The failure of the project's own code while it was imported, or of Node where a package has no such export. */
export function toImportFailure(thrown: unknown, project: Project, files: readonly string[]): LoadFailure {
  if (thrown instanceof LoadTimeoutError)
    return toEndedFailure(thrown.reason, `${END_HINT} CAPIX_LOAD_TIMEOUT=<seconds> gives it more time.`);
  if ((thrown as Partial<CliError> | undefined)?.code === 'MissingPackage')
    return { code: 'MissingPackage', message: (thrown as CliError).message };
  return findMissingImport(thrown, project) ?? toThrownFailure(thrown, project, files);
}

function toThrownFailure(thrown: unknown, project: Project, files: readonly string[]): LoadFailure {
  const { code, stack } = Object(thrown) as Partial<NodeJS.ErrnoException>;
  const place =
    findSourcePlace(thrown instanceof Error ? stack : undefined, {
      root: project.root,
      except: join(packageRoot(), 'dist'),
    }) ?? findMissingExport(thrown, files);
  const where = place
    ? toPlaceText(place, project)
    : `${toProjectPath(project.entryFile, project.root)} could not be loaded: `;
  const { reason, hint } = describeThrown(thrown);
  const text = toCliErrorText(code === 'ERR_COMPILE' ? 'BuildFailed' : 'ImportFailed', { place: where, reason });
  return { ...text, hint, frame: place && findFrame(place), place };
}

function describeThrown(thrown: unknown): { readonly reason: string; readonly hint?: string } {
  const { message = '', code } = Object(thrown) as Partial<NodeJS.ErrnoException>;
  // Node's own words for a package that a part of capix needs would name a file of capix.
  const [, missing] = /^Cannot find package '([^']+)' imported from /m.exec(message) ?? [];
  const isOwn = /[\\/]node_modules[\\/]capix[\\/]/.test(message) || message.includes(join(packageRoot(), 'dist'));
  if (missing !== undefined && isOwn)
    return {
      reason: `a part of capix that the project imports needs the package ${missing}, which is not installed.`,
      hint: `Install it: npm install ${missing}`,
    };
  const reason = code === 'ERR_COMPILE' ? message : toMessage(thrown);
  // Each file is compiled alone, so the code must say which names are those of types.
  const name = findUnknownExport(thrown);
  return name === undefined
    ? { reason }
    : { reason, hint: `If ${name} is a type, write \`import type { ${name} }\` or \`export type { ${name} }\`.` };
}

/** An import of the project of a file or a package that is not there, at its place. */
function findMissingImport(thrown: unknown, project: Project): LoadFailure | undefined {
  const { code, message, requireStack } = Object(thrown) as NodeJS.ErrnoException & { requireStack?: string[] };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const [, missing = '', from = requireStack?.[0] ?? /Require stack:\n- (.*)/.exec(message)?.[1]] =
    /^Cannot find (?:module|package) '([^']+)'(?: imported from (\S.*))?/.exec(message) ?? [];
  if (from === undefined) return undefined;
  const importer = from.startsWith('file:') ? fileURLToPath(from) : from;
  // What another package lacks is told in Node's own words.
  if (isOfPackage(importer) || isInside(importer, join(packageRoot(), 'dist'))) return undefined;
  const text = readSourceText(importer);
  const found = [...text.matchAll(/(['"])([^'"\n]+)\1/g)].find(
    ([, , name = '']) =>
      name === missing ||
      name.startsWith(`${missing}/`) ||
      (/^[./]/.test(name) && resolve(dirname(importer), name) === missing),
  );
  if (found === undefined) return undefined;
  const [quoted, , name = ''] = found;
  const before = text.slice(0, found.index).split('\n');
  const place = { file: importer, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const packageName = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
  return {
    ...toCliErrorText('BuildFailed', { place: toPlaceText(place, project), reason: `Could not resolve "${name}"` }),
    hint: /^[./#]/.test(name) ? undefined : `Install it: npm install ${stripControl(packageName)}`,
    frame: findFrame(place, quoted.length),
    place,
  };
}

function findUnknownExport(thrown: unknown): string | undefined {
  return thrown instanceof Error && /SyntaxError/.test(`${thrown.name} ${thrown.stack}`)
    ? /does not provide an export named '([\w$]+)'/.exec(thrown.message)?.[1]
    : undefined;
}

const END_HINT = 'Move such code out of the files that declare capabilities.';

/** The failure of code that came to no end by itself: `'was not done after 15 seconds'`. */
export function toEndedFailure(reason: string, hint = END_HINT): LoadFailure {
  return {
    ...toCliErrorText('ImportFailed', { place: '', reason: `The project's code ${reason} while it was loaded.` }),
    hint,
  };
}

/** Node names a line of the compiled text where there is no such export; the import is looked for in the files. */
function findMissingExport(thrown: unknown, files: readonly string[]): SourcePlace | undefined {
  const name = findUnknownExport(thrown);
  if (name === undefined) return undefined;
  const pattern = new RegExp(
    `^\\s*(?:im|ex)port\\b[^;'"]*?(?<![\\w$])(?=${name.replaceAll('$', '\\$')}(?![\\w$]))`,
    'm',
  );
  for (const file of files) {
    const match = pattern.exec(readSourceText(file));
    if (match === null) continue;
    const before = match.input.slice(0, match.index + match[0].length).split('\n');
    return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
  return undefined;
}

function toPlaceText(place: SourcePlace | undefined, { root }: Project): string {
  return place === undefined ? '' : `${stripControl(toProjectPath(place.file, root))}:${place.line}:${place.column}: `;
}

function toMessage(thrown: unknown): string {
  if (!(thrown instanceof Error))
    return stripControl(`it threw ${typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown)}`);
  const message = thrown.message
    .replaceAll(/'file:[^']*\/node_modules\/((?:@[^/']+\/)?[^/']+)[^']*'/g, "'$1'")
    .replaceAll(/'(file:[^']*)'/g, (quoted, url: string) => (url.startsWith(ownUrl()) ? "'capix'" : quoted));
  return stripControl(thrown.name === 'Error' ? message : `${thrown.name}: ${message}`);
}

function ownUrl(): string {
  return pathToFileURL(join(packageRoot(), 'dist/server-runtime/')).href;
}

/** The frame is a help; without it the message says where. */
function findFrame(place: SourcePlace, length?: number): string | undefined {
  const text = readSourceText(place.file);
  return text === '' ? undefined : toCodeFrame({ ...place, text, length });
}

/** Says that the exports of a capabilities file are not what they should be. */
export function toConfigFailure(thrown: unknown, project: Project): LoadFailure {
  const reason = thrown instanceof Error ? thrown.message.replace(/^compileRegistry: /, '') : String(thrown);
  return toCliErrorText('InvalidConfig', { file: toProjectPath(project.entryFile, project.root), reason });
}
