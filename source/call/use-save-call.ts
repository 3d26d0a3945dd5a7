import { join, relative } from 'node:path';
import { toOperationSecrets } from '../document/operations/secret-check.ts';
import { CALLS_FOLDER } from '../files/read-saved-names.ts';
import { toSavedFileText } from '../invoke/saved/read-saved-calls.ts';
import type { Listed } from '../manifest/manifest.ts';
import { useServices } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import type { CallStore } from './call-store.ts';

/** Gives a function that asks for a name, and saves the call of the form under it. */
export function useSaveCall(store: CallStore, capability: Listed, root: string): () => void {
  const { terminal, notify } = useServices();
  return useWriteFile({
    label: 'Save as',
    toText: () => {
      const { state, typed, target } = store;
      const expect = state.kind === 'answered' ? { status: state.result.status } : undefined;
      const { filled: input, headers } = typed;
      const { environment } = target;
      const saved = { call: capability.key, input, headers, environment, expect };
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
}

/** A name that leads nowhere else: `items/get` for `calls/items/get.json`. */
function toSafeName(name: string): string {
  const parts = name
    .trim()
    .replace(/\.json$/, '')
    .split(/[\\/]/);
  return parts.filter((part) => !['', '.', '..'].includes(part)).join('/');
}
