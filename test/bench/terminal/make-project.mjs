import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = fileURLToPath(new URL('../../../', import.meta.url));
/** Verbs whose routes keep the whole name, so that no two are the same. */
const names = [
  'get',
  'archive',
  'publish',
  'settle',
  'unfollow',
  'refresh',
  'approve',
  'merge',
  'export',
  'assign',
];

/** Writes a project of `groups` × `perGroup` capabilities, a file for each group, guards on every third. */
export function makeProject(root, { groups, perGroup }) {
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('package.json', '{ "name": "large", "type": "module" }\n');
  const keys = Array.from({ length: groups }, (_, group) => `group${group}`);
  for (const [group, key] of keys.entries()) write(`src/${key}.ts`, toGroup(group, perGroup));
  write(
    'src/capabilities.ts',
    keys.map((key) => `export * as ${key} from './${key}.js';\n`).join(''),
  );
  linkPackages(root);
}

/** Writes a project with a text to type, and an answer that is 25,000 lines as JSON. */
export function makeLongProject(root) {
  mkdirSync(join(root, 'src'), { recursive: true });
  linkPackages(root);
  writeFileSync(join(root, 'package.json'), '{ "name": "long", "type": "module" }\n');
  writeFileSync(
    join(root, 'src/capabilities.ts'),
    `import { capability } from 'capix';
import * as z from 'zod';

const rows = Array.from({ length: 5000 }, (_, index) => ({ id: 'row' + index, count: index, name: 'the name of ' + index }));
export const long = {
  echo: capability(z.object({ text: z.string() }), ({ text }) => text.length),
  list: capability(() => rows),
};
`,
  );
}

function linkPackages(root) {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  symlinkSync(packageRoot, join(root, 'node_modules', 'capix'), 'junction');
  symlinkSync(
    join(packageRoot, 'node_modules', 'zod'),
    join(root, 'node_modules', 'zod'),
    'junction',
  );
}

function toGroup(group, perGroup) {
  const lines = Array.from({ length: perGroup }, (_, index) => {
    const verb = names[index % names.length];
    const fields = `ref: z.string(), name: z.string().max(80).optional(), size: z.number().int().min(0).default(${index})`;
    const guard = index % 3 === 0 ? '.guard(mustBeUser)' : '';
    return `export const ${verb}Thing${group}x${index} = capability(z.object({ ${fields} }), ({ ref }) => ({ ref, index: ${index} }))${guard}.describe('Thing ${index} of group ${group}');`;
  });
  return `import { capability, defineGuard } from 'capix';
import * as z from 'zod';

const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });

${lines.join('\n')}
`;
}
