import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTool } from '../../scripts/bundle-tool.mjs';
import { packageRoot } from '../helpers/run-capix.ts';

/**
 * Builds the small application in `fixtures/app` as the tool itself is built; it has commands for what the tool's own commands cannot be
 * made to do. Inside the package, because the bundle imports the dependencies from there.
 */
export async function buildApp(): Promise<{
  readonly entry: string;
  readonly remove: () => Promise<void>;
}> {
  const outDir = join(packageRoot, 'node_modules', '.cache', `capix-test-app-${process.pid}`);
  const baseDir = fileURLToPath(new URL('fixtures/app', import.meta.url));
  await bundleTool({ baseDir, outDir, entryPoints: ['cli.ts'] });
  return {
    entry: join(outDir, 'cli.js'),
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}
