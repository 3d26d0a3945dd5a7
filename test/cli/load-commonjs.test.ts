import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProjectLoader } from '../../source/load/start-project-loader.ts';
import { openProject } from '../helpers/fixture-project.ts';

const declare = "const { capability } = require('capix'); const listUsers = capability(() => []);";

/** Files that say the same as a module would that exports `capabilities`, `default` or the groups themselves. */
const shapes = [
  { shape: 'exports.capabilities', lines: ['exports.capabilities = { users: { listUsers } };'] },
  {
    shape: 'module.exports with capabilities',
    lines: ['module.exports = { capabilities: { users: { listUsers } } };'],
  },
  {
    shape: 'module.exports with default',
    lines: ['module.exports = { default: { users: { listUsers } } };'],
  },
  {
    shape: 'a compiled module',
    lines: ['exports.__esModule = true; exports.default = { users: { listUsers } };'],
  },
  { shape: 'module.exports with groups', lines: ['module.exports = { users: { listUsers } };'] },
  {
    shape: 'exports of groups',
    lines: ['exports.users = { listUsers };', 'exports.helper = () => 1;'],
  },
] as const;

async function openCommonJs(lines: readonly string[], file = 'src/capabilities.cjs') {
  return openProject({
    'package.json': '{ "name": "demo" }',
    [file]: [declare, ...lines, ''].join('\n'),
  });
}

const listed = 'Capabilities (1)\n\n  users.listUsers  GET  /users  public\n';

test.each(shapes)('a CommonJS file is read as a module is: $shape', async ({ lines }) => {
  const { capix } = await openCommonJs(lines);
  expect(await capix(['list', '--config', 'src/capabilities.cjs'])).toMatchObject({
    stdout: listed,
    stderr: '',
  });
});

test('`export =` of TypeScript is read as a module is', async () => {
  const { capix } = await openProject({
    'package.json': '{ "name": "demo" }',
    'src/capabilities.ts': `${declare} export = { capabilities: { users: { listUsers } } };`,
  });
  expect(await capix(['list'])).toMatchObject({ stdout: listed, stderr: '' });
});

test.each(['.cts', '.ts'])(
  '%s that becomes CommonJS knows its place, and so does what it imports',
  async (extension) => {
    const { capix, root } = await openProject({
      'package.json': '{ "name": "demo" }',
      [`src/capabilities${extension}`]: `import { capability } from 'capix';
      import { here } from './inner/here.js';
      export const users = { listUsers: capability(() => [__dirname, __filename, here]) };`,
      'src/inner/here.ts': 'export const here: string = __dirname;',
    });
    const { data } = JSON.parse((await capix(['call', 'users.listUsers', '--json'])).stdout) as {
      data: string[];
    };
    expect(data).toEqual([
      join(root, 'src'),
      join(root, `src/capabilities${extension}`),
      join(root, 'src/inner'),
    ]);
  },
);

