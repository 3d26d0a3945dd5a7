import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { laterImports } from './later-imports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pastel = dirname(fileURLToPath(import.meta.resolve('pastel')));

/**
 * The commands of the folder `commands/` as plain data, by path: `{'list': {description, alias, options, operands, runs}}`. Pastel makes Commander's
 * options and arguments of the schemas of every command at every start; here the build has it do so once, so that a start loads neither the schemas
 * nor zod before a command runs.
 *
 * @throws Error for a default value that JSON does not keep
 */
export async function outlineCommands(baseDir) {
  const folder = join(baseDir, 'commands');
  const paths = await findCommands(folder);
  const imports = paths.map((path, index) => `import * as command${index} from './${path}';`);
  const entries = paths.map((path, index) => `[${JSON.stringify(path)}, command${index}]`);
  const parts = ['options', 'arguments'].map(
    (name) => `import ${name}_ from ${JSON.stringify(join(pastel, `generate-${name}.js`))};`,
  );
  const contents = [
    ...imports,
    ...parts,
    `export const modules = [${entries.join(', ')}];`,
    'export { options_, arguments_ };',
  ];
  const { modules, options_, arguments_ } = await importBundle(contents.join('\n'), folder);
  return Object.fromEntries(
    modules.map(([path, { description, alias, isDefault, options, args, default: definition }]) => {
      const outline = {
        path,
        description,
        alias,
        isDefault,
        options: options === undefined ? [] : options_(options).map(toOption),
        operands: args === undefined ? [] : arguments_(args).map(toOperand),
        runs: definition !== undefined,
      };
      return [path.replace(/\.tsx?$/, ''), expectPlain(outline)];
    }),
  );
}

async function findCommands(folder) {
  const files = await readdir(folder, { recursive: true });
  const names = files.filter((file) => /\.tsx?$/.test(file));
  return names.sort().map((file) => file.replaceAll('\\', '/'));
}

/** Runs the source in the package, whose dependencies it imports; what it imports later is left where it is. */
async function importBundle(contents, resolveDir) {
  const cache = join(root, 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'capix-commands-'));
  const outfile = join(folder, 'commands.mjs');
  try {
    await build({
      stdin: { contents, resolveDir },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [laterImports()],
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toOption({ flags, description, variadic, parseArg, ...rest }) {
  return { flags, description, ...toValue(rest), isNumber: toIsNumber({ variadic, parseArg, ...rest }) };
}

function toOperand({ description, variadic, required, parseArg, _name: name, ...rest }) {
  const text = `${name}${variadic ? '...' : ''}`;
  const isNumber = toIsNumber({ parseArg, ...rest });
  return { name: required ? `<${text}>` : `[${text}]`, description, ...toValue(rest), isNumber };
}

function toValue({ defaultValue, defaultValueDescription, argChoices }) {
  return { defaultValue, defaultText: defaultValueDescription, choices: argChoices };
}

/** Pastel gives a parser to numbers, to sets, and by `choices` to enumerations. */
function toIsNumber({ parseArg, argChoices, variadic = false }) {
  return parseArg !== undefined && argChoices === undefined && !variadic ? true : undefined;
}

function expectPlain(outline) {
  const kept = JSON.parse(JSON.stringify(outline));
  for (const [index, { flags, defaultValue }] of outline.options.entries())
    if (JSON.stringify(defaultValue) !== JSON.stringify(kept.options[index].defaultValue) || isRich(defaultValue))
      throw new Error(`The default value of '${flags}' of ${outline.path} is not kept by JSON.`);
  return kept;
}

function isRich(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) !== Object.prototype
  );
}
