import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError, toCliErrorText } from '../cli/cli-error.ts';
import { readSourceText, toCodeFrame } from '../manifest/code-frame.ts';
import { findErrorPlace, type SourcePlace } from '../manifest/find-source-place.ts';
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

const END_HINT = 'Move such code out of the files that declare capabilities.';

/** The failure of code that came to no end by itself: `'was not done after 15 seconds'`. */
export function toEndedFailure(reason: string, hint = END_HINT): LoadFailure {
  const text = toCliErrorText('ImportFailed', {
    place: '',
    reason: `The project's code ${reason} while it was loaded.`,
  });
  return { ...text, hint };
}

/** Says that the exports of a capabilities file are not what they should be. */
export function toConfigFailure(thrown: unknown, project: Project): LoadFailure {
  const reason = thrown instanceof Error ? thrown.message.replace(/^compileRegistry: /, '') : String(thrown);
  return toCliErrorText('InvalidConfig', { file: toProjectPath(project.entryFile, project.root), reason });
}

/**
 * The failure of the project's own code while it was imported, or of Node where something that it imports is not there.
 * `files`: absolute paths of those that were loaded.
 */
export function toImportFailure(thrown: unknown, project: Project, files: readonly string[]): LoadFailure {
  if (thrown instanceof LoadTimeoutError)
    return toEndedFailure(thrown.message, `${END_HINT} CAPIX_LOAD_TIMEOUT=<seconds> gives it more time.`);
  const { code, message = '' } = Object(thrown) as Partial<CliError>;
  if (code === 'MissingPackage') return { code, message };
  return findMissingImport(thrown, project) ?? toThrownFailure(thrown, project, files);
}

function toThrownFailure(thrown: unknown, project: Project, files: readonly string[]): LoadFailure {
  const { stack, message = '', code } = Object(thrown) as Partial<NodeJS.ErrnoException>;
  const unknown = findUnknownExport(thrown);
  const place =
    findErrorPlace(thrown instanceof Error ? stack : undefined, project.root) ??
    (unknown === undefined ? undefined : findUse(unknown, files));
  const where = place
    ? toPlaceText(place, project)
    : `${toProjectPath(project.entryFile, project.root)} could not be loaded: `;
  const found = { frame: place && findFrame(place), place };
  if (code === 'ERR_COMPILE') return { ...toCliErrorText('BuildFailed', { place: where, reason: message }), ...found };
  const needed = findNeededPackage(message);
  const reason = needed
    ? `a part of capix that the project imports needs the package ${needed}, which is not installed.`
    : toReason(thrown);
  // Each file is compiled alone, so the code must say which names are those of types.
  const typeHint = `If ${unknown} is a type, write \`import type { ${unknown} }\` or \`export type { ${unknown} }\`.`;
  const hint = needed ? `Install it: npm install ${needed}` : unknown && typeHint;
  return { ...toCliErrorText('ImportFailed', { place: where, reason }), hint, ...found };
}

function toReason(thrown: unknown): string {
  if (thrown instanceof Error)
    return stripControl(thrown.name === 'Error' ? thrown.message : `${thrown.name}: ${thrown.message}`);
  return stripControl(`it threw ${typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown)}`);
}

/** The package that a file of capix lacks, which Node's own words would name. */
function findNeededPackage(message: string): string | undefined {
  const isOwn = /[\\/]node_modules[\\/]capix[\\/]/.test(message) || message.includes(join(packageRoot(), 'dist'));
  return isOwn ? /^Cannot find package '([^']+)' imported from /m.exec(message)?.[1] : undefined;
}

function findUnknownExport(thrown: unknown): string | undefined {
  const { name, message = '', stack } = Object(thrown) as Partial<Error>;
  const [, found] = /does not provide an export named '([\w$]+)'/.exec(message) ?? [];
  return /SyntaxError/.test(`${name} ${stack}`) ? found : undefined;
}

/** Node names a line of the compiled text where there is no such export: the import is looked for in the files. */
function findUse(name: string, files: readonly string[]): SourcePlace | undefined {
  const word = name.replaceAll('$', '\\$');
  const pattern = new RegExp(`^\\s*(?:im|ex)port\\b[^;'"]*?(?<![\\w$])(?=${word}(?![\\w$]))`, 'm');
  for (const file of files) {
    const text = readSourceText(file);
    const match = pattern.exec(text);
    if (match !== null) return toPlace(file, text, match.index + match[0].length);
  }
  return undefined;
}

/** An import of the project of a file or a package that is not there, at its place. */
function findMissingImport(thrown: unknown, project: Project): LoadFailure | undefined {
  const { code = '', message, requireStack } = Object(thrown) as NodeJS.ErrnoException & { requireStack?: string[] };
  if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code)) return undefined;
  const [, missing = '', from = requireStack?.[0] ?? /Require stack:\n- (.*)/.exec(message)?.[1]] =
    /^Cannot find (?:module|package) '([^']+)'(?: imported from (\S.*))?/.exec(message) ?? [];
  if (from === undefined) return undefined;
  const importer = from.startsWith('file:') ? fileURLToPath(from) : from;
  // What another package lacks is told in Node's own words.
  if (isOfPackage(importer) || isInside(importer, join(packageRoot(), 'dist'))) return undefined;
  const text = readSourceText(importer);
  for (const { index, 0: quoted, 2: name = '' } of text.matchAll(/(['"])([^'"\n]+)\1/g)) {
    const isPath = /^[./]/.test(name) && resolve(dirname(importer), name) === missing;
    if (name !== missing && !name.startsWith(`${missing}/`) && !isPath) continue;
    const place = toPlace(importer, text, index);
    const [packageName = name] = /^(?:@[^/]+\/)?[^/]+/.exec(name) ?? [];
    return {
      ...toCliErrorText('BuildFailed', { place: toPlaceText(place, project), reason: `Could not resolve "${name}"` }),
      hint: /^[./#]/.test(name) ? undefined : `Install it: npm install ${stripControl(packageName)}`,
      frame: findFrame(place, quoted.length),
      place,
    };
  }
  return undefined;
}

function toPlace(file: string, text: string, index: number): SourcePlace {
  const before = text.slice(0, index).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function toPlaceText({ file, line, column }: SourcePlace, { root }: Project): string {
  return `${stripControl(toProjectPath(file, root))}:${line}:${column}: `;
}

/** The frame is a help; without it the message says where. */
function findFrame(place: SourcePlace, length?: number): string | undefined {
  const text = readSourceText(place.file);
  return text === '' ? undefined : toCodeFrame({ ...place, text, length });
}
