import { join, relative } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { type ProjectLoader, startProjectLoader } from '../load/child/load-in-child.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { expectCapabilities } from './expect-capabilities.ts';
import { createRefCopy } from './git/ref-copy.ts';
import type { LoadSideOptions } from './load-side.ts';
import type { SideSource } from './side-source.ts';

type Ref = Extract<SideSource, { readonly kind: 'ref' }>;

/**
 * Loads the contract of a git ref for a command that stays open: its code runs in a process of its own.
 *
 * @throws CliError `RefFailed`, `EmptySide`
 */
export async function loadRefApart(
  { label, commit }: Ref,
  { project, toEnvFiles }: Omit<LoadSideOptions, 'signal'>,
): Promise<Manifest> {
  let reason = '';
  // A project that imports from beside itself is read once more, with all of its repository.
  for (const isWhole of [false, true]) {
    const copy = await createRefCopy({ root: project.root, commit, isWhole });
    try {
      const configFile = join(copy.root, relative(project.root, project.configFile));
      const envFiles = toEnvFiles(project.root);
      const loader = await startProjectLoader({ root: copy.root, configFile, name: label }, { envFiles });
      const answer = await loadOnce(loader);
      if (answer.kind === 'loaded') return expectCapabilities(answer.manifest, label);
      reason = reason || answer.failure.message;
    } finally {
      await copy.remove();
    }
  }
  throw createCliError('RefFailed', { ref: label, reason });
}

async function loadOnce(loader: ProjectLoader): ReturnType<ProjectLoader['load']> {
  try {
    return await loader.load();
  } finally {
    await loader.close();
  }
}
