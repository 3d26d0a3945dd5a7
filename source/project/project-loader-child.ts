import type { LoadAnswer, LoadRequest } from './loader-messages.ts';
import { importRegistry } from './read-registry.ts';
import { toManifest } from './to-manifest.ts';

// A process of its own for one load: it waits with everything imported, runs the user's code, sends what that declares, and is ended.

process.once('message', (request: LoadRequest) => void answer(request));
process.once('disconnect', () => process.exit());
// What a manifest with schemas needs is imported before anybody waits for it.
await import('./schema-view.ts');

async function answer({ project, bundle, ...options }: LoadRequest): Promise<void> {
  const loaded = await importRegistry(project, bundle);
  if (loaded.kind === 'failed') send({ kind: 'failed', failure: loaded.failure });
  else send({ kind: 'loaded', manifest: await toManifest(loaded, options) });
}

function send(message: LoadAnswer): void {
  process.send?.(message);
}
