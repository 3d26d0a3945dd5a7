import { loadCheckedManifest } from '../check/rules/load-checked-manifest.ts';
import { keepCompiled } from '../cli/enable-compile-cache.ts';
import { connectToParent } from '../system/parent-channel.ts';
import { importWithin } from '../system/run-user-code.ts';
import { followCode } from './hooks/follow-code.ts';
import { LoadError } from './load-failure.ts';
import { observeCode, readRegistry } from './read-registry.ts';
import type { LoaderProtocol, LoadRequest, LoadResult } from './start-project-loader.ts';

// A process of its own for one load: it waits with everything imported, runs the user's code, sends what that declares,
// and is ended.

const hooks = followCode((notes) => void send(notes));
const { send } = connectToParent<LoaderProtocol>({ answers: { load }, onOrder: hooks.take });
process.on('exit', hooks.flush);
observeCode();
keepCompiled(process.env);

async function load({ project, variables, copied, ...options }: LoadRequest): Promise<LoadResult> {
  Object.assign(process.env, variables);
  hooks.take({ files: [], copied });
  try {
    const loaded = await readRegistry(project, { importFile: importWithin });
    return { kind: 'loaded', manifest: await loadCheckedManifest(loaded, options) };
  } catch (error) {
    if (error instanceof LoadError) return { kind: 'failed', failure: error.failure };
    throw error;
  } finally {
    hooks.flush();
  }
}
