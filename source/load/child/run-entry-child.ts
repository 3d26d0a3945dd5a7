import { pathToFileURL } from 'node:url';
import { takeEntry } from '../../patches/run-typescript-entries.ts';
import { bundleUserCode } from '../bundle/bundle-user-code.ts';
import { stopEsbuild } from '../bundle/load-esbuild.ts';

// The process or the thread that runs a file in TypeScript which code of the user has started by `fork` or `new Worker`.

process.setSourceMapsEnabled(true);

await bundleUserCode({ entry: takeEntry(), root: process.cwd() }, async ({ outFile }) => {
  await stopEsbuild();
  await import(pathToFileURL(outFile).href);
});
