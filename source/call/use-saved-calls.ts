import { join, relative } from 'node:path';
import { useState } from 'react';
import { CALLS_FOLDER } from '../files/read-saved-names.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { toCallInput, withFilesFrom } from './run/call-input.ts';
import { asksFirst, type CallTarget, toQuestion } from './run/call-target.ts';
import { type RequestHeaders, toCallField } from './run/request-headers.ts';
import type { CallResult } from './run/run-call.ts';
import { createSavedRun, type FilledCall } from './saved/create-saved-run.ts';
import { readSavedCalls, readSavedCallsOf, type SavedCall, toSavedFileText } from './saved/read-saved-calls.ts';
import { type CallUse, useVariables } from './use-call.ts';

export interface SavedCallsOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  readonly filled: unknown;
  readonly headers: RequestHeaders;
  readonly target: CallTarget;
  readonly call: CallUse;
  /** Fills the form in. */
  readonly fill: (next: { readonly input: unknown; readonly headers: RequestHeaders }) => void;
  /** Asks whether a call is made. */
  readonly isSure: (text: string) => Promise<boolean>;
}

/** The saved calls of a capability: written from the form, and filled in. */
export function useSavedCalls(options: SavedCallsOptions) {
  const { capability, manifest, filled, headers, target, call, fill } = options;
  const { terminal, notify } = useScreen();
  const { root } = manifest.project;
  const [calls, setCalls] = useState<readonly SavedCall[]>([]);
  const { state } = call;
  const variables = useVariables(root);
  // Paths of files are from the project in a saved call, and from the working directory in the form.
  const [here, field] = [terminal.workingDirectory(), toCallField(capability).input];
  const write = useWriteFile({
    label: 'Save as',
    toText: () =>
      toSavedFileText({
        key: capability.key,
        input: withFilesFrom(field, filled, { from: here, to: root }),
        headers,
        environment: target.kind === 'environment' ? target.name : undefined,
        status: state.kind === 'answered' ? state.result.status : undefined,
      }),
    path: capability.name,
    toFile: (name) => relative(here, join(root, CALLS_FOLDER, `${toSafeName(name)}.json`)),
    note: `capix call @name makes it again; secrets are written as variables`,
    root,
    onWritten: (name) => notify(`Wrote ${CALLS_FOLDER}/${toSafeName(name)}.json: capix call @${toSafeName(name)}`),
  });
  const pick = async ({ name }: SavedCall): Promise<void> => {
    const run = createSavedRun({
      calls: await readSavedCalls(root),
      variables: variables(),
      call: (needed) => callNeeded(name, needed, options),
    });
    const next = await run.fill(name);
    const input = withFilesFrom(field, next.input, { from: root, to: here });
    fill({ input, headers: { ...headers, ...next.headers } });
  };
  const look = async (): Promise<void> => {
    const found = await readSavedCallsOf(root, capability.key);
    setCalls(found.calls);
    const [first, ...others] = found.problems;
    if (first !== undefined) notify(others.length === 0 ? first : `${first} And ${others.length} more cannot be read.`);
  };
  return {
    /** As they were when the files were last read. */
    calls,
    /** Reads the files, and tells of the first that cannot be read. */
    look: () => void look(),
    /** Makes the calls that it needs, and fills the form with it. */
    pick: (saved: SavedCall): void =>
      void pick(saved).catch((error: unknown) => notify(error instanceof Error ? error.message : String(error))),
    /** Writes what the form says. */
    write,
  };
}

/** Makes a call whose answer another one needs, at the same target. */
async function callNeeded(
  name: string,
  { saved, input, headers }: FilledCall,
  { manifest, target, call, isSure }: SavedCallsOptions,
): Promise<CallResult> {
  const needed = toCapabilities(manifest).find(({ key }) => key === saved.call);
  if (needed === undefined) throw new Error(`There is no capability ${saved.call}.`);
  if (
    asksFirst(target, needed.facts) &&
    !(await isSure(`@${name} needs @${saved.name}: ${toQuestion(target, needed)}`))
  )
    throw new Error(`@${saved.name} was not called`);
  return call.ask({
    key: needed.key,
    input: toCallInput(toCallField(needed).input, input, manifest.project.root),
    headers,
  });
}

/** A name that leads nowhere else: `items/get` for `calls/items/get.json`. */
function toSafeName(name: string): string {
  const parts = name
    .trim()
    .replace(/\.json$/, '')
    .split(/[\\/]/);
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/');
}
