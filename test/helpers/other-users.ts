import { chmod, cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot } from './run-capix.ts';
import { temporaryFolder } from './temporary-folder.ts';

const isRoot = process.getuid?.() === 0;

/** Users whom a test can run programs as: two strangers where the tests run as root, else only the user of the tests, `undefined`. */
export function otherUsers(): readonly (number | undefined)[] {
  return isRoot ? [5, 65_534] : [undefined];
}

export interface Installation {
  /** The folder of the built package, without a slash at its end. */
  readonly root: string;
  readonly node: string;
  readonly entry: string;
}

/** What `otherUsers()` can run: copies of Node and of the built package, as neither need lie where strangers can enter. */
export async function installForOthers(): Promise<Installation> {
  const root = isRoot ? join(await temporaryFolder(), 'capix') : dirname(join(packageRoot, 'dist'));
  const node = isRoot ? join(root, 'node') : process.execPath;
  if (isRoot) {
    const packages = ['zod', '@swc'].map((name) => join('node_modules', name));
    const parts = ['package.json', 'dist', 'templates', ...packages];
    for (const part of parts)
      await cp(join(packageRoot, part), join(root, part), { recursive: true });
    await cp(process.execPath, node);
    await chmod(dirname(root), 0o755);
  }
  return { root, node, entry: join(root, 'dist', 'cli.cjs') };
}
