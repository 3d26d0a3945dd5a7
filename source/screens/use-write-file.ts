import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { useRef } from 'react';
import type { CliError } from '../cli/cli-error.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import { writeNamedFile } from '../files/write-output.ts';
import { type Services, useServices } from './use-screen.ts';

export interface WriteFileOptions {
  /** The question. @default 'Write to' */
  readonly label?: string;
  /** The text, as it is when it is written. `output`: the path from the working directory. */
  readonly toText: (output: string) => string;
  /** Offered first: a path from the working directory, or what `toFile` makes one of. */
  readonly path: string;
  /** Gives the path from the working directory for what was typed. @default the same */
  readonly toFile?: (typed: string) => string;
  /** Whether a file that is there may be replaced, after a yes. @default true */
  readonly replaces?: boolean;
  /** Paths from the working directory that other files of the same step get. @default none */
  readonly reserved?: readonly string[];
  /** Absolute path of the project. */
  readonly root: string;
  /** Words for the path in the question: `'JSON, from the folder where capix was started'`. */
  readonly note: string;
}

interface WriteFileUse extends WriteFileOptions {
  readonly onWritten: (typed: string) => void;
}

/** Gives a function that asks for a file and writes a text to it, the next time with what was typed before. */
export function useWriteFile({ onWritten, ...options }: WriteFileUse): () => void {
  const services = useServices();
  const last = useRef<string>(undefined);
  const write = async (): Promise<void> => {
    const { path } = options;
    const typed = await askToWrite(services, { ...options, path: last.current ?? path });
    if (typed === undefined) return;
    last.current = typed;
    onWritten(typed);
  };
  return () => void write();
}

/** Asks for a file and writes a text to it. Gives what was typed; undefined where the user has cancelled. */
export async function askToWrite(
  services: Pick<Services, 'terminal' | 'ask' | 'confirm'>,
  options: WriteFileOptions,
): Promise<string | undefined> {
  const { label = 'Write to', note } = options;
  let { path: value } = options;
  let problem: string | undefined;
  for (;;) {
    const shown = { text: problem ?? note, isProblem: problem !== undefined };
    const typed = await services.ask({ label, value, note: shown });
    if (typed === undefined) return undefined;
    if (typed === '') continue;
    value = typed;
    const end = await writeTyped(services, typed, options);
    if (end.isWritten) return typed;
    ({ problem } = end);
  }
}

interface WriteEnd {
  readonly isWritten: boolean;
  /** Missing where the user wants another name. */
  readonly problem?: string;
}

async function writeTyped(
  { terminal, confirm }: Pick<Services, 'terminal' | 'confirm'>,
  typed: string,
  { toText, toFile = (path) => path, replaces = true, reserved = [], root }: WriteFileOptions,
): Promise<WriteEnd> {
  const output = toFile(typed);
  const isThere = existsSync(resolve(terminal.workingDirectory(), output));
  if (reserved.includes(output))
    return { isWritten: false, problem: `${output} is another one of these: give another name` };
  if (isThere && !replaces)
    return { isWritten: false, problem: `${output} exists: give another name` };
  const question = { text: `${output} exists.`, yes: 'replace it', no: 'keep it' };
  if (isThere && !(await confirm(question))) return { isWritten: false };
  try {
    // The user has agreed to replace what is there.
    await writeNamedFile({ terminal, output, text: toText(output), root, replaces: undefined });
    return { isWritten: true };
  } catch (error) {
    return { isWritten: false, problem: toProblem(error as CliError) };
  }
}

function toProblem({ code, message, cause }: CliError): string {
  return code === 'WriteFailed' ? `Not written: ${toAccessReason(cause)}` : message;
}
