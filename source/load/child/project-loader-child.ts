import { keepCompiled } from '../../cli/enable-compile-cache.ts';
import { loadManifest } from '../../manifest/load-manifest.ts';
import { importAhead } from '../../system/child/import-ahead.ts';
import { connectToParent } from '../../system/child/parent-channel.ts';
import { optimizeLate } from '../../terminal/engine/optimize-late.ts';
import { toEndedFailure } from '../load-failure.ts';
import { importRegistry, observeCode } from '../read-registry.ts';
import type { CodeAhead, LoadAnswer, LoaderProtocol, LoadProgress, LoadRequest } from './load-request.ts';
import { packManifest } from './packed-manifest.ts';

// A process of its own for one load: it waits with everything imported, runs the user's code, sends what that declares, and is ended.

/** The time that the code may wait for something while it loads, milliseconds. */
const WAIT_TIMEOUT_MS = 15_000;
/** The number of capabilities from which on the schemas take long enough to show the routes first. */
const LARGE = 500;

optimizeLate();
/** Whether a module that was to be imported ahead was missing. */
let ahead = Promise.resolve(false);
/** The code has come. */
let isAwaited = false;
connectToParent<LoaderProtocol>({
  answers: { load },
  onOrder: (code) => {
    ahead = ahead.then(async (isGone) => (await warm(code).catch(() => false)) || isGone);
  },
});
// What a manifest with schemas needs is imported before anybody waits for it.
const prepared = prepare();

async function prepare() {
  const { describeAhead } = await import('./describe-ahead.ts');
  keepCompiled(process.env);
  return { describeAhead };
}

async function load(
  { project, bundle, variables, known, ...options }: LoadRequest,
  tell: (progress: LoadProgress) => Promise<void>,
): Promise<LoadAnswer> {
  isAwaited = true;
  if (await ahead) return { kind: 'unfit' };
  // Node 20 cannot require a module that is being imported, as a CommonJS project may.
  await prepared;
  Object.assign(process.env, variables);
  const loaded = await Promise.race([importRegistry(project, bundle), waitTooLong()]);
  if (loaded.kind === 'failed') return { kind: 'failed', failure: loaded.failure };
  await tell({ kind: 'imported' });
  if (known.length === 0 && options.detail !== 'routes' && loaded.registry.operations.length > LARGE) {
    const manifest = await loadManifest(loaded, { ...options, detail: 'routes', document: undefined });
    await tell({ kind: 'outlined', manifest });
  }
  const packing = packManifest(await loadManifest(loaded, options), known);
  let step = packing.next();
  for (; !step.done; step = packing.next()) await tell({ kind: 'part', part: step.value });
  return { kind: 'loaded', manifest: step.value };
}

/** Imports modules that only declare, and describes what they declare. Gives whether one was missing. */
async function warm({ project, modules }: CodeAhead): Promise<boolean> {
  observeCode();
  const { describeAhead } = await prepared;
  const options = { project, isAwaited: () => isAwaited };
  return importAhead(modules, {
    ...options,
    onModules: (all) => describeAhead(all.flatMap(Object.values), options),
  });
}

/** Resolves only where the code waits: a busy computer may take long, and its own code holds the timer up. */
function waitTooLong(): Promise<Extract<LoadAnswer, { readonly kind: 'failed' }>> {
  const failure = toEndedFailure(`was not done after ${WAIT_TIMEOUT_MS / 1000} seconds`);
  return new Promise((resolve) => void setTimeout(resolve, WAIT_TIMEOUT_MS, { kind: 'failed', failure }));
}
