import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

const commonJs = { 'package.json': '{ "name": "demo" }' };
const answers = (value: string, before = ''): string =>
  `import { capability } from 'capix';\n${before}\nexport const texts = { getText: capability(async () => ${value}) };`;

interface Program {
  readonly files: Readonly<Record<string, string>>;
  readonly data: unknown;
}

const reflect = join(packageRoot, 'node_modules/reflect-metadata/Reflect.js');

/** Programs that Node runs once `tsc` has compiled them, with what they answer. */
const programs: Readonly<Record<string, Program>> = {
  'CommonJS with require, default imports, a circle and `import =`': {
    files: {
      ...commonJs,
      'src/capabilities.ts': answers(
        '[a.name(), b, c.sep, typeof require, data.word]',
        `import a = require('./a'); import b from './b.js'; import * as c from 'node:path'; const data = require('./data.json');`,
      ),
      'src/a.ts': `import { late } from './circle'; export = { name: () => late() };`,
      'src/circle.ts': `const a = require('./a'); export const late = () => typeof a;`,
      'src/b.ts': `export default 'default';`,
      'src/data.json': '{ "word": "json" }',
    },
    data: ['object', 'default', '/', 'function', 'json'],
  },
  'CommonJS that waits at its top level, within a block': {
    files: {
      ...commonJs,
      'src/capabilities.ts': answers(
        'label',
        `let label = 'unset';\ntry {\n  label = await Promise.resolve('set');\n} catch {}`,
      ),
    },
    data: 'set',
  },
  'JSON, whatever its names': {
    files: {
      'src/capabilities.ts': answers(
        '[Object.keys(data), data.x, b]',
        `import data, { b } from './data.json';`,
      ),
      'src/data.json': '\uFEFF{ "__proto__": { "x": 1 }, "b": 2 }',
    },
    data: [['__proto__', 'b'], null, 2],
  },
  'names that CommonJS hands on, imported by a module': {
    files: {
      'src/capabilities.mts': answers(
        '[one, two, again]',
        `import { one, two, default as all } from './a.cjs'; const again = all.two;`,
      ),
      'src/a.cts': `export const one: number = 1; export * from './b.cjs';`,
      'src/b.cts': `export const two: number = 2;`,
    },
    data: [1, 2, 2],
  },
  'decorators with the types of what they stand at': {
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
      'src/capabilities.ts': answers(
        `Reflect.getMetadata('design:paramtypes', Service).map(({ name }) => name)`,
        `import ${JSON.stringify(reflect)}; const mark = (_: unknown) => {}; class Store {}
        @mark class Service { constructor(readonly store: Store, readonly word: string) {} }`,
      ),
    },
    data: ['Store', 'String'],
  },
  'decorators of the standard': {
    files: {
      'src/capabilities.ts': answers(
        '[new Loud().say()]',
        `const twice = (call: () => string, _: ClassMethodDecoratorContext) => function (this: unknown) { return call.call(this) + call.call(this); };
        class Loud { @twice say() { return 'ha'; } }`,
      ),
    },
    data: ['haha'],
  },
  'fields that are assigned, as the settings say': {
    files: {
      'tsconfig.json': '{ "compilerOptions": { "useDefineForClassFields": false } }',
      'src/capabilities.ts': answers(
        'set',
        `const set: string[] = []; class Base { set word(value: string) { set.push(value); } } class Own extends Base { word = 'assigned'; } new Own();`,
      ),
    },
    data: ['assigned'],
  },
  '`paths` behind references': {
    files: {
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json':
        '{ "compilerOptions": { "composite": true, "paths": { "@/*": ["./src/inner/*"] } }, "include": ["src"] }',
      'src/capabilities.ts': answers('[word]', `import { word } from '@/word.js';`),
      'src/inner/word.ts': `export const word = 'found';`,
    },
    data: ['found'],
  },
  'a path that comes from a variable, a query, and `import.meta`': {
    files: {
      'src/capabilities.ts': answers(
        `[(await import(path)).word, first === again, import.meta.resolve('./word.js').endsWith('/src/word.ts'), import.meta.filename.endsWith('/src/capabilities.ts')]`,
        `const path = ['.', 'word.js'].join('/'); const [first, again] = await Promise.all([import('./word.ts'), import('./word.ts?again')]);`,
      ),
      'src/word.ts': `export const word: string = 'computed';`,
    },
    data: ['computed', false, true, true],
  },
  'JSON with an attribute, without, and by name': {
    files: {
      'src/capabilities.ts': answers(
        '[all.word, again.word, word]',
        `import all from './data.json' with { type: 'json' }; import again, { word } from './data.json';`,
      ),
      'src/data.json': '{ "word": "json" }',
    },
    data: ['json', 'json', 'json'],
  },
  'a module in a package without a type, as the settings say': {
    files: {
      ...commonJs,
      'tsconfig.json': '{ "compilerOptions": { "module": "esnext" } }',
      'src/capabilities.ts': answers(
        '[word, typeof require]',
        `const word = await Promise.resolve('waited');`,
      ),
    },
    data: ['waited', 'undefined'],
  },
};

describe('a program that Node runs once it is compiled', () => {
  it.each(Object.entries(programs))('runs where it lies: %s', async (_, { files, data }) => {
    const { capix } = await openProject(files);
    const { stdout, stderr } = await capix(['call', 'texts.getText', '--json']);
    expect({ stderr, data: (JSON.parse(stdout) as { data: unknown }).data }).toEqual({
      stderr: '',
      data,
    });
  });

  it('runs so under `capix dev` too, and each file counts, also of what is required', async () => {
    const folder = await devProject({
      ...commonJs,
      'src/server.ts': `
        import { createServer, restTransport, capability } from 'capix';
        const { text } = require('./text');
        createServer({ capabilities: { texts: { listTexts: capability(() => text()) } }, transports: [restTransport()] }).start();`,
      'src/text.ts': `export const text = () => 'one ' + __filename.split('/').at(-1);`,
    });
    const dev = openDevJson(folder);
    const read = async () => (await fetch(`${await dev.url()}/texts`)).text();
    expect(await read()).toBe('{"data":"one text.ts"}');
    await writeTree(folder, { 'src/text.ts': `export const text = () => 'two';` });
    await dev.waitFor('ready');
    const url = dev.stdout().match(/http:\/\/localhost:\d+/)?.[0];
    expect(await (await fetch(`${url}/texts`)).text()).toBe('{"data":"two"}');
    dev.kill('SIGTERM');
    await dev.ended;
  });
});
