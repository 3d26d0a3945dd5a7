import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { parse } from 'es-module-lexer';
import { build } from 'esbuild';

/**
 * The packages that the library brings along in place of depending on them. The parser of forms is CommonJS: its `require('node:stream')` fails in a
 * server that was bundled as a module, and on runtimes without `require`. Of lru-cache, 3.4 MB in 113 files, one is used. By
 * name, with the export that is used.
 */
const exportOf = {
  '@fastify/busboy': 'Busboy',
  cookie: 'parse, serialize',
  'cookie-signature': 'sign, unsign',
  croner: 'Cron',
  devalue: 'parse, stringify',
  'lru-cache': 'LRUCache',
};
const libraries = Object.keys(exportOf);

/** Puts them into `dist/server-runtime/bundled/`, each as one module, and points what imports them there. */
export async function bundleLibraries({ root, outDir }) {
  const folder = join(outDir, 'server-runtime', 'bundled');
  const fileOf = (library) => join(folder, `${library.replace('@', '').replace('/', '-')}.js`);
  await Promise.all(libraries.map((library) => bundle({ root, library, outfile: fileOf(library) })));
  const compiled = await readdir(join(outDir, 'server-runtime'), { recursive: true });
  const modules = compiled.filter((file) => file.endsWith('.js') && !file.startsWith(`bundled${sep}`));
  await Promise.all(modules.map((file) => pointToBundles(join(outDir, 'server-runtime', file), fileOf)));
}

async function bundle({ root, library, outfile }) {
  const folder = findFolder(root, library);
  await build({
    absWorkingDir: root,
    stdin: { contents: `export { ${exportOf[library]} } from ${JSON.stringify(library)};`, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
    banner: { js: await readLicense(library, folder) },
    plugins: [importsOfNode()],
  });
}

/** Its own package.json may not be exported: the folder is above its entry. */
function findFolder(root, library) {
  const entry = createRequire(join(root, 'package.json')).resolve(library);
  const inModules = join('node_modules', ...library.split('/'));
  return entry.slice(0, entry.lastIndexOf(inModules) + inModules.length);
}

/** The license asks to come with each copy. */
async function readLicense(library, folder) {
  const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  const text = await readFile(join(folder, name), 'utf8');
  return `/*! ${library}\n${text.trim()}\n*/`;
}

async function pointToBundles(file, fileOf) {
  const source = await readFile(file, 'utf8');
  if (!libraries.some((library) => source.includes(library))) return;
  const [imports] = parse(source);
  let text = source;
  for (const { n: library, s: start, e: end, d: dynamicAt } of imports.toReversed()) {
    if (!libraries.includes(library)) continue;
    const path = relative(dirname(file), fileOf(library)).replaceAll(sep, '/');
    const specifier = path.startsWith('.') ? path : `./${path}`;
    text = text.slice(0, start) + (dynamicAt > -1 ? JSON.stringify(specifier) : specifier) + text.slice(end);
  }
  await writeFile(file, text);
}

/** A `require` of a module of Node's becomes an import, of its default export: ncc sees no names of one that is exported on whole. */
function importsOfNode() {
  return {
    name: 'imports-of-node',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        kind === 'require-call' ? { path, namespace: 'of-node' } : { path, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'of-node' }, ({ path }) => ({
        contents: `import all from ${JSON.stringify(path)}; module.exports = all;`,
      }));
    },
  };
}
