import { cp, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleLibrary, divideLibrary } from '../../../scripts/bundle-library.mjs';
import { bundleLauncher, bundleTool } from '../../../scripts/bundle-tool.mjs';
import { packageRoot } from '../run-capix.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** On SIGUSR2, the process writes which functions have run since the last time. */
const onSignal = `
  import { writeFileSync } from 'node:fs';
  import { takeCoverage } from 'node:v8';
  const tell = (what) => writeFileSync(process.env.NODE_V8_COVERAGE + '/' + what + '-' + process.pid, '');
  process.on('SIGUSR2', () => {
    takeCoverage();
    tell('told');
  });
  tell('runs');
`;

/** A package as it is built, with source maps. Gives its folder, and a module to be imported by processes that are asked what has run. */
export async function buildTracedPackage(): Promise<{
  readonly root: string;
  readonly signalModule: string;
}> {
  const root = await temporaryFolder();
  const outDir = join(root, 'dist');
  const files = await readdir(join(packageRoot, 'source'), { recursive: true });
  const children = files
    .filter((file) => file.endsWith('-child.ts'))
    .map((file) => join('source', file));
  const library = { parts: await divideLibrary(), more: new Set<string>() };
  const common = { baseDir: packageRoot, outDir, sourcemap: true };
  await bundleTool({ ...common, entryPoints: ['source/cli/run-cli.ts', ...children], library });
  await Promise.all([bundleLauncher(common), bundleLibrary({ ...common, ...library })]);
  await cp(join(packageRoot, 'package.json'), join(root, 'package.json'));
  await symlink(join(packageRoot, 'node_modules'), join(root, 'node_modules'), 'junction');
  await symlink(join(packageRoot, 'templates'), join(root, 'templates'), 'junction');
  const signalModule = join(root, 'on-signal.mjs');
  await writeFile(signalModule, onSignal);
  return { root, signalModule };
}
