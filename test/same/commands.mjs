/** Command lines, and the projects that they run in: `{name, project, args, input}`, each in a copy of its project. */

const declare = "import { capability } from 'capix';\nimport * as z from 'zod';\n";
const list = `${declare}export const items = { list: capability(() => []) };\n`;
const common = "const { capability } = require('capix'); const listUsers = capability(() => []);\n";
const bare = { 'package.json': '{ "name": "demo" }' };
const packages = {
  'node_modules/late/package.json': '{"name": "late", "type": "module", "exports": "./index.js"}',
  'node_modules/late/index.js':
    'console.error(`late sees ${process.env.FLAG}`); export const late = 1;',
  'node_modules/later/package.json': '{"name": "later", "main": "index.js"}',
  'node_modules/later/index.js':
    'console.error(`later sees ${process.env.FLAG}`); exports.later = 1;',
};

/** Texts of `src/capabilities.ts`, or files, that are loaded: what one may write, and what is wrong. */
const loads = {
  'syntax error': 'export const = 5;',
  'wide characters': "\tconst a = 'é世界'; const = 5;",
  'gone file': `${list}import './gone.js';`,
  'gone package': `${list}import '@scope/gone/part';`,
  'gone name': "import { capability, nothing } from 'capix';\ncapability(nothing);",
  'throws an error':
    'interface Unused {\n  readonly a: string;\n}\nconst missing: any = undefined;\nmissing.field();',
  'throws a text': "throw 'a text';",
  'throws escapes': "throw new Error('\\u001B]0;title\\u0007\\u001B[31mred');",
  'wrong use': `${declare}export const wrong = capability('handler' as never);`,
  'late rejection':
    "void Promise.reject(new Error('late'));\nawait new Promise((resolve) => setTimeout(resolve, 60_000));",
  'ends the process': 'process.exit(0);',
  'waits for ever': 'await new Promise(() => {});',
  'keeps a timer': `${list}setInterval(() => {}, 1000);`,
  prints: `${list}console.log('loading'); process.stdout.write('more\\n');`,
  'null for groups': 'export const capabilities = null;',
  'number for groups': 'export const capabilities = 5;',
  'default number': 'export default 5;',
  'default capability': `${declare}export default capability(() => []);`,
  'wrong name': `${declare}export const capabilities = { items: { get_item: capability(() => []) } };`,
  'group called capabilities': `${declare}export default { capabilities: { listUsers: capability(() => []) } };`,
  'options are a number': `${list}export const restOptions = 5;`,
  'misspelt option': `${list}export const restOptions = { urlCas: 'kebab' };`,
  'wrong option': `${list}export const restOptions = { urlCase: 'pascal' };`,
  'wrong overrides': `${list}export const restOptions = { overrides: [] };`,
  'all options': `${list}export const restOptions = { port: 0, cors: false, maxBodySize: 10, timeoutMs: 5, docs: true };`,
  'two of one route': `${declare}export const items = { listItems: capability(() => []), findItems: capability(() => []) };`,
  'types as values': {
    'src/types.ts':
      'export interface Item { id: string }\nexport type Name = string;\nexport const real = 1;',
    'src/index.ts':
      "export { Item, Name as Called, real } from './types.js';\nexport * from './types.js';",
    'src/capabilities.ts': `import { Item, Called, real } from './index.js';\nimport * as all from './index.js';\n${list}
      export { Item };\nconsole.error(Object.keys(all).join(), typeof Called, real);`,
  },
  'order of modules': {
    ...packages,
    'src/first.ts': "process.env.FLAG = 'set' as string; console.error('first');",
    'src/capabilities.ts': `import './first.js';\nimport { late } from 'late';\nimport { later } from 'later';\n${list}console.error(late, later);`,
  },
  'circle of modules': {
    'src/a.ts': "import { b } from './b.js'; export const a = () => b; console.error('a');",
    'src/b.ts': "import { a } from './a.js'; export const b = 1; console.error('b', typeof a);",
    'src/capabilities.ts': `import './a.js';\n${list}`,
  },
  'export =': {
    ...bare,
    'src/capabilities.ts': `${common}export = { capabilities: { users: { listUsers } } };`,
  },
  'paths alias': {
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/lib/*"] } } }',
    'src/lib/one.ts': 'export const one: number = 1;',
    'src/capabilities.ts': `import { one } from '@/one';\n${list}console.error(one);`,
  },
};
const commonJs = {
  'exports.capabilities': 'exports.capabilities = { users: { listUsers } };',
  'module.exports with default': 'module.exports = { default: { users: { listUsers } } };',
  'compiled module': 'exports.__esModule = true; exports.default = { users: { listUsers } };',
  'module.exports with groups': 'module.exports = { users: { listUsers } };',
  'exports of groups': 'exports.users = { listUsers }; exports.helper = () => 1;',
  'one capability': 'module.exports = listUsers;',
};
const computed = {
  'src/texts/plain.js': "export default 'plain';",
  'src/texts/typed.ts':
    "import { end } from './deep/end.js'; const text: string = 'typed' + end; export default text;",
  'src/texts/deep/end.ts': "export const end = '.';",
  'src/texts/data.json': '{ "text": "data" }',
  'src/common.cjs':
    "exports.read = async (name) => (await import('./texts/' + name + '.js')).default;",
  'src/capabilities.ts': `${declare}import { read } from './common.cjs';
    const Named = z.object({ name: z.string() });
    const read1 = async ({ name }: { name: string }) => (await import(\`./texts/\${name}.js\`)).default;
    export const texts = {
      getTemplate: capability(Named, read1),
      getJoined: capability(Named, async ({ name }) => (await import('./texts/' + name + '.js')).default),
      getVariable: capability(Named, async ({ name }) => { const path = './texts/' + name; return (await import(path)).default; }),
      getPackage: capability(Named, async ({ name }) => typeof (await import(name)).z),
      getCommon: capability(Named, ({ name }) => read(name)),
      getPlace: capability(() => [import.meta.url, import.meta.dirname, import.meta.filename]),
    };`,
};
const calls = [
  ...['plain', 'typed', 'gone'].flatMap((name) =>
    ['Template', 'Joined', 'Common'].map((key) => [key, name]),
  ),
  ['Variable', 'plain.js'],
  ['Package', 'zod'],
];

/** Commands in a shop that lists `key` with `right` and `wrong` input; text and JSON. */
function inspect(key, right, wrong) {
  const both = (...args) => [args, [...args, '--json']];
  return [
    ...both('list'),
    ...both('show', key),
    ...both('show', `${key}s`),
    ...both('check'),
    ...both('check', '--strict', '--agents'),
    ['check', '--format', 'github'],
    ...both('openapi'),
    ['openapi', '--output', 'openapi.json'],
    ['client'],
    ['client', '--output', 'src/client.ts', '--json'],
    ['docs'],
    ['ai-context'],
    ['sync-ai-context'],
    ...both('lock'),
    ...both('lock', '--check'),
    ...both('diff', 'nothing'),
    ...both('diff', 'HEAD~1'),
    ...both('call', key, right),
    ...both('call', key, wrong),
    ...both('call', `${key}s`, right),
    ['call', key, '--fields'],
    ...both('mcp', '--list'),
    ['mcp', '--list', '--read-only'],
    ...both('generate', 'capability', 'orders', 'getOrder', '--input'),
    ...both('generate', 'group', 'orders', '--dry-run'),
    ...both('start'),
  ];
}

const verbs =
  'ai-context call check client completion dev diff docs generate list lock mcp new openapi show start'.split(
    ' ',
  );
const usage = [
  [],
  ['--version'],
  ['lists'],
  ['lists', '--json'],
  ...verbs.flatMap((verb) => [
    [verb, '--help'],
    [verb, '--nothing'],
    [verb, '--nothing', '--json'],
  ]),
  ['generate', 'capability', '--help'],
  ['generate', 'capability', 'get order'],
  ['new', 'Not A Name', '--json'],
  ['new', 'other', '--no-install', '--no-git'],
  ['new', 'other', '--no-install', '--no-git', '--javascript', '--json'],
  ['check', '--format', 'xml'],
  ['diff', 'HEAD', '--fail-on', 'safe'],
  ['diff', 'HEAD~1', 'HEAD', '--fail-on', 'risky', '--markdown'],
  ['diff', 'HEAD~1', '--semver'],
  ['list', '--config', 'src'],
  ['list', '--config', 'src/gone.ts', '--json'],
  ['list', '--env-file', 'gone.env'],
  ['completion', 'bash'],
  ['completion', 'tcsh'],
  ['mcp', '--print-config', 'claude'],
  ['mcp', '--port', 'x'],
  ['call', 'items.createItem', '--name', 'Pen', '--more', '1'],
  ['call', 'items.createItem', '{'],
  ['call', 'items.createItem', '-'],
  ['call', '@gone'],
  ['call', '--all', '--json'],
];

const messages = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'same', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  { id: 3, method: 'tools/call', params: { name: 'items_getItem', arguments: { id: 9 } } },
  { id: 4, method: 'tools/call', params: { name: 'items_getItems', arguments: {} } },
];
const spoken = messages
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

/** Files of the projects that are not copied from elsewhere. */
export const ownProjects = {
  broken: {
    'src/capabilities.ts': `${list}\nexport const = 5;\n`,
    'src/server.ts': "throw new Error('broken');\n",
  },
  empty: {},
  computed,
  ...Object.fromEntries(
    Object.entries(loads).map(([name, files]) => [
      `load ${name}`,
      typeof files === 'string' ? { 'src/capabilities.ts': files } : files,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(commonJs).map(([name, text]) => [
      `load CommonJS ${name}`,
      { ...bare, 'src/capabilities.cjs': common + text },
    ]),
  ),
};

const inProject = (project, lines, more = {}) =>
  lines.map((args) => ({ name: `command ${project}: ${args.join(' ')}`, project, args, ...more }));

/** Clients of this many projects are written by one command: those with one set of options. */
export const batches = Array.from({ length: 8 }, (_, index) => `batch${index}`);

export const commands = [
  ...inProject('shop', [...inspect('items.getItem', '{"id":"1"}', '{"id":1}'), ...usage]),
  ...inProject('shop', [['mcp']], { input: spoken }),
  ...inProject('realworld', inspect('articles.getArticle', '{"slug":"a"}', '{"slug":1}')),
  ...inProject('flawed', inspect('users.listUsers', '{}', '[]')),
  ...inProject('broken', inspect('items.list', '{}', '[]')),
  ...inProject('empty', inspect('items.list', '{}', '[]')),
  ...inProject('bookshop', inspect('books.getBook', '{"id":"1"}', '{}')),
  ...inProject('features', [['show', 'probe.found', '--json']]),
  ...inProject('computed', [['call', 'texts.getPlace']]),
  ...inProject(
    'computed',
    calls.map(([key, name]) => ['call', `texts.get${key}`, '--name', name]),
  ),
  ...inProject('programs', [['list']]),
  ...Object.keys(loads).flatMap((name) => inProject(`load ${name}`, [['list']])),
  ...Object.keys(commonJs).flatMap((name) =>
    inProject(`load CommonJS ${name}`, [['list', '--config', 'src/capabilities.cjs']]),
  ),
  ...inProject('edits', [
    ['diff', 'before.mjs', 'after.mjs', '--json'],
    ['diff', 'before.mjs', 'after.mjs'],
  ]),
  ...batches.flatMap((batch) =>
    inProject(batch, [['client'], ['mcp', '--list', '--json'], ['docs'], ['check', '--json']]),
  ),
];
