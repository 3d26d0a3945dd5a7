import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inputs = [
  'cli.ts',
  'commands',
  'source',
  'server-runtime',
  'scripts/build.mjs',
  'scripts/bundle-libraries.mjs',
  'scripts/bundle-library.mjs',
  'scripts/bundle-tool.mjs',
  'scripts/import-source.mjs',
  'scripts/later-imports.mjs',
  'scripts/outline-commands.mjs',
  'scripts/product-template.mjs',
  'examples/clinic/package.json',
  'examples/clinic/src',
  'examples/clinic/web',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/**
 * Builds `dist/` once before the tests of the built package, unless it is newer than everything it is made of. Type errors are printed and
 * do not stop the tests: the compiler has written its output, and `npm test` checks the types on its own.
 */
export default async function buildPackage(): Promise<void> {
  const builtAt = statSync(join(root, 'dist', 'cli.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (builtAt > Math.max(...inputs.map((input) => changedAt(join(root, input))))) return;
  const { exitCode } = await execa(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    stdio: 'inherit',
    reject: false,
  });
  if (exitCode !== 0 && changedAt(join(root, 'dist', 'cli.cjs')) <= builtAt)
    throw new Error('The package could not be built.');
}

/** When the file or anything in the folder was last changed, in milliseconds; 0 where it does not exist. */
function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}
