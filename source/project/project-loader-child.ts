import { createHash } from 'node:crypto';
import type { LoadAnswer, LoadProgress, LoadRequest } from './loader-messages.ts';
import type { ManifestCapability } from './manifest.ts';
import { importRegistry } from './read-registry.ts';
import { toManifest } from './to-manifest.ts';

// A process of its own for one load: it waits with everything imported, runs the user's code, sends what that declares, and is ended.

process.once('message', (request: LoadRequest) => void answer(request));
process.once('disconnect', () => process.exit());
// What a manifest with schemas needs is imported before anybody waits for it.
await import('./schema-view.ts');

async function answer({ project, bundle, ...options }: LoadRequest): Promise<void> {
  const loaded = await importRegistry(project, bundle);
  if (loaded.kind === 'failed') await send({ kind: 'failed', failure: loaded.failure });
  else {
    if (loaded.registry.operations.length > LARGE) {
      await send({
        kind: 'outlined',
        manifest: await toManifest(loaded, { ...options, detail: 'routes', document: undefined }),
      });
    }
    const manifest = await toManifest(loaded, options);
    for (let from = 0; from < manifest.capabilities.length; from += PART) {
      const capabilities = manifest.capabilities.slice(from, from + PART);
      await send({ kind: 'capabilities', capabilities, fingerprints: capabilities.map(toFingerprint) });
    }
    await send({ kind: 'loaded', manifest: { ...manifest, capabilities: [] } });
  }
}

/** From this many capabilities on the schemas take long enough to show the routes first. */
const LARGE = 500;
/** Capabilities in one message: few enough to be read between two keys. */
const PART = 100;

/** Differs where the capability does, but for its place. */
function toFingerprint({ source: _source, ...capability }: ManifestCapability): string {
  return createHash('sha1').update(JSON.stringify(capability)).digest('base64');
}

/** Resolves when it is written, so that what comes next is made while it is read. */
function send(message: LoadAnswer | LoadProgress): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
}
