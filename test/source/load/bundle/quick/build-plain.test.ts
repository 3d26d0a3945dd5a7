import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { buildPlain } from '../../../../../source/load/bundle/quick/build-plain.ts';
import { userCodeBuildOptions } from '../../../../../source/load/bundle/user-code-build-options.ts';
import { noFacts, userCodePlugin } from '../../../../../source/load/bundle/user-code-plugin.ts';
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

const packageFiles = (name: string): Files => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({
    name,
    type: 'module',
    exports: { '.': './i.js', './sub': './sub.js' },
  }),
  [`node_modules/${name}/i.js`]: 'export const value = 1;',
  [`node_modules/${name}/sub.js`]: 'export const sub = 1;',
});

const project: Files = {
  'package.json': '{"name": "app", "type": "module"}',
  ...packageFiles('capix'),
  ...packageFiles('zod'),
  ...packageFiles('zodiac'),
  'src/capabilities.ts': `import { value } from 'capix'; import * as z from 'zod'; import { users } from './users.ts';
export const capabilities = { users, value, z };`,
  'src/users.ts': "import { value } from 'zod'; export const users: unknown = value;",
};

/** Builds a project of these files both ways. */
async function buildBoth(files: Files) {
  const root = await temporaryFolder();
  for (const [name, text] of Object.entries({ ...project, ...files })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const entry = join(root, 'src', 'capabilities.ts');
  const options = { ...userCodeBuildOptions({ entry, root, outFile: join(root, 'out.mjs') }), write: false as const };
  let facts = noFacts;
  const plugin = userCodePlugin((found) => {
    facts = found;
  });
  const whole = await build({ ...options, plugins: [plugin] }).catch(() => undefined);
  const plain = await buildPlain({ entry, root, options });
  return { whole: whole && { result: whole, facts }, plain };
}

describe('a program that esbuild is asked little about', () => {
  it.each<[what: string, files: Files]>([
    ['files that import capix and zod', {}],
    ['none that imports them', { 'src/capabilities.ts': 'export const capabilities = 1;' }],
    ['an import that is run later', { 'src/users.ts': "export const users = import('zod');" }],
    ['another file of zod', { 'src/users.ts': "export { sub as users } from 'zod/sub';" }],
    ['a package whose name begins as zod', { 'src/users.ts': "export { value as users } from 'zodiac';" }],
    ['a module of Node', { 'src/users.ts': "export { join as users } from 'node:path';" }],
    ['a text that says zod', { 'src/users.ts': 'export const users = `\nimport { value } from "zod";\n`;' }],
    [
      'zod as a file of the project',
      {
        'tsconfig.json': '{"compilerOptions": {"paths": {"zod": ["./src/own.ts"]}}}',
        'src/own.ts': 'export const value = 3;',
      },
    ],
  ])('is the same as otherwise: %s', async (_, files) => {
    const { whole, plain } = await buildBoth(files);
    expect(plain?.result.outputFiles[0]?.text).toBe(whole?.result.outputFiles[0]?.text);
    expect(plain?.result.metafile.inputs).toEqual(whole?.result.metafile.inputs);
    expect(plain?.facts.imports).toEqual(whole?.facts.imports);
    expect(plain?.facts.found).toEqual(whole?.facts.found);
  });

  it.each<[what: string, files: Files]>([
    ['a file that asks for its own place', { 'src/users.ts': 'export const users = import.meta.url;' }],
    [
      'a CommonJS file that does',
      {
        'src/users.ts': "import users from './own.cjs'; export { users };",
        'src/own.cjs': 'module.exports = __dirname;',
      },
    ],
    ['a file that requires zod', { 'src/users.ts': "export const users = require('zod');" }],
    [
      'a nearer zod',
      {
        'src/new/node_modules/zod/package.json': '{"name": "zod", "main": "index.js"}',
        'src/new/node_modules/zod/index.js': 'exports.value = 2;',
        'src/new/a.ts': "export { value } from 'zod';",
        'src/users.ts': "export { value as users } from './new/a.ts';",
      },
    ],
    ['a fault', { 'src/users.ts': 'export const users = ;' }],
    ['a file of zod that is not there', { 'src/users.ts': "export { users } from 'zod/nothing';" }],
    ['an import that leads nowhere', { 'src/users.ts': "export { users } from 'nowhere';" }],
  ])('is given up where it may be another: %s', async (_, files) => {
    expect((await buildBoth(files)).plain).toBeUndefined();
  });
});
