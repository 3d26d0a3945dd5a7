import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { useRef } from 'react';
import type { CliError } from '../cli/cli-error.ts';
import { toAccessReason } from '../cli/report-failure.ts';
import { writeNamedFile } from '../files/write-output.ts';
import { useServices } from './use-screen.ts';

export interface WriteFileOptions {
  /** The question. @default 'Write to' */
  readonly label?: string;
  /** The text, as it is when it is written. */
  readonly toText: () => string;
  /** Offered first: a path from the working directory, or what `toFile` makes one of. */
  readonly path: string;
  /** Gives the path from the working directory for what was typed. @default the same */
  readonly toFile?: (typed: string) => string;
  /** Absolute path of the project. */
  readonly root: string;
  /** Words for the path in the question: `'JSON, from the folder where capix was started'`. */
  readonly note: string;
  readonly onWritten: (typed: string) => void;
}

/** Gives a function that asks for a file and writes a text to it; what is there is replaced after a yes. */
export function useWriteFile(options: WriteFileOptions): () => void {
  const { terminal, ask, confirm } = useServices();
  const last = useRef<string>(undefined);
  const {
    label = 'Write to',
    toText,
    path,
    toFile = (typed: string) => typed,
    root,
    note,
    onWritten,
  } = options;
  const write = async (): Promise<void> => {
    let value = last.current ?? path;
    let problem: string | undefined;
    for (;;) {
      const shown =
        problem === undefined
          ? { text: note, isProblem: false }
          : { text: problem, isProblem: true };
      const typed = await ask({ label, value, note: shown });
      if (typed === undefined) return;
      if (typed === '') continue;
      value = typed;
      const output = toFile(typed);
      const isThere = existsSync(resolve(terminal.workingDirectory(), output));
      if (
        isThere &&
        !(await confirm({ text: `${output} exists.`, yes: 'replace it', no: 'keep it' }))
      )
        continue;
      try {
        // The user has agreed to replace what is there.
        await writeNamedFile({ terminal, output, text: toText(), root, replaces: undefined });
        last.current = typed;
        return onWritten(typed);
      } catch (error) {
        problem = toProblem(error as CliError);
      }
    }
  };
  return () => void write();
}

function toProblem({ code, message, cause }: CliError): string {
  return code === 'WriteFailed' ? `Not written: ${toAccessReason(cause)}` : message;
}
