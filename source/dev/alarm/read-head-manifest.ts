import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startProjectLoader } from '../../load/child/load-in-child.ts';
import type { Manifest } from '../../manifest/manifest.ts';

export interface HeadManifestOptions {
  /** Absolute path of the project; it has a `node_modules`. */
  readonly root: string;
  /** The capabilities file, relative to the project. */
  readonly config: string;
  /** Absolute paths of env files: the commit has none of its own. */
  readonly envFiles: readonly string[];
}

/**
 * The contract of the last commit, loaded from a copy of its files that lies where the project's packages are found. Undefined where there
 * is not a commit, or its code cannot be loaded: it is an extra that nobody asked for.
 */
export async function readHeadManifest({ root, config, envFiles }: HeadManifestOptions): Promise<Manifest | undefined> {
  if (!existsSync(join(root, 'node_modules'))) return undefined;
  const copy = join(root, 'node_modules', '.capix', `head-${crypto.randomUUID()}`);
  try {
    await mkdir(copy, { recursive: true });
    const { execa } = await import('execa');
    await execa('git', ['archive', '--format=tar', 'HEAD'], { cwd: root, encoding: 'buffer', timeout: 20_000 }).pipe(
      'tar',
      ['-x', '-C', copy],
    );
    const loader = await startProjectLoader({ root: copy, configFile: join(copy, config), name: 'HEAD' }, { envFiles });
    const answer = await loader.load();
    await loader.close();
    return answer.kind === 'loaded' ? answer.manifest : undefined;
  } catch {
    return undefined;
  } finally {
    await rm(copy, { recursive: true, force: true, maxRetries: 5 });
  }
}
