import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { CliError } from '../../cli/errors/cli-error.ts';
import { toWriteReason } from '../../files/write-error.ts';
import { writeNamedFile } from '../../files/write-output.ts';
import type { TextFieldState } from '../../kit/field/text-field-state.ts';
import { useScreen } from '../use-screen.ts';
import { notWriting, toNextWrite, type WriteState } from './write-state.ts';

export interface WriteFileOptions {
  /** The text, as it is when it is written. */
  readonly toText: () => string;
  /** Offered first: a path from the working directory. */
  readonly path: string;
  /** @default 'Write to' */
  readonly label?: string;
  /** The path from the working directory of what was typed. @default the same */
  readonly toFile?: (typed: string) => string;
  /** Absolute path of the project. */
  readonly root: string;
  /** Said of the path in the question: `'JSON, from the folder where capix was started'`. */
  readonly note: string;
  /** Called with the path as it was typed. */
  readonly onWritten: (path: string) => void;
}

export interface WriteFile {
  readonly state: WriteState;
  readonly label: string;
  readonly note: string;
  /** Whether a question is on the screen: it takes two rows, and the keys. */
  readonly isAsking: boolean;
  readonly open: () => void;
  readonly type: (field: TextFieldState) => void;
  readonly enter: () => void;
  readonly replace: () => void;
  readonly keep: () => void;
  readonly cancel: () => void;
}

/** Writes a text to a file that is asked for; what has the name already is replaced only after a yes. */
export function useWriteFile(options: WriteFileOptions): WriteFile {
  const { terminal } = useScreen();
  const [state, dispatch] = useReducer(toNextWrite, notWriting);
  const [lastPath, setLastPath] = useState<string>();
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const writingPath = state.kind === 'writing' ? state.path : undefined;
  useEffect(() => {
    if (writingPath === undefined) return;
    const { toText, root, onWritten, toFile = same } = latest.current;
    // What is there was asked for.
    writeNamedFile({ terminal, output: toFile(writingPath), text: toText(), root, replaces: undefined }).then(
      () => {
        setLastPath(writingPath);
        dispatch({ kind: 'written' });
        onWritten(writingPath);
      },
      (error: CliError) => dispatch({ kind: 'failed', problem: toProblem(error) }),
    );
  }, [terminal, writingPath]);
  return {
    state,
    label: options.label ?? 'Write to',
    note: options.note,
    isAsking: state.kind === 'asking' || state.kind === 'confirming',
    open: () => dispatch({ kind: 'open', path: lastPath ?? options.path }),
    type: (field) => dispatch({ kind: 'type', field }),
    enter: () => {
      if (state.kind !== 'asking') return;
      const path = state.field.text.trim();
      if (path === '') return;
      access(resolve(terminal.workingDirectory(), (options.toFile ?? same)(path))).then(
        () => dispatch({ kind: 'looked', path, isThere: true }),
        () => dispatch({ kind: 'looked', path, isThere: false }),
      );
    },
    replace: () => dispatch({ kind: 'replace' }),
    keep: () => dispatch({ kind: 'keep' }),
    cancel: () => dispatch({ kind: 'cancel' }),
  };
}

function same(path: string): string {
  return path;
}

function toProblem({ code, message, cause }: CliError): string {
  return code === 'WriteFailed' ? `Not written: ${toWriteReason(cause)}` : message;
}
