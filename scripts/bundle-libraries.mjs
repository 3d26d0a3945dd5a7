import { readdir, readFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * The packages that the library brings along in place of depending on them, by name, with the exports that are used:
 * the `require('node:stream')` of CommonJS fails in a server that was bundled as a module, and some are large.
 */
const exportOf = {
  '@fastify/busboy': 'Busboy',
  cookie: 'parse, serialize',
  'cookie-signature': 'sign, unsign',
  croner: 'Cron',
  dataloader: 'default',
  devalue: 'parse, stringify, unflatten',
  'fast-querystring': 'parse',
  'lru-cache': 'LRUCache',
  memoirist: 'Memoirist',
  'p-queue': 'default',
  'proxy-addr': 'default',
  'rate-limiter-flexible': 'RateLimiterMemory, RateLimiterRedis',
};

export const bundledLibraryNames = Object.keys(exportOf);

/** Of these the file of each export is taken alone: others of the package want databases, and `node:cluster`. */
const folderOf = { 'rate-limiter-flexible': 'rate-limiter-flexible/lib' };

/** A plugin of esbuild that puts them into what imports them, each as one module with its license. */
export function bundledLibraries(root) {
  return {
    name: 'bundled-libraries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
        Object.hasOwn(exportOf, path)
          ? { path, namespace: 'library', sideEffects: false }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'library' }, async ({ path }) => ({
        contents: await bundle(root, path),
      }));
    },
  };
}

async function bundle(root, library) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: toEntry(library), resolveDir: root },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
    banner: { js: (await readLicenses(root, library)).join('\n') },
    plugins: [importsOfNode()],
  });
  return outputFiles[0].text;
}

function toEntry(library) {
  const folder = folderOf[library];
  if (folder === undefined)
    return `export { ${exportOf[library]} } from ${JSON.stringify(library)};`;
  const names = exportOf[library].split(', ');
  return names
    .map((name) => `export { default as ${name} } from '${folder}/${name}.js';`)
    .join('\n');
}

/** Its own package.json may not be exported: the folder is above its entry. */
export function findFolder(root, library) {
  const entry = createRequire(join(root, 'package.json')).resolve(library);
  const inModules = join('node_modules', ...library.split('/'));
  return entry.slice(0, entry.lastIndexOf(inModules) + inModules.length);
}

/** The licenses of a package and of those that it depends on, which must be part of each copy. */
async function readLicenses(root, library) {
  const folder = findFolder(root, library);
  const text = await readLicenseText(folder);
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const others = await Promise.all(
    Object.keys(dependencies).map((dependency) => readLicenses(root, dependency)),
  );
  return [`/*! ${library}\n${text.trim()}\n*/`, ...others.flat()];
}

/** The licence of the package in a folder; undefined where it has no file of it. */
export async function readLicenseText(folder) {
  const name = (await readdir(folder)).find((file) => /^(licen[cs]e|copying)/i.test(file));
  return name === undefined ? undefined : readFile(join(folder, name), 'utf8');
}

/** A `require` of a module of Node's becomes an import, of its default export: ncc sees no names of a whole one. */
function importsOfNode() {
  return {
    name: 'imports-of-node',
    setup({ onResolve, onLoad }) {
      // Some write `crypto`, others `node:crypto`.
      onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
        const name = path.replace(/^node:/, '');
        if (!builtinModules.includes(name)) return undefined;
        return kind === 'require-call'
          ? { path: `node:${name}`, namespace: 'of-node' }
          : { path: `node:${name}`, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'of-node' }, ({ path }) => ({
        contents: `import all from ${JSON.stringify(path)}; module.exports = all;`,
      }));
    },
  };
}