test('a module imports the names of CommonJS that is compiled: one alone, several, and those handed on', async () => {
  const { capix } = await openProject({
    'src/one.cts': `export const one: string = 'one';`,
    'src/two.cts': `export const two: string = 'two'; export const three: string = 'three';`,
    'src/more.cts': `export * from './two.cjs'; export const four: string = 'four';`,
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import { one } from './one.cjs';
      import { two, three, four } from './more.cjs';
      const listWords = capability(() => [], 'query').describe([one, two, three, four].join());
      export const capabilities = { words: { listWords } };`,
  });
  const { stdout, stderr } = await capix(['show', 'words.listWords', '--json']);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout).data.description).toBe('one,two,three,four');
});

test('the options of a CommonJS file count', async () => {
  const { capix } = await openCommonJs([
    'exports.capabilities = { users: { listUsers } };',
    "exports.restOptions = { overrides: { 'users.listUsers': { method: 'GET', path: '/people' } } };",
  ]);
  const { stdout } = await capix(['openapi', '--config', 'src/capabilities.cjs']);
  expect(Object.keys((JSON.parse(stdout) as { paths: object }).paths)).toEqual(['/people']);
});

test('a group that is called `capabilities` in the default export of a module stays one', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts':
      "import { capability } from 'capix'; export default { capabilities: { listUsers: capability(() => []) } };",
  });
  expect((await capix(['list'])).stdout).toContain('capabilities.listUsers');
});

test('a CommonJS file that exports one capability is refused by its name', async () => {
  const { capix } = await openCommonJs(['module.exports = listUsers;']);
  const { stderr, exitCode } = await capix(['list', '--config', 'src/capabilities.cjs']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    'src/capabilities.cjs: `module.exports` is one capability, not groups of capabilities.',
  );
});

test('a command that stays open reads a CommonJS file alike, again and again', async () => {
  const project = await openCommonJs(['exports.capabilities = { users: { listUsers } };']);
  const loader = startProjectLoader({
    root: project.root,
    name: 'demo',
    entryFile: join(project.root, 'src/capabilities.cjs'),
  });
  try {
    for (const round of [1, 2]) {
      const result = await loader.load();
      const keys = result.kind === 'loaded' ? result.manifest.keys : result.failure;
      expect(keys, `round ${round}`).toEqual(['users.listUsers']);
    }
  } finally {
    loader.close();
  }
});

const old = { module: 'commonjs', target: 'es2022', experimentalDecorators: true };
const toTree = (options: object, files: Readonly<Record<string, string>>) => ({
  'package.json': '{ "name": "demo" }',
  'tsconfig.json': JSON.stringify({ compilerOptions: { ...old, ...options } }),
  ...files,
});

test('classes that name each other in decorators and in their metadata load as tsc compiles them', async () => {
  const entity = (name: string, other: string) => `
    import { noted, Of } from './noted';
    import { ${other} } from './${other.toLowerCase()}';
    export class ${name} { @Of(() => ${other}) other: ${other}; }
    export const name${name} = '${name}';
    export const seenBy${name} = typeof ${other};`;
  const { capix } = await openProject(
    toTree(
      { emitDecoratorMetadata: true, useDefineForClassFields: false },
      {
        'src/noted.ts': `
        export const noted: [string, unknown][] = [];
        (Reflect as any).metadata = (key: string, value: any) => () => void noted.push([key, value.name]);
        export const Of = (find: () => any) => () => void noted.push(['of', find]);`,
        'src/user.ts': entity('User', 'Profile'),
        'src/profile.ts': entity('Profile', 'User'),
        'src/capabilities.ts': `
        import { capability } from 'capix';
        import { noted } from './noted';
        import { nameUser, seenByUser, User } from './user';
        import { nameProfile, seenByProfile } from './profile';
        const listNoted = capability(() => noted.map(([key, value]: any) => [key, key === 'of' ? value().name : value]));
        const getNames = capability(() => [nameUser, nameProfile, User.name, seenByUser, seenByProfile]);
        export const capabilities = { things: { listNoted, getNames } };`,
      },
    ),
  );
  const noted = await capix(['call', 'things.listNoted']);
  expect(noted.stderr).toBe('');
  // Whichever comes first sees the other one as undefined, in whose place tsc writes Object.
  expect(JSON.parse(noted.stdout)).toEqual([
    ['design:type', 'Object'],
    ['of', 'User'],
    ['design:type', 'Profile'],
    ['of', 'Profile'],
  ]);
  expect(JSON.parse((await capix(['call', 'things.getNames'])).stdout)).toEqual([
    'User',
    'Profile',
    'User',
    'function',
    'undefined',
  ]);
});

test.each([
  ['false', { esModuleInterop: false }, undefined],
  ['not set, before TypeScript 6', {}, '5.9.3'],
])(
  'a function is called by `import * as` where esModuleInterop is %s',
  async (_, options, version) => {
    const { capix, write } = await openProject(
      toTree(options, {
        'src/seven.js': 'module.exports = function seven() { return 7; };',
        'src/lib.ts': 'export const one = 1; export default 2;',
        'src/capabilities.ts': `
        import { capability } from 'capix';
        import * as seven from './seven';
        import * as lib from './lib';
        import two, { one } from './lib';
        export const capabilities = { numbers: { getNumbers: capability(() => [seven(), lib.one, lib.default, one, two]) } };`,
      }),
    );
    if (version) await write('node_modules/typescript/package.json', JSON.stringify({ version }));
    const { stdout, stderr } = await capix(['call', 'numbers.getNumbers']);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([7, 1, 2, 1, 2]);
  },
);

test('a function has the shape of a module where esModuleInterop is on', async () => {
  const { capix } = await openProject(
    toTree(
      { esModuleInterop: true },
      {
        'src/seven.js': 'module.exports = function seven() { return 7; };',
        'src/capabilities.ts': `
        import { capability } from 'capix';
        import * as all from './seven';
        import seven from './seven';
        export const capabilities = { numbers: { getNumbers: capability(() => [all.default(), seven(), typeof all]) } };`,
      },
    ),
  );
  expect(JSON.parse((await capix(['call', 'numbers.getNumbers'])).stdout)).toEqual([
    7,
    7,
    'object',
  ]);
});
