import { join, relative } from 'node:path';
import { useState } from 'react';
import { toOperationSecrets } from '../document/operations/secret-check.ts';
import { CALLS_FOLDER } from '../files/read-saved-names.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useServices } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { toCallInput } from './run/call-input.ts';
import type { CallResult, RequestHeaders } from './run/perform-call.ts';
import { toCallField } from './run/request-headers.ts';
import { createSavedRun, type FilledCall } from './saved/create-saved-run.ts';
import { readSavedCalls, type SavedCall, toSavedFileText } from './saved/read-saved-calls.ts';
import type { CallUse } from './use-call.ts';

export interface SavedCallsOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  readonly filled: unknown;
  readonly headers: RequestHeaders;
  readonly environment: string | undefined;
  readonly call: CallUse;
  readonly fill: (next: { readonly input: unknown; readonly headers: RequestHeaders }) => void;
  /** Asks whether a call that changes data is made; `why`: the call that needs it. */
  readonly isSure: (capability: Listed, why: string) => Promise<boolean>;
}

/** The saved calls of a capability: written from the form, and filled in. */
export function useSavedCalls(options: SavedCallsOptions) {
  const { capability, manifest, filled, headers, environment, call, fill, isSure } = options;
  const { terminal, notify } = useServices();
  const { root } = manifest.project;
  /** As they were when the files were last read. */
  const [calls, setCalls] = useState<readonly SavedCall[]>([]);
  const write = useWriteFile({
    label: 'Save as',
    toText: () => {
      const expect =
        call.state.kind === 'answered' ? { status: call.state.result.status } : undefined;
      const saved = { call: capability.key, input: filled, headers, environment, expect };
      return toSavedFileText(saved, toOperationSecrets(capability));
    },
    path: capability.name,
    toFile: (name) =>
      relative(terminal.workingDirectory(), join(root, CALLS_FOLDER, `${toSafeName(name)}.json`)),
    note: `capix call @name makes it again; secrets are written as variables`,
    root,
    onWritten: (name) =>
      notify(`Wrote ${CALLS_FOLDER}/${toSafeName(name)}.json: capix call @${toSafeName(name)}`),
  });
  /** Reads the files, and tells of the first that cannot be read. */
  const look = async (): Promise<void> => {
    const found = await readSavedCalls(root);
    setCalls(found.calls.filter((saved) => saved.call === capability.key));
    const [first, ...others] = found.problems.map(({ message }) => message);
    if (first !== undefined)
      notify(others.length === 0 ? first : `${first} And ${others.length} more cannot be read.`);
  };
  /** Makes the calls that one needs, and fills the form with it. */
  const pick = async ({ name }: SavedCall): Promise<void> => {
    const callNeeded = async ({ saved, input, headers: own }: FilledCall): Promise<CallResult> => {
      const listed = expectCapability(saved.call, toCapabilities(manifest));
      if (!(await isSure(listed, `@${name} needs @${saved.name}: `)))
        throw new Error(`@${saved.name} was not called`);
      return call.ask({
        key: listed.key,
        input: toCallInput(toCallField(listed).input, input, root),
        headers: own,
      });
    };
    const found = await readSavedCalls(root);
    const run = createSavedRun({
      calls: found.calls,
      variables: call.variables(),
      call: callNeeded,
    });
    const next = await run.fill(name);
    fill({ input: next.input, headers: { ...headers, ...next.headers } });
  };
  const tell = (error: unknown): void =>
    notify(error instanceof Error ? error.message : String(error));
  return {
    calls,
    look: () => void look(),
    pick: (saved: SavedCall) => void pick(saved).catch(tell),
    write,
  };
}

/** A name that leads nowhere else: `items/get` for `calls/items/get.json`. */
function toSafeName(name: string): string {
  const parts = name
    .trim()
    .replace(/\.json$/, '')
    .split(/[\\/]/);
  return parts.filter((part) => !['', '.', '..'].includes(part)).join('/');
}
