import { readFileSync } from 'node:fs';
import { findSourceMap, type SourceMapping } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildFailure, Message } from 'esbuild';
import { CliError } from '../cli/cli-error.ts';
import { packageRoot } from '../package-root.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toCodeFrame } from './code-frame.ts';
import { type Project, toProjectPath } from './find-project.ts';
import { findSourcePlace, type SourcePlace } from './find-source-place.ts';

/** Why a project could not be loaded, in a form that can be sent to another process. All text is free of escape sequences. */
export interface LoadFailure {
  /** Permanent name, for scripts. */
  readonly code: 'BuildFailed' | 'ImportFailed' | 'InvalidConfig';
  readonly message: string;
  readonly hint?: string | undefined;
  /** The place in the source with the lines around it, as text. */
  readonly frame?: string | undefined;
  readonly place?: SourcePlace | undefined;
}

/** The error that ends a command for a failure. */
export function toLoadError(failure: LoadFailure): CliError {
  return new CliError({ ...failure, cause: failure });
}

/** What esbuild found: a syntax error or an import of nothing. The first error is shown, the others are counted. */
export function toBuildFailure(thrown: unknown, project: Project): LoadFailure {
  const errors = (thrown as Partial<BuildFailure>).errors ?? [];
  const [first] = errors;
  if (first === undefined) return { code: 'BuildFailed', message: toMessage(thrown) };
  const place = toBuildPlace(first, project.root);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return {
    code: 'BuildFailed',
    message: `${toPlaceText(place, project)}${stripControl(first.text)}${more}`,
    hint: toBuildHint(first),
    frame: place && readFrame(place, first.location?.length),
    place,
  };
}

/** What the project's own code threw while it was imported, or Node where an import has no such export. */
export function toImportFailure(
  thrown: unknown,
  { project, outFile }: { readonly project: Project; readonly outFile: string },
): LoadFailure {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  const place =
    findLinkPlace(stack, outFile) ??
    findSourcePlace(stack, { root: project.root, except: join(packageRoot(), 'dist') });
  return {
    code: 'ImportFailed',
    message: place
      ? `${toPlaceText(place, project)}${toMessage(thrown)}`
      : `${toProjectPath(project.configFile, project.root)} could not be loaded: ${toMessage(thrown)}`,
    frame: place && readFrame(place),
    place,
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

/** Where Node fails to link the bundle, it names a line of the bundle; its source map knows the file. */
function findLinkPlace(stack: string | undefined, outFile: string): SourcePlace | undefined {
  const url = pathToFileURL(outFile).href;
  const line = stack?.startsWith(`${url}:`) ? Number.parseInt(stack.slice(url.length + 1), 10) : Number.NaN;
  const entry = Number.isNaN(line) ? undefined : findSourceMap(outFile)?.findEntry(line - 1, 0);
  if (entry === undefined || !isMapping(entry)) return undefined;
  return { file: fileURLToPath(entry.originalSource), line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

function isMapping(entry: object): entry is SourceMapping {
  return 'originalSource' in entry;
}

function toPlaceText(place: SourcePlace | undefined, { root }: Project): string {
  return place === undefined ? '' : `${stripControl(toProjectPath(place.file, root))}:${place.line}:${place.column}: `;
}

function toMessage(thrown: unknown): string {
  if (!(thrown instanceof Error))
    return stripControl(`it threw ${typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown)}`);
  const message = thrown.message.replaceAll(/'file:[^']*\/node_modules\/((?:@[^/']+\/)?[^/']+)[^']*'/g, "'$1'");
  return stripControl(thrown.name === 'Error' ? message : `${thrown.name}: ${message}`);
}

function readFrame(place: SourcePlace, length?: number): string | undefined {
  try {
    return toCodeFrame({ ...place, text: readFileSync(place.file, 'utf8'), length });
  } catch {
    return undefined; // The frame is a help; without it the message says where.
  }
}
