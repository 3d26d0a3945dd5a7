import { describe, expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** Files that a module may import by a path that it computes, in all ways to say so. */
const files = {
  'src/texts/plain.js': `export default 'plain';`,
  'src/texts/typed.ts': `import { end } from './deep/end.js'; const text: string = 'typed' + end; export default text;`,
  'src/texts/deep/end.ts': `export const end = '.';`,
  'src/texts/deep/typed.ts': `export default 'deep';`,
  'node_modules/constructor/package.json':
    '{ "name": "constructor", "type": "module", "exports": "./index.js" }',
  'node_modules/constructor/index.js': `export const built = 'built';`,
  'src/texts/data.json': '{ "text": "data" }',
  'src/capabilities.ts': `
    import { capability } from 'capix';
    import { z } from 'zod';
    import { built } from 'constructor';
    // As in \`await import('./texts/' + it's + '.js')\`, which is no code.
    const Named = z.object({ name: z.string() });
    const first = await import(\`./texts/\${'plain'}.js\`);
    export const texts = {
      getTemplate: capability(Named, async ({ name }) => (await import(\`./texts/\${name}.js\`)).default),
      getTyped: capability(Named, async ({ name }) => (await import(\`./texts/\${name}.ts\`)).default),
      getJoined: capability(Named, async ({ name }) => (await import('./texts/' + name + '.js')).default),
      getData: capability(Named, async ({ name }) => (await import(\`./texts/\${name}.json\`, { with: { type: 'json' } })).default.text),
      getVariable: capability(Named, async ({ name }) => { const path = './texts/' + name; return (await import(path)).default; }),
      getPackage: capability(Named, async ({ name }) => typeof (await import(name)).z),
      getFirst: capability(() => first.default),
      getBuilt: capability(() => built),
    };
  `,
};

const calls = [
  { key: 'getTemplate', name: 'plain', text: 'plain' },
  { key: 'getTemplate', name: 'typed', text: 'typed.' },
  { key: 'getTemplate', name: 'deep/typed', text: 'deep' },
  { key: 'getTyped', name: 'typed', text: 'typed.' },
  { key: 'getJoined', name: 'plain', text: 'plain' },
  { key: 'getJoined', name: 'typed', text: 'typed.' },
  { key: 'getVariable', name: 'plain.js', text: 'plain' },
  { key: 'getData', name: 'data', text: 'data' },
  { key: 'getPackage', name: 'zod', text: 'object' },
] as const;

describe('an import of a path that is computed', () => {
  it('finds the files that Node would find where the source lies, and those in TypeScript', async () => {
    const { capix } = await openProject(files);
    for (const { key, name, text } of calls) {
      const { stdout, stderr } = await capix(['call', `texts.${key}`, '--name', name]);
      expect({ key, name, stdout, stderr }).toEqual({
        key,
        name,
        stdout: `"${text}"\n`,
        stderr: '',
      });
    }
    expect(await capix(['call', 'texts.getFirst'])).toMatchObject({
      exitCode: 0,
      stdout: '"plain"\n',
    });
    expect(await capix(['call', 'texts.getBuilt'])).toMatchObject({
      exitCode: 0,
      stdout: '"built"\n',
    });
  });

  it('finds them in CommonJS', async () => {
    const { capix } = await openProject({
      ...files,
      'src/common.cjs':
        "exports.read = async (name) => (await import('./texts/' + name + '.js')).default;",
      'src/capabilities.ts': `
        import { capability } from 'capix';
        import { z } from 'zod';
        import { read } from './common.cjs';
        export const texts = { getText: capability(z.object({ name: z.string() }), ({ name }) => read(name)) };
      `,
    });
    for (const name of ['plain', 'typed'])
      expect(await capix(['call', 'texts.getText', '--name', name])).toMatchObject({
        stderr: '',
        exitCode: 0,
      });
  });

  it('of a file that is not there fails when it is made, as in Node', async () => {
    const { root, capix } = await openProject(files);
    expect(await capix(['list', '--json'])).toMatchObject({ exitCode: 0 });
    const { exitCode, stderr } = await capix(['call', 'texts.getTemplate', '--name', 'gone']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Cannot find module '${root}/src/texts/gone.js'`);
  });

  it('of a folder in which no file is there yet finds those that come while the code runs', async () => {
    const { capix } = await openProject({
      'src/capabilities.ts': `
        import { mkdirSync, writeFileSync } from 'node:fs';
        import { capability } from 'capix';
        const getText = capability(async () => {
          mkdirSync('src/made', { recursive: true });
          writeFileSync('src/made/text.mjs', "export default 'made';");
          return (await import(\`./made/\${'text'}.mjs\`)).default;
        });
        export const texts = { getText };
      `,
    });
    expect(await capix(['call', 'texts.getText'])).toMatchObject({
      stdout: '"made"\n',
      stderr: '',
    });
  });

  /** From a megabyte on, a save makes only the changed modules again. */
  it.each([0, 1_200_000])(
    'finds what was saved under `capix dev`, with %d bytes of data beside it',
    async (bytes) => {
      const folder = await devProject({
        'src/data.ts': `export const data = ${JSON.stringify('x'.repeat(bytes))};`,
        'src/other.ts': 'export const other = 1;',
        'src/text.ts': `
        import './data.ts';
        import { other } from './other.ts';
        export const text = async (name = 'typed') => [other, (await import(\`./texts/\${name}.js\`)).default];
      `,
        'src/texts/typed.ts': `export default 'one';`,
      });
      const dev = openDevJson(folder);
      const url = await dev.url();
      const read = async () => (await (await fetch(`${url}/texts`)).json()) as unknown;
      expect(await read()).toEqual({ data: [1, 'one'] });
      for (const text of ['two', 'three']) {
        await writeTree(folder, { 'src/texts/typed.ts': `export default '${text}';` });
        await expect.poll(read).toEqual({ data: [1, text] });
        await dev.waitFor('ready');
      }
      await writeTree(folder, { 'src/other.ts': 'export const other = 2;' });
      await expect.poll(read).toEqual({ data: [2, 'three'] });
      await dev.waitFor('ready');
      await writeTree(folder, {
        'src/text.ts': `
        import './data.ts';
        export const text = (name = 'late') => import(\`./texts/\${name}.js\`).then((texts) => texts.default, () => 'none');
      `,
      });
      await expect.poll(read).toEqual({ data: 'none' });
      await dev.waitFor('ready');
      await writeTree(folder, { 'src/texts/late.ts': `export default 'late';` });
      await expect.poll(read).toEqual({ data: 'late' });
    },
  );
});
