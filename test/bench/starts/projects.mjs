import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const root = join(import.meta.dirname, '..', '..', '..');

/** Installs the packed package in a folder, as a user does, with the zod and swc of this tree. */
export function installPacked(folder) {
  const { zod, '@swc/core': swc } = readVersions();
  const npm = (words, cwd) =>
    execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ filename }] = JSON.parse(
    npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
  );
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(
    [
      'install',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      join(folder, filename),
      `zod@${zod}`,
      `@swc/core@${swc}`,
    ],
    folder,
  );
}

function readVersions() {
  return JSON.parse(
    execFileSync(
      process.execPath,
      ['-p', 'JSON.stringify(require("./package.json").devDependencies)'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    ),
  );
}

/** Writes a project of so many files with four capabilities each, in TypeScript and the same in JavaScript: `{typescript, javascript}`, folders. */
export function writeProjects(parent, files) {
  const groups = Array.from({ length: files - 1 }, (_, index) => `group${index}`);
  const sources = Object.fromEntries(groups.map((name) => [`groups/${name}`, groupSource]));
  const imports = groups.map((name) => `import * as ${name} from './groups/${name}.js';`);
  sources.capabilities = `${imports.join('\n')}\nexport const capabilities = { ${groups.join(', ')} };\n`;
  const write = (folder, extension, toText) => {
    mkdirSync(join(folder, 'src', 'groups'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    for (const [name, source] of Object.entries(sources))
      writeFileSync(join(folder, 'src', `${name}.${extension}`), toText(source));
    return folder;
  };
  return {
    typescript: write(join(parent, `typescript-${files}`), 'ts', (source) => source),
    javascript: write(
      join(parent, `javascript-${files}`),
      'js',
      (source) => transformSync(source, { loader: 'ts' }).code,
    ),
  };
}

const groupSource = `import { capability } from 'capix';
import * as z from 'zod';

const Item = z.object({ id: z.string().min(1), name: z.string(), price: z.number().positive() });
type Item = z.infer<typeof Item>;
const items = new Map<string, Item>();

export const getItem = capability(z.object({ id: z.string() }), ({ id }) => items.get(id) ?? null);
export const listItems = capability(z.object({ limit: z.number().int().max(100).default(20) }), ({ limit }) => [...items.values()].slice(0, limit)).output(z.array(Item));
export const createItem = capability(Item, (item: Item) => item).output(Item);
export const deleteItem = capability(z.object({ id: z.string() }), ({ id }) => items.delete(id));
`;
