import { resolve } from 'node:path';
import { isReadOnly } from '../../../server-runtime/mcp/offers.ts';
import { SAVED_CALLER } from '../../files/read-saved-names.ts';
import { findImported, isCompiled } from '../../load/hooks/own-file.ts';
import { readSourceText } from '../../manifest/code-frame.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import { type LoadedRegistry, toCallableRegistry } from '../../manifest/loaded-registry.ts';
import { findSource, type Manifest, toCapabilities } from '../../manifest/manifest.ts';
import type { Environment } from '../../system/read-variables.ts';
import type { CallResult } from '../perform-call.ts';
import { createSavedRun, findNeeds, performSavedCall } from './create-saved-run.ts';
import { readSavedCalls, type SavedCall } from './read-saved-calls.ts';

/** The question of `capix dev` which saved calls of its server are as expected. */
export interface SavedQuestion {
  /** The address of the server, without a slash at its end. */
  readonly url: string;
  /** The file of the server; an absolute path. */
  readonly entryFile: string;
  /** The files that have changed (absolute paths); undefined where everything may have. */
  readonly files?: readonly string[] | undefined;
  /** The names of those that fail, which are made again whatever has changed. */
  readonly failing: readonly string[];
  /** Whether the user wants all of them, also those that change something. */
  readonly isAll: boolean;
}

export interface SavedAnswer {
  readonly name: string;
  /** The key of the capability. */
  readonly call: string;
  /** Whether the server has answered. */
  readonly isMade: boolean;
  /** Why it failed, a sentence each; none where it passed. */
  readonly problems: readonly string[];
}

/** Between `capix dev` and the process that makes the calls. */
export interface SavedProtocol {
  readonly order: never;
  readonly note: never;
  readonly questions: {
    readonly run: {
      readonly question: SavedQuestion;
      readonly progress: never;
      readonly answer: readonly SavedAnswer[];
    };
  };
}

/** After a save, at most so many calls are made, and none is begun any more after this time, milliseconds. */
const MAX_CALLS = 20;
const MAX_MS = 10_000;
/** The time that a server may take for one, milliseconds. */
const CALL_MS = 5_000;

/**
 * Makes the saved calls on a server: after a save those that it reaches, of capabilities that are queries and of files
 * that say `"onSave": true`. None that names an environment, or needs a call that does not run.
 */
export async function runOnSave(
  loaded: LoadedRegistry,
  question: SavedQuestion,
  variables: Environment,
): Promise<readonly SavedAnswer[]> {
  const { url, failing, isAll } = question;
  const { root } = loaded.project;
  const manifest = await loadManifest(loaded);
  const { calls } = await readSavedCalls(root);
  const { find } = toCallableRegistry(loaded);
  const runs = ({ call, onSave }: SavedCall): boolean => {
    const operation = find(call);
    return isAll || (onSave ?? (operation !== undefined && isReadOnly(operation)));
  };
  const runnable = selectRunnable(calls, runs);
  const isReached = createReach(manifest, question);
  const chosen = isAll
    ? runnable
    : runnable
        .filter(({ name, call }) => failing.includes(name) || isReached(call))
        .toSorted((one, other) => rank(one, failing) - rank(other, failing))
        .slice(0, MAX_CALLS);
  const target = {
    kind: 'server',
    url,
    headers: {},
    routes: toCapabilities(manifest),
    root,
  } as const;
  const { run } = createSavedRun({
    calls: runnable,
    variables,
    call: (filled): Promise<CallResult> =>
      performSavedCall(filled, {
        target,
        routes: target.routes,
        root,
        headers: { 'user-agent': SAVED_CALLER },
        timeoutMs: CALL_MS,
      }),
  });
  const answers: SavedAnswer[] = [];
  const end = performance.now() + MAX_MS;
  for (const { name, call } of chosen) {
    if (!isAll && performance.now() > end) break;
    const { answer, problems } = await run(name);
    answers.push({ name, call, isMade: answer !== undefined, problems });
  }
  return answers;
}

/** Those that fail come first. */
function rank({ name }: SavedCall, failing: readonly string[]): number {
  return failing.includes(name) ? 0 : 1;
}

/** The calls that may be made, with all that they need. */
export function selectRunnable(
  calls: readonly SavedCall[],
  runs: (call: SavedCall) => boolean,
): readonly SavedCall[] {
  const mayRun = (call: SavedCall, above: readonly SavedCall[]): boolean =>
    call.environment === undefined &&
    runs(call) &&
    findNeeds(call).every((name) => {
      const needed = calls.find((each) => each.name === name);
      return needed !== undefined && !above.includes(needed) && mayRun(needed, [...above, needed]);
    });
  return calls.filter((call) => mayRun(call, [call]));
}

/**
 * Gives a function that says whether the changed files reach a capability: by the imports of its file, or because the
 * server loads them beside all capabilities.
 */
function createReach(
  manifest: Manifest,
  { files, entryFile }: SavedQuestion,
): (key: string) => boolean {
  if (files === undefined || !files.every(isCompiled)) return () => true;
  const { root } = manifest.project;
  const toFile = (key: string): string | undefined => {
    const source = findSource(manifest, key)?.file;
    return source === undefined ? undefined : resolve(root, source);
  };
  const sources = new Set(toCapabilities(manifest).map(({ key }) => toFile(key)));
  const shared = findImports(entryFile, (file) => sources.has(file));
  if (files.some((file) => shared.has(file))) return () => true;
  return (key) => {
    const file = toFile(key);
    if (file === undefined) return true;
    const own = findImports(file, () => false);
    return files.some((each) => own.has(each));
  };
}

/** A file and all that it imports, as far as the texts say; nothing of what `isOther` leaves out. */
export function findImports(
  start: string,
  isOther: (file: string) => boolean,
): ReadonlySet<string> {
  const found = new Set([start]);
  for (const file of found)
    for (const match of readSourceText(file).matchAll(IMPORTS)) {
      const imported = findImported(match[1] ?? '', file);
      if (imported !== undefined && !isOther(imported)) found.add(imported);
    }
  return found;
}

const IMPORTS = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"\n]+)['"]/g;
