import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

const library = '@fastify/busboy';

/**
 * Puts the parser of forms into its module of `dist/`, as ECMAScript: of CommonJS, `require('node:stream')` fails in a server that was bundled
 * as a module, and on runtimes without `require`.
 */
export async function bundleFormParser({ root, outDir }) {
  const module = join('server-runtime', 'input', 'form-parser');
  await build({
    absWorkingDir: root,
    entryPoints: [`${module}.ts`],
    outfile: join(outDir, `${module}.js`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
    banner: { js: await readLicense(root) },
    plugins: [importsOfNode()],
  });
}

/** The license asks to come with each copy. */
async function readLicense(root) {
  const entry = createRequire(join(root, 'package.json')).resolve(library);
  const folder = entry.slice(
    0,
    entry.lastIndexOf(join('node_modules', library)) + join('node_modules', library).length,
  );
  const text = await readFile(join(folder, 'LICENSE'), 'utf8');
  return `/*! ${library}\n${text.trim()}\n*/`;
}

/** A `require` of a module of Node's becomes an import. */
function importsOfNode() {
  return {
    name: 'imports-of-node',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        kind === 'require-call' ? { path, namespace: 'of-node' } : { path, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'of-node' }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)};`,
      }));
    },
  };
}
