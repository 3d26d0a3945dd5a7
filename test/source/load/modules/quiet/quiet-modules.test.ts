import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ModuleGraph, OwnModule } from '../../../../../source/load/modules/module-graph.ts';
import { createQuietModules } from '../../../../../source/load/modules/quiet/quiet-modules.ts';

const ZOD = 'file:///app/node_modules/zod/index.js';
const CAPIX = 'file:///app/node_modules/capix/dist/server-runtime/index.js';

/** Modules of a project by name: their code, and what they import of one another by `./name`. */
async function findQuiet(codes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const outside: Readonly<Record<string, string>> = { zod: ZOD, capix: CAPIX };
  const toModule = (id: string, code: string): OwnModule => ({
    id,
    path: `/app/${id}`,
    format: id.endsWith('.json') ? 'json' : 'esm',
    imports: [...code.matchAll(/(?:from|import) '([^']+)'/g)].map(({ 1: text = '' }) =>
      text.startsWith('./')
        ? { kind: 'static', target: text.slice(2), isOwn: true, text }
        : { kind: 'static', target: outside[text] ?? text, isOwn: false, text: undefined },
    ),
  });
  const modules = new Map(Object.entries(codes).map(([id, code]) => [id, toModule(id, code)]));
  const graph: ModuleGraph = { entry: 'main', modules };
  const compiled = new Map(Object.entries(codes).map(([id, code]) => [id, { code, mapLine: '', time: '' }]));
  return createQuietModules().find(graph, compiled);
}

const schemas = `import { z } from 'zod';
export const Id = z.string().min(1);
export const paged = (item) => { const list = z.array(item); return z.object({ items: list }); };
export function slug(text) { return text.toLowerCase(); }
export const titles = Object.fromEntries(['a', 'b'].map((name) => [name, name.length]));
export class Odd extends Error { kind = 'odd'; }
export const users = new Map();`;

const context = `import { defineContext, defineGuard } from 'capix';
export const cap = defineContext(async ({ headers }) => ({ user: headers.user }));
export const signedIn = defineGuard((ctx) => ctx.user !== undefined);`;

const capability = `import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { cap, signedIn } from './context';
import { Id, paged, slug, users } from './schemas';
const Input = z.object({ id: Id, name: z.string().transform((text) => { users.set(text, 1); return slug(text); }) });
var __defProp = Object.defineProperty; var __name = (target, value) => __defProp(target, "name", { value });
function load(id) { return users.get(id) ?? randomUUID(); }
__name(load, "load");
export const getUser = cap.guard(signedIn)(Input, async ({ id }) => load(id)).output(paged(Input));`;

it('schemas, contexts, capabilities, functions and what only names them are quiet', async () => {
  const index = `export { getUser } from './getUser'; export * as all from './schemas'; export * from './context';`;
  const quiet = await findQuiet({ main: `import './index'; start();`, schemas, context, getUser: capability, index });
  expect(quiet.toSorted()).toEqual(['context', 'getUser', 'index', 'schemas']);
});

it.each([
  ['reads the environment', `export const url = process.env.URL;`],
  ['reads the clock', `export const startedAt = Date.now();`],
  ['reads the clock by a new date', `export const startedAt = new Date();`],
  ['is random', `import { z } from 'zod'; export const Id = z.string().default(Math.random());`],
  ['says something', `console.log('here');`],
  ['listens', `process.on('exit', () => {});`],
  ['starts a timer', `const timer = setInterval(() => {}, 10);`],
  ['sets something', `import { users } from './schemas'; users.size = 1;`],
  ['adds to what another has made', `import { users } from './schemas'; const now = users.set('a', 1);`],
  ['adds to a list', `const list = []; const length = list.push(1);`],
  ['waits', `export const users = await load();`],
  ['calls a package', `import { make } from 'other'; export const made = make();`],
  ['imports a package', `import 'other';`],
  ['calls a function that does more', `function count() { globalThis.n = 1; return 1; } export const n = count();`],
  [
    'calls a function that calls one',
    `const a = () => { log(); return 1; }; const b = () => a(); export const n = b();`,
  ],
  ['hands a function to what calls it', `const a = [1].map((each) => { console.log(each); return each; });`],
  ['hands one to its own function', `const run = (task) => task(); export const n = run(() => process.exit());`],
  ['calls a method of its own', `const own = { run: () => process.exit() }; export const n = own.run();`],
  ['makes an instance of its own', `class A { constructor() { process.exit(); } } export const a = new A();`],
  ['has a class that runs at once', `export class A { static a = process.exit(); }`],
  ['parses', `import { z } from 'zod'; export const n = z.string().transform(() => process.exit()).parse('a');`],
  ['names a schema for all', `import { z } from 'zod'; export const User = z.object({}).meta({ id: 'User' });`],
  ['starts a server', `import { createServer } from 'capix'; export const server = createServer({});`],
  ['loops', `for (const each of [1]) console.log(each);`],
  ['imports what does', `import './loud'; export const one = 1;`],
])('a module that %s is not quiet', async (_, code) => {
  expect(await findQuiet({ schemas, loud: 'run();', module: code })).toEqual(['schemas']);
});

it.each([
  ['a package that adds to zod', `import 'zod-openapi/extend';`],
  ['a file that hands zod on', `import { z } from 'zod'; import { extend } from 'other'; extend(z);`],
  ['a file that changes it', `import { z } from 'zod'; z.ZodType.prototype.shout = () => {};`],
  [
    'a file that says more of schemas',
    `import { z } from 'zod'; import { thing } from './thing.js'; z.globalRegistry.add(thing, { id: 'Thing' });`,
  ],
  ['a file that has the registry alone', `import { globalRegistry } from 'zod'; globalRegistry.clear();`],
])('nothing is quiet beside %s', async (_, code) => {
  expect(await findQuiet({ main: code, schemas })).toEqual([]);
});

it('a large module is looked into only half a second after it came: the first requests to its code are answered before', async () => {
  await findQuiet({ main: '' });
  const order: string[] = [];
  const rows = `export const rows = [${'{ id: 1 }, '.repeat(20_000)}];`;
  const found = findQuiet({ main: `import './rows'; start();`, rows }).then((quiet) => order.push(...quiet));
  await Promise.all([found, setTimeout(450).then(() => order.push('requests'))]);
  expect(order).toEqual(['requests', 'rows']);
});
