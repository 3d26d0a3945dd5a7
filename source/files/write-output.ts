import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError, createCliError } from '../cli/cli-error.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import { isInside } from '../system/paths.ts';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { expectInside } from './expect-inside.ts';
import { WriteFailure, writeFileWhole } from './write-files.ts';

/** A document that a command writes, by which it knows its own again. */
export interface OwnDocument {
  /** `'docs'` */
  readonly command: string;
  /** Found in every document that the command wrote, and in no other. */
  readonly mark: RegExp;
}

export interface NamedFile {
  readonly terminal: Terminal;
  /** The value of `--output`. */
  readonly output: string;
  readonly text: string;
  /** Absolute path of the project. */
  readonly root: string;
  /** The document that may be replaced without a question; undefined for whatever is there. */
  readonly replaces: OwnDocument | undefined;
}

export interface Output extends Omit<NamedFile, 'output' | 'replaces'> {
  /** The value of `--output`; undefined writes to stdout. */
  readonly output?: string | undefined;
  readonly document: OwnDocument;
  /** The value of `--force`. */
  readonly force: boolean;
  /** Whether `--json` is among the arguments. The command then writes `{file}` to stdout once it has written a file. */
  readonly json: boolean;
}

/**
 * Writes what a command made to stdout, or to the file that the user named for it. What is there is replaced as a whole
 * where the same command wrote it, where it has no text, or by force.
 *
 * @throws CliError `WriteFailed`, `FileExists`, `LeadsOutside`
 */
export async function writeOutput({
  output,
  document,
  force,
  json,
  ...rest
}: Output): Promise<void> {
  const { terminal, text } = rest;
  if (output === undefined) {
    terminal.writeOut(text);
    return;
  }
  await writeNamedFile({ ...rest, output, replaces: force ? undefined : document });
  if (json) terminal.writeOut(toJsonOutput({ file: output }));
  else terminal.writeError(`Wrote ${stripControl(output)}\n`);
}

/**
 * Writes a file that the user named from the working directory, and the folders above it. A path may lead out of the
 * project; a link in the project may not.
 *
 * @throws CliError `WriteFailed`, `FileExists`, `LeadsOutside`
 */
export async function writeNamedFile({
  terminal,
  output,
  text,
  root,
  replaces,
}: NamedFile): Promise<void> {
  const file = resolve(terminal.workingDirectory(), output);
  try {
    if (isInside(file, root))
      expectInside([file], {
        folder: root,
        called: 'the project',
        hint: 'Pass --output <file> of where it leads to.',
      });
    if (replaces !== undefined) await expectReplaceable(file, output, replaces);
    await writeFileWhole(file, text);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const cause = error instanceof WriteFailure ? error.cause : error;
    const hint = 'Pass --output <file> of a file that can be written.';
    throw createCliError(
      'WriteFailed',
      { path: output, reason: toAccessReason(cause), rest: '' },
      { hint, cause },
    );
  }
}

async function expectReplaceable(
  file: string,
  shown: string,
  { command, mark }: OwnDocument,
): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile()) return; // Nothing is there, or a device or pipe, which keeps nothing.
  const before = await readFile(file, 'utf8');
  if (before.trim() === '' || mark.test(before)) return;
  const hint = 'Pass another --output <file>, or --force to replace it.';
  throw createCliError(
    'FileExists',
    { path: shown, detail: `, and \`capix ${command}\` did not write it` },
    { hint },
  );
}
