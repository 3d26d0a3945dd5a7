import { keepCompiled } from '../cli/enable-compile-cache.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { loadCheckedManifest } from '../rules/load-checked-manifest.ts';
import { connectToParent } from '../system/parent-channel.ts';
import { prepareCompiler } from './hooks/compile.ts';
import { followCode } from './hooks/follow-code.ts';
import { toEndedFailure } from './load-failure.ts';
import { observeCode, readRegistry } from './read-registry.ts';
import type { LoaderProtocol, LoadRequest, LoadResult } from './start-project-loader.ts';

// A process of its own for one load: it waits with everything imported, runs the user's code, sends what that declares,
// and is ended.

/** The time that the code may wait for something while it loads, milliseconds. */
const WAIT_TIMEOUT_MS = 15_000;
/** The number of capabilities from which on the schemas take long enough to show the routes first. */
const LARGE = 500;

const hooks = followCode((notes) => void send(notes));
const { send } = connectToParent<LoaderProtocol>({ answers: { load }, onOrder: hooks.take });
process.on('exit', hooks.flush);
observeCode();
prepareCompiler(import.meta.filename);
keepCompiled(process.env);

async function load(
  { project, variables, isFirst, ...options }: LoadRequest,
  tell: (outline: Manifest) => Promise<void>,
): Promise<LoadResult> {
  Object.assign(process.env, variables);
  const loading = readRegistry(project);
  const loaded = await Promise.race([loading, waitTooLong()]);
  hooks.flush();
  if (loaded.kind === 'failed') return { kind: 'failed', failure: loaded.failure };
  if (isFirst && options.hasSchemas !== false && loaded.registry.operations.length > LARGE) {
    await tell(await loadCheckedManifest(loaded, { hasSchemas: false, hasPlaces: false }));
  }
  return { kind: 'loaded', manifest: await loadCheckedManifest(loaded, options) };
}

/** Resolves only where the code waits: a busy computer may take long, and its own code holds the timer up. */
function waitTooLong(): Promise<Extract<LoadResult, { readonly kind: 'failed' }>> {
  const failure = toEndedFailure(`was not done after ${WAIT_TIMEOUT_MS / 1000} seconds`);
  return new Promise((resolve) => void setTimeout(resolve, WAIT_TIMEOUT_MS, { kind: 'failed', failure }));
}
