import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';

const pastel = dirname(fileURLToPath(import.meta.resolve('pastel')));
/** Headings of the help, in their order. */
const groups = ['Project', 'Inspect', 'Generate', 'Serve'];

/**
 * The commands of the folder `commands/` as plain data, in the order of the help, as `CommandOutline` describes them;
 * `path` is the file of each, and `runs` whether it does anything. Pastel makes Commander's options and arguments of
 * the schemas of every command at every start; here the build has it do so once, so that a start loads neither the
 * schemas nor zod before a command runs.
 */
export async function outlineCommands(baseDir) {
  const folder = join(baseDir, 'commands');
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const paths = files.map((file) => file.replaceAll('\\', '/'));
  const contents = [
    ...['options', 'arguments'].map((name) => {
      const file = JSON.stringify(join(pastel, `generate-${name}.js`));
      return `export { default as ${name}_ } from ${file};`;
    }),
    ...paths.map((path, index) => `export { default as command${index} } from './${path}';`),
  ];
  const {
    options_: readOptions,
    arguments_: readOperands,
    ...commands
  } = await importSource(contents.join('\n'), folder);
  const outlines = paths.map((path, index) => {
    const { options, args, plain, details, ...about } = commands[`command${index}`];
    return {
      ...about,
      path,
      description: details ?? about.summary,
      options: options === undefined ? [] : readOptions(options).map(toOption),
      operands: args === undefined ? [] : readOperands(args).map(toOperand),
      runs: plain !== undefined,
    };
  });
  return toTree(outlines, '.');
}

/** The commands below one: `list.ts` and `generate/index.ts` below `.`, `generate/group.ts` below `generate`. */
function toTree(outlines, parent) {
  const toKey = ({ path }) => path.replace(/(\/index)?\.ts$/, '');
  return outlines
    .filter((outline) => dirname(toKey(outline)) === parent)
    .sort((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group))
    .map((outline) => {
      const commands = toTree(outlines, toKey(outline));
      return {
        name: basename(toKey(outline)),
        ...outline,
        ...(commands.length > 0 && { commands }),
      };
    });
}

function toOption({ flags, description, variadic, parseArg, defaultValue, argChoices: choices }) {
  return {
    flags: flags.replace(/[[<]([^\]>.]+)(?:\.\.\.)?[\]>]$/, '<$1>'),
    description,
    defaultValue,
    choices,
    isList: variadic || undefined,
    // Pastel gives a parser to numbers, and by `choices` to enumerations.
    isNumber: (parseArg !== undefined && choices === undefined) || undefined,
  };
}

function toOperand({ _name: name, description, required }) {
  return { name: required ? `<${name}>` : `[${name}]`, description };
}
