import { join, relative } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { type ProjectLoader, startProjectLoader } from '../load/child/start-project-loader.ts';
import { expectOtherProject } from '../load/expect-project.ts';
import { toLoadError } from '../load/load-failure.ts';
import type { ToManifestOptions } from '../manifest/load-manifest.ts';
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
  { project, toEnvFiles, withDocument = false }: Omit<LoadSideOptions, 'signal'>,
): Promise<Manifest> {
  let reason = '';
  // A project that imports from beside itself is read once more, with all of its repository.
  for (const isWhole of [false, true]) {
    const copy = await createRefCopy({ root: project.root, commit, isWhole });
    try {
      const entryFile = join(copy.root, relative(project.root, project.entryFile));
      const envFiles = toEnvFiles(project.root);
      const loader = await startProjectLoader(
        { root: copy.root, entryFile, name: label },
        { envFiles, ...toDetail(withDocument) },
      );
      const answer = await loadOnce(loader);
      if (answer.kind === 'loaded') return expectCapabilities(answer.manifest, label);
      reason = reason || answer.failure.message;
    } finally {
      await copy.remove();
    }
  }
  throw createCliError('RefFailed', { ref: label, reason });
}

/** A comparison with a document needs that of the project, and only it. */
function toDetail(withDocument: boolean): ToManifestOptions {
  return withDocument ? { detail: 'contract', document: {} } : {};
}

/**
 * Loads the contract of a capabilities file once, in a process of its own.
 *
 * @throws CliError `NoProject`, `EmptySide`, and what keeps its code from loading
 */
export async function loadConfigApart(
  { label, file }: Extract<SideSource, { readonly kind: 'config' }>,
  { project, toEnvFiles, withDocument = false }: Omit<LoadSideOptions, 'signal'>,
): Promise<Manifest> {
  const own = expectOtherProject(file, project.root);
  const loader = await startProjectLoader(own, { envFiles: toEnvFiles(own.root), ...toDetail(withDocument) });
  const answer = await loadOnce(loader);
  if (answer.kind === 'failed') throw toLoadError(answer.failure);
  return expectCapabilities(answer.manifest, label);
}

async function loadOnce(loader: ProjectLoader): ReturnType<ProjectLoader['load']> {
  try {
    return await loader.load();
  } finally {
    await loader.close();
  }
}
