import { join, relative } from 'node:path';
import { useMemo, useState } from 'react';
import { CALLS_FOLDER } from '../../files/read-saved-names.ts';
import type { Manifest, ManifestCapability } from '../../manifest/manifest.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { useWriteFile, type WriteFile } from '../../screens/write/use-write-file.ts';
import { toCallField } from '../call-field.ts';
import { toCallInput } from '../run/call-input.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import type { CallTarget } from '../target/call-target.ts';
import type { CallUse } from '../use-call.ts';
import { createSavedRun, type FilledCall } from './create-saved-run.ts';
import { judgeAnswer } from './judge-answer.ts';
import { readSavedCalls, readSavedCallsOf } from './read-saved-calls.ts';
import type { SavedCall } from './saved-call.ts';
import { toSavedFileText } from './to-saved-file-text.ts';

export interface SavedCallsOptions {
  readonly capability: ManifestCapability;
  readonly manifest: Manifest;
  readonly filled: unknown;
  readonly headers: RequestHeaders;
  readonly target: CallTarget;
  readonly call: CallUse;
  /** Fills the form in. */
  readonly fill: (next: { readonly input: unknown; readonly headers: RequestHeaders }) => void;
}

export interface SavedCallsUse {
  /** The saved calls of the capability, as they were when the files were last read. */
  readonly calls: readonly SavedCall[];
  /** Reads the files, and tells of the first that cannot be read. */
  readonly look: () => void;
  /** Makes the calls that it needs, and fills the form with it. */
  readonly pick: (saved: SavedCall) => void;
  /** Another call was filled in: nothing is expected of its answer. */
  readonly forget: () => void;
  /** Writes what the form says. */
  readonly write: WriteFile;
  /** The faults of the answer against the saved call; undefined where none was picked, or nothing is answered. */
  readonly judged: JudgedAnswer | undefined;
}

export interface JudgedAnswer {
  readonly name: string;
  readonly problems: readonly string[];
}

/** The saved calls of a capability: written from the form, and filled in. */
export function useSavedCalls(options: SavedCallsOptions): SavedCallsUse {
  const { capability, manifest, filled, headers, target, call, fill } = options;
  const { terminal, notify } = useScreen();
  const { root } = manifest.project;
  const [calls, setCalls] = useState<readonly SavedCall[]>([]);
  const [picked, setPicked] = useState<FilledCall>();
  const { state } = call;
  const judged = useMemo((): JudgedAnswer | undefined => {
    if (picked === undefined || state.kind !== 'answered') return undefined;
    return { name: picked.saved.name, problems: judgeAnswer(state.result, picked.expect) };
  }, [picked, state]);
  const write = useWriteFile({
    toText: () =>
      toSavedFileText({
        key: capability.key,
        input: filled,
        headers,
        environment: target.kind === 'environment' ? target.name : undefined,
        status: state.kind === 'answered' ? state.result.status : undefined,
      }),
    path: relative(terminal.workingDirectory(), join(root, CALLS_FOLDER, `${capability.key.split('.').at(-1)}.json`)),
    note: `secrets are written as variables; capix call @name runs what is in ${CALLS_FOLDER}`,
    root,
    onWritten: (path) => {
      notify(`Wrote ${path}`);
    },
  });
  const pick = async ({ name }: SavedCall): Promise<void> => {
    const run = createSavedRun({
      calls: await readSavedCalls(root),
      variables: terminal.environment,
      call: (one) => {
        const needed = manifest.capabilities.find(({ key }) => key === one.saved.call);
        if (needed === undefined) throw new Error(`There is no capability ${one.saved.call}.`);
        return call.ask(needed, toCallInput(toCallField(needed).input, one.input, root), one.headers);
      },
    });
    const next = await run.fill(name);
    fill({ input: next.input, headers: { ...headers, ...next.headers } });
    setPicked(next);
  };
  const look = async (): Promise<void> => {
    const found = await readSavedCallsOf(root, capability.key);
    setCalls(found.calls);
    const [first, ...others] = found.problems;
    if (first !== undefined) notify(others.length === 0 ? first : `${first} And ${others.length} more cannot be read.`);
  };
  return {
    calls,
    look: () => void look(),
    pick: (saved) =>
      void pick(saved).catch((error: unknown) => notify(error instanceof Error ? error.message : String(error))),
    forget: () => setPicked(undefined),
    write,
    judged,
  };
}
