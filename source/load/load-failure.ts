import { join, resolve } from 'node:path';
import type { BuildFailure, Message } from 'esbuild';
import { CliError } from '../cli/errors/cli-error.ts';
import { toCliErrorText } from '../cli/errors/cli-error-text.ts';
import { readSourceText, toCodeFrame } from '../manifest/code-frame.ts';
import { findSourcePlace, type SourcePlace } from '../manifest/places/find-source-place.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import { packageRoot } from '../package-root.ts';
import { LoadTimeoutError } from '../system/import-within.ts';
import { stripControl } from '../terminal/control/strip-control.ts';

/** Why a project could not be loaded, in a form that can be sent to another process. All text is free of escape sequences. */
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

/** The failure that esbuild found: a syntax error or an import of nothing. The first error is shown, the others are counted. */
export function toBuildFailure(thrown: unknown, project: Project): LoadFailure {
  if (thrown instanceof CliError && thrown.code === 'MissingPackage')
    return { code: thrown.code, message: thrown.message };
  const errors = (thrown as Partial<BuildFailure>).errors ?? [];
  const [first] = errors;
  if (first === undefined) return toCliErrorText('BuildFailed', { place: '', reason: toMessage(thrown) });
  const place = toBuildPlace(first, project.root);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return {
    ...toCliErrorText('BuildFailed', { place: toPlaceText(place, project), reason: `${first.text}${more}` }),
    hint: toBuildHint(first),
    frame: place && findFrame(place, first.location?.length),
    place,
  };
}

/** The failure of the project's own code while it was imported, or of Node where a package has no such export. */
export function toImportFailure(thrown: unknown, project: Project, files: readonly string[]): LoadFailure {
  if (thrown instanceof LoadTimeoutError)
    return toEndedFailure(thrown.reason, `${END_HINT} CAPIX_LOAD_TIMEOUT=<seconds> gives it more time.`);
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  const place =
    findSourcePlace(stack, { root: project.root, except: join(packageRoot(), 'dist') }) ??
    findMissingExport(thrown, files);
  const where = place
    ? toPlaceText(place, project)
    : `${toProjectPath(project.entryFile, project.root)} could not be loaded: `;
  return {
    ...toCliErrorText('ImportFailed', { place: where, reason: toMessage(thrown) }),
    ...describeMissingPeer(thrown, where),
    frame: place && findFrame(place),
    place,
  };
}

/** Node's own words for a package that a part of capix needs would name a file of capix. */
function describeMissingPeer(thrown: unknown, place: string): Pick<LoadFailure, 'message' | 'hint'> | undefined {
  const [, name] = /^Cannot find package '([^']+)' imported from (.*)$/m.exec(toMessage(thrown)) ?? [];
  const isOwn =
    thrown instanceof Error && /[\\/](?:capix|dist)[\\/](?:dist[\\/])?server-runtime[\\/]/.test(thrown.message);
  if (name === undefined || !isOwn) return undefined;
  const reason = `a part of capix that the project imports needs the package ${name}, which is not installed.`;
  return { ...toCliErrorText('ImportFailed', { place, reason }), hint: `Install it: npm install ${name}` };
}

const END_HINT = 'Move such code out of the files that declare capabilities.';

/** The failure of code that came to no end by itself: `'was not done after 15 seconds'`. */
export function toEndedFailure(reason: string, hint = END_HINT): LoadFailure {
  return {
    ...toCliErrorText('ImportFailed', { place: '', reason: `The project's code ${reason} while it was loaded.` }),
    hint,
  };
}

function toBuildPlace({ location }: Message, root: string): SourcePlace | undefined {
  if (location === null) return undefined;
  // esbuild counts the bytes before the place, from 0.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { file: resolve(root, location.file), line: location.line, column: before.length + 1 };
}

function toBuildHint({ text, notes }: Message): string | undefined {
  const missing = /^Could not resolve "([^"./][^"]*)"/.exec(text)?.[1];
  if (missing === undefined)
    return notes.length > 0 ? stripControl(notes.map((note) => note.text).join('\n')) : undefined;
  const packageName = missing
    .split('/')
    .slice(0, missing.startsWith('@') ? 2 : 1)
    .join('/');
  return `Install it: npm install ${stripControl(packageName)}`;
}

/** Node names a line of the bundle where a package has no such export; the import is looked for in the files. */
function findMissingExport(thrown: unknown, files: readonly string[]): SourcePlace | undefined {
  const name =
    thrown instanceof SyntaxError ? /does not provide an export named '([\w$]+)'/.exec(thrown.message)?.[1] : undefined;
  if (name === undefined) return undefined;
  const pattern = new RegExp(`^(?:im|ex)port\\b[^;'"]*?(?<![\\w$])(?=${name.replaceAll('$', '\\$')}(?![\\w$]))`, 'm');
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
    .replaceAll(/'file:[^']*\/dist\/server-runtime\/[^']*'/g, "'capix'");
  return stripControl(thrown.name === 'Error' ? message : `${thrown.name}: ${message}`);
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
