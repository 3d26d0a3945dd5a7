import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { bundledLibraries } from './bundle-libraries.mjs';
import { root } from './import-source.mjs';

const folder = join(root, 'server-runtime');

/** The parts that more than one entry needs, each one file, by name: what does not need zod, and what does. */
const NAMES = { base: 'capix:base', core: 'capix:core' };

/**
 * How the library is divided. Each module costs Node time, so what `capix` loads at start is two files: `core.js`, and
 * `base.js` for what needs no zod, since screens of the tool use some of that and would wait for zod. By path inside
 * `server-runtime`, with `/` and `.ts`: the part that a module is in, of those that have one.
 */
export async function divideLibrary() {
  const { inputs } = (
    await bundle({ entryPoints: [join(folder, 'index.ts')], write: false, metafile: true })
  ).metafile;
  const importsOf = (path) =>
    inputs[path].imports.filter(
      ({ kind }) => kind === 'import-statement' || kind === 'require-call',
    );
  const needsZod = new Map();
  const visit = (path) => {
    if (needsZod.has(path)) return needsZod.get(path);
    needsZod.set(path, false);
    const found = importsOf(path).map((to) =>
      to.external ? /^zod(\/|$)/.test(to.path) : visit(to.path),
    );
    needsZod.set(path, found.includes(true));
    return needsZod.get(path);
  };
  const entry = 'server-runtime/index.ts';
  visit(entry);
  needsZod.delete(entry);
  const ours = [...needsZod].filter(([path]) => path.startsWith('server-runtime/'));
  return new Map(
    ours.map(([path, needs]) => [path.slice('server-runtime/'.length), needs ? 'core' : 'base']),
  );
}

/**
 * Bundles the library into `outDir`: the entries that package.json exports, `core.js` and `base.js`, and `more`, what
 * else the tool imports, by path inside `server-runtime`. Unminified: stacks name its functions, and people read it.
 */
export async function bundleLibrary({ outDir, parts, more, sourcemap = false }) {
  const inside = [...more].map((file) => `server-runtime/${file}`);
  const entries = [...publicEntries(), ...inside].map((file) => ({
    in: join(root, file),
    out: file.replace(/\.ts$/, ''),
  }));
  const shared = Object.entries(NAMES).map(([out, name]) => ({
    in: name,
    out: `server-runtime/${out}`,
  }));
  const { outputFiles } = await bundle({
    entryPoints: [...entries, ...shared],
    outdir: outDir,
    plugins: [sharedParts(parts), bundledLibraries(root)],
    write: false,
    sourcemap,
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    const code = text.replaceAll(IMPORT_OF_NOTHING, sourcemap ? '\n' : '');
    writeFileSync(path, code.replaceAll(NOT_ASCII, toEscape));
  }
}

/**
 * esbuild escapes what is not ASCII in strings and names, but not in comments and regular expressions: for one such
 * character, Node holds the whole file with two bytes for each.
 */
const NOT_ASCII = /[^\x00-\x7f]/g;

function toEscape(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** esbuild keeps the order of files with side effects, of which there are none; bundlers warn of such imports. */
const IMPORT_OF_NOTHING = /^import "\.[^"]*";\n/gm;

function publicEntries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = Object.values(exports).flatMap((entry) => entry.default ?? []);
  return files.map((file) => file.replace('./dist/', '').replace(/\.js$/, '.ts'));
}

/** What is imported of a part from outside comes from its file: names of exports are unique. */
function sharedParts(parts) {
  const partOf = (file) => parts.get(relative(folder, file).replaceAll(sep, '/'));
  return {
    name: 'shared-parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^capix:/ }, ({ path }) => ({ path, namespace: 'part' }));
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, importer, namespace, resolveDir }) => {
        const part = partOf(resolve(resolveDir, path));
        const isInside =
          namespace === 'part' ? importer === NAMES[part] : partOf(importer) === part;
        // What a part imports later of itself is there: a chunk of its own would be one more file at start.
        if (part === undefined || (isInside && kind !== 'dynamic-import')) return undefined;
        return { path: NAMES[part], namespace: 'part' };
      });
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => {
        const files = [...parts].filter(([, part]) => NAMES[part] === path).map(([file]) => file);
        return {
          contents: files.map((file) => `export * from './${file}';`).join('\n'),
          resolveDir: folder,
        };
      });
    },
  };
}

function bundle(options) {
  return build({
    absWorkingDir: root,
    outdir: folder,
    chunkNames: 'server-runtime/chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
    ...options,
  });
}
