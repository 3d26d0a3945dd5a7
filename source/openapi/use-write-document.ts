import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { CliError } from '../cli/errors/cli-error.ts';
import { toWriteReason } from '../files/write-error.ts';
import { writeNamedFile } from '../files/write-output.ts';
import type { TextFieldState } from '../kit/field/text-field-state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toDocumentText } from './document-text.ts';
import { notWriting, toNextWrite, type WriteState } from './write-state.ts';

export interface UseWriteDocumentOptions {
  readonly terminal: Terminal;
  /** The document that is written; undefined while there is nothing to write. */
  readonly document: object | undefined;
  /** Absolute path of the project. */
  readonly root: string;
  /** Called with the path as it was typed. */
  readonly onWritten: (path: string) => void;
}

export interface WriteDocument {
  readonly state: WriteState;
  readonly open: () => void;
  readonly type: (field: TextFieldState) => void;
  readonly enter: () => void;
  readonly replace: () => void;
  readonly keep: () => void;
  readonly cancel: () => void;
}

/** Writes the document to a file that is asked for; what has the name already is replaced only after a yes. */
export function useWriteDocument({ terminal, document, root, onWritten }: UseWriteDocumentOptions): WriteDocument {
  const [state, dispatch] = useReducer(toNextWrite, notWriting);
  const [lastPath, setLastPath] = useState('openapi.json');
  const latest = useRef({ terminal, document, root, onWritten });
  useLayoutEffect(() => {
    latest.current = { terminal, document, root, onWritten };
  });
  const writingPath = state.kind === 'writing' ? state.path : undefined;
  useEffect(() => {
    if (writingPath === undefined) return;
    const { terminal, document = {}, root, onWritten } = latest.current;
    const text = toDocumentText(document);
    // What is there was asked for.
    writeNamedFile({ terminal, output: writingPath, text, root, replaces: undefined }).then(
      () => {
        setLastPath(writingPath);
        dispatch({ kind: 'written' });
        onWritten(writingPath);
      },
      (error: CliError) => dispatch({ kind: 'failed', problem: toProblem(error) }),
    );
  }, [writingPath]);
  return {
    state,
    open: () => dispatch({ kind: 'open', path: lastPath }),
    type: (field) => dispatch({ kind: 'type', field }),
    enter: () => {
      if (state.kind !== 'asking') return;
      const path = state.field.text.trim();
      if (path === '') return;
      access(resolve(terminal.workingDirectory(), path)).then(
        () => dispatch({ kind: 'looked', path, isThere: true }),
        () => dispatch({ kind: 'looked', path, isThere: false }),
      );
    },
    replace: () => dispatch({ kind: 'replace' }),
    keep: () => dispatch({ kind: 'keep' }),
    cancel: () => dispatch({ kind: 'cancel' }),
  };
}

function toProblem({ code, message, cause }: CliError): string {
  return code === 'WriteFailed' ? `Not written: ${toWriteReason(cause)}` : message;
}
