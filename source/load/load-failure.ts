import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError, toCliErrorText } from '../cli/cli-error.ts';
import { findCodeFrame, readSourceText } from '../manifest/code-frame.ts';
import { findErrorPlace, type SourcePlace } from '../manifest/find-source-place.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import { packageRoot } from '../package-root.ts';
import { isInside } from '../system/paths.ts';
import { LoadTimeoutError } from '../system/run-user-code.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { NamedFailure } from '../values/shown-failure.ts';
import { isStripped } from './hooks/compile.ts';
import { isOfPackage } from './hooks/own-file.ts';

/** Why a project could not be loaded, as plain data. All text is free of escape sequences. */
export type LoadFailure = NamedFailure<
  'MissingPackage' | 'BuildFailed' | 'ImportFailed' | 'InvalidConfig'
>;

export class LoadError extends CliError {
  readonly failure: LoadFailure;
  constructor(failure: LoadFailure, cause?: unknown) {
    super({ ...failure, cause });
    this.failure = failure;
  }
}

export function toLoadFailure(thrown: unknown, project: Project): LoadFailure {
  return thrown instanceof LoadError ? thrown.failure : toImportFailure(thrown, project, []);
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

export function toConfigFailure(thrown: unknown, project: Project): LoadFailure {
  const reason =
    thrown instanceof Error ? thrown.message.replace(/^compileRegistry: /, '') : String(thrown);
  return toCliErrorText('InvalidConfig', {
    file: toProjectPath(project.entryFile, project.root),
    reason,
  });
}

/** The failure of the project's own code while it was imported. `files`: absolute paths of those that were loaded. */
export function toImportFailure(
  thrown: unknown,
  project: Project,
  files: readonly string[],
): LoadFailure {
  if (thrown instanceof LoadTimeoutError)
    return toEndedFailure(
      thrown.message,
      `${END_HINT} CAPIX_LOAD_TIMEOUT=<seconds> gives it more time.`,
    );
  const { code, message = '' } = Object(thrown) as Partial<CliError>;
  if (code === 'MissingPackage') return { code, message };
  const cause = findMissingImport(thrown) ?? findCause(thrown, project, files);
  const { place, length, hint } = cause;
  const file = toProjectPath(place?.file ?? project.entryFile, project.root);
  const where = place ? `${file}:${place.line}:${place.column}: ` : `${file} could not be loaded: `;
  const frame = place && findCodeFrame({ ...place, length });
  return {
    ...toCliErrorText(cause.code, { place: where, reason: cause.reason }),
    hint,
    frame,
    place,
  };
}

const DECORATOR_HINT =
  'Node removes types and compiles nothing. To have decorators compiled: npm install --save-dev @swc/core';

interface Cause {
  readonly code: 'BuildFailed' | 'ImportFailed';
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly place: SourcePlace | undefined;
  readonly length?: number;
}

function findCause(thrown: unknown, { root }: Project, files: readonly string[]): Cause {
  const { stack, message = '', code } = Object(thrown) as Partial<NodeJS.ErrnoException>;
  const place = findErrorPlace(thrown instanceof Error ? stack : undefined, root);
  if (code === 'ERR_COMPILE') return { code: 'BuildFailed', reason: message, place };
  const needed = findNeededPackage(message);
  if (needed !== undefined) {
    const reason = `a part of capix that the project imports needs the package ${needed}, which is not installed.`;
    return { code: 'ImportFailed', reason, hint: `Install it: npm install ${needed}`, place };
  }
  const reason = toThrownText(thrown);
  const decorator = message === 'Invalid or unexpected token' ? findDecorator(files) : undefined;
  if (decorator !== undefined)
    return { code: 'BuildFailed', reason, hint: DECORATOR_HINT, place: decorator };
  const unknown = /does not provide an export named '([\w$]+)'/.exec(message)?.[1];
  if (unknown === undefined) return { code: 'ImportFailed', reason, place };
  // Each file is compiled alone, so the code must say which names are those of types.
  const hint = `If ${unknown} is a type, write \`import type { ${unknown} }\` or \`export type { ${unknown} }\`.`;
  return { code: 'ImportFailed', reason, hint, place: place ?? findUse(unknown, files) };
}

/** What holds no decorator, or else the sign with which one begins. */
const DECORATOR =
  /\/\/.*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<sign>@)(?=[\w$(])/g;

/** Node does not say where the text is that it cannot parse, where it has removed the types itself. */
function findDecorator(files: readonly string[]): SourcePlace | undefined {
  for (const file of files.filter(isStripped)) {
    const text = readSourceText(file);
    const found = [...text.matchAll(DECORATOR)].find(({ groups }) => groups?.['sign']);
    if (found !== undefined) return toPlace(file, text, found.index);
  }
  return undefined;
}

/** The package that a file of capix imports and does not find: Node's own words would name that file. */
function findNeededPackage(message: string): string | undefined {
  const isOfCapix =
    /[\\/]node_modules[\\/]capix[\\/]/.test(message) ||
    message.includes(join(packageRoot(), 'dist'));
  return isOfCapix
    ? /^Cannot find package '([^']+)' imported from /m.exec(message)?.[1]
    : undefined;
}

function toThrownText(thrown: unknown): string {
  if (typeof thrown === 'string') return `it threw ${JSON.stringify(thrown)}`;
  if (!(thrown instanceof Error)) return `it threw ${String(thrown)}`;
  return thrown.name === 'Error' ? thrown.message : `${thrown.name}: ${thrown.message}`;
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
function findMissingImport(thrown: unknown): Cause | undefined {
  const failed = parseMissingModule(thrown);
  if (failed === undefined) return undefined;
  const { missing, importer } = failed;
  // For what another package lacks, Node's own words are enough.
  if (isOfPackage(importer) || isInside(importer, join(packageRoot(), 'dist'))) return undefined;
  const text = readSourceText(importer);
  for (const { index, 0: quoted, 2: name = '' } of text.matchAll(/(['"])([^'"\n]+)\1/g)) {
    const isPath = /^[./]/.test(name) && resolve(dirname(importer), name) === missing;
    if (name !== missing && !name.startsWith(`${missing}/`) && !isPath) continue;
    return {
      code: 'BuildFailed',
      reason: `Could not resolve "${name}"`,
      hint: toInstallHint(name),
      place: toPlace(importer, text, index),
      length: quoted.length,
    };
  }
  return undefined;
}

/** Node says the importer in its message, for `require` in a property or on a line of its own. */
function parseMissingModule(
  thrown: unknown,
): { readonly missing: string; readonly importer: string } | undefined {
  const { code, message, requireStack } = Object(thrown) as NodeJS.ErrnoException & {
    requireStack?: string[];
  };
  if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? '')) return undefined;
  const words = /^Cannot find (?:module|package) '([^']+)'(?: imported from (\S.*))?/.exec(message);
  const required = requireStack?.[0] ?? /Require stack:\n- (.*)/.exec(message)?.[1];
  const from = words?.[2] ?? required;
  if (from === undefined) return undefined;
  const importer = from.startsWith('file:') ? fileURLToPath(from) : from;
  return { missing: words?.[1] ?? '', importer };
}

/** A path or a name of the project's own is not installed. */
function toInstallHint(name: string): string | undefined {
  if (/^[./#]/.test(name)) return undefined;
  const packageName = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
  return `Install it: npm install ${stripControl(packageName)}`;
}

function toPlace(file: string, text: string, index: number): SourcePlace {
  const before = text.slice(0, index).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
