import { loadManifest } from '../../manifest/load-manifest.ts';
import { toEndedFailure } from '../load-failure.ts';
import { importRegistry } from '../read-registry.ts';
import type { LoadAnswer, LoadMilestone, LoadProgress, LoadRequest } from './load-request.ts';
import { packManifest } from './packed-manifest.ts';

// A process of its own for one load: it waits with everything imported, runs the user's code, sends what that declares, and is ended.

/** How long the code may wait for something while it loads, milliseconds. */
const WAIT_TIMEOUT_MS = 15_000;
/** From this many capabilities on the schemas take long enough to show the routes first. */
const LARGE = 500;

process.once('message', (request: LoadRequest) => void answer(request));
process.once('disconnect', () => process.exit());
// What a manifest with schemas needs is imported before anybody waits for it.
const prepared = import('../../shape/schema-view.ts');

async function answer({ project, bundle, variables, known, ...options }: LoadRequest): Promise<void> {
  // Node 20 cannot require a module that is being imported, as a CommonJS project may.
  await prepared;
  // Fires only where the code waits: a busy computer may take long, and its own code holds the timer up.
  const timer = setTimeout(() => {
    void send({ kind: 'failed', failure: toEndedFailure(`was not done after ${WAIT_TIMEOUT_MS / 1000} seconds`) });
  }, WAIT_TIMEOUT_MS);
  Object.assign(process.env, variables);
  const loaded = await importRegistry(project, bundle);
  clearTimeout(timer);
  if (loaded.kind === 'failed') return send({ kind: 'failed', failure: loaded.failure });
  await send({ kind: 'imported' });
  if (known.length === 0 && options.detail !== 'routes' && loaded.registry.operations.length > LARGE) {
    await send({
      kind: 'outlined',
      manifest: await loadManifest(loaded, { ...options, detail: 'routes', document: undefined }),
    });
  }
  const packing = packManifest(await loadManifest(loaded, options), known);
  let step = packing.next();
  for (; !step.done; step = packing.next()) await send({ kind: 'part', part: step.value });
  await send({ kind: 'loaded', manifest: step.value });
}

/** Resolves when it is written, so that what comes next is made while it is read. */
function send(message: LoadAnswer | LoadMilestone | LoadProgress): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
}
