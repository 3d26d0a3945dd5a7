import { LoadError } from '../load/load-failure.ts';
import { type LoaderOptions, startProjectLoader } from '../load/start-project-loader.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import type { LoadSideOptions } from './side-options.ts';

/**
 * Loads the code of a project in a process of its own.
 *
 * @throws LoadError, and the reason of `signal` once it is aborted
 */
export async function loadCode(
  project: Project,
  { signal, onOutput }: Pick<LoadSideOptions, 'signal' | 'onOutput'>,
  options: Pick<LoaderOptions, 'envFiles' | 'environment' | 'copied'>,
): Promise<Manifest> {
  signal?.throwIfAborted();
  const loader = startProjectLoader(project, { ...options, onOutput, hasProblems: false });
  signal?.addEventListener('abort', loader.close, { once: true });
  try {
    const answer = await loader.load();
    signal?.throwIfAborted();
    if (answer.kind === 'failed') throw new LoadError(answer.failure);
    return answer.manifest;
  } finally {
    signal?.removeEventListener('abort', loader.close);
    loader.close();
  }
}
