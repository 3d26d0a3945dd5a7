import { build } from 'esbuild';

/** Runs a TypeScript file of the sources, and gives what it exports. */
export async function importSource(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
