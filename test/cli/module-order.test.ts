import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it, test } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { generatePrograms } from '../helpers/module-graphs.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A package that says what it saw when it was imported, and one of CommonJS. */
const packages = {
  'node_modules/late/package.json': '{"name": "late", "type": "module", "exports": "./index.js"}',
  'node_modules/late/index.js': `console.error('late sees ' + process.env.FLAG); export const late = 1;`,
  'node_modules/later/package.json': '{"name": "later", "main": "index.js"}',
  'node_modules/later/index.js': `console.error('later sees ' + process.env.FLAG); exports.later = 1;`,
};

const instrumented = {
  ...packages,
  'src/instrumentation.ts': `process.env.FLAG = 'set' as string; console.error('instrumented');`,
  'src/capabilities.ts': `
    import './instrumentation.js';
    import { late } from 'late';
    import { later } from 'later';
    import { capability } from 'capix';
    export const numbers = { listNumbers: capability(() => [late, later]) };
  `,
  'src/server.ts': `
    import './instrumentation.js';
    import { late } from 'late';
    import { createServer, restTransport } from 'capix';
    import { numbers } from './capabilities.js';
    await createServer({ capabilities: { numbers }, transports: [restTransport()] }).start();
    console.error('started', late);
  `,
};

/** Lines of the modules that were run, in their order. */
function toTrace(text: string): readonly string[] {
  return text.split('\n').filter((line) => /^(?:instrumented|late)/.test(line));
}

it.each([[['list']], [['check']], [['call', 'numbers.listNumbers']], [['openapi']], [['mcp']]])(
  '%j runs the first import of the project first',
  async (args) => {
    const folder = await devProject(instrumented);
    const { stderr } = await runCapix(args, { cwd: folder });
    expect(toTrace(stderr)).toEqual(['instrumented', 'late sees set', 'later sees set']);
  },
);

it('dev runs the first import of the project first, and so after a reload', async () => {
  const folder = await devProject(instrumented);
  const dev = openDevJson(folder);
  for (const word of ['set', 'another']) {
    if (word === 'another')
      await writeTree(folder, {
        'src/instrumentation.ts': `process.env.FLAG = 'another'; console.error('instrumented');`,
      });
    const lines: string[] = [];
    for (let line = ''; line !== 'started 1'; lines.push(line)) line = (await dev.waitFor('output')).line ?? '';
    expect(lines).toEqual(['instrumented', `late sees ${word}`, `later sees ${word}`, 'started 1']);
  }
  dev.kill('SIGTERM');
  await dev.ended;
});

test('a package that the first line imports comes before the packages of other files', async () => {
  const folder = await devProject({
    ...packages,
    'node_modules/early/package.json': '{"name": "early", "type": "module", "exports": "./index.js"}',
    'node_modules/early/index.js': `process.env.FLAG = 'set'; console.error('instrumented');`,
    'src/capabilities.ts': `import 'early';\nexport * as numbers from './numbers.js';`,
    'src/numbers.ts': `import 'late';\nimport 'later';\nimport { capability } from 'capix';\nexport const list = capability(() => []);`,
  });
  const { stderr } = await runCapix(['list'], { cwd: folder });
  expect(toTrace(stderr)).toEqual(['instrumented', 'late sees set', 'later sees set']);
});

test('types that are exported as values are no exports, however the files are loaded', async () => {
  const folder = await devProject({
    ...packages,
    'src/types.ts': 'export interface Item { id: string }\nexport type Name = string;\nexport const real = 1;',
    'src/index.ts': `export { Item, Name as Called, real } from './types.js';\nexport * from './types.js';`,
    'src/capabilities.ts': `
      import './index.js';
      import 'late';
      import { Item, Called, real } from './index.js';
      import * as all from './index.js';
      import { capability } from 'capix';
      export { Item };
      console.error(Object.keys(all).join(), typeof Called, real);
      export const items = { list: capability((): Item[] => []) };
    `,
  });
  const { stderr, stdout } = await runCapix(['list'], { cwd: folder });
  expect(stderr).toBe('late sees undefined\nreal undefined 1\n');
  expect(stdout).toContain('items.list');
});

test('60 random programs in one server of capix dev run as Node runs them', async () => {
  const programs = generatePrograms(60);
  const load = `
    import { createServer, restTransport } from 'capix';
    const traces = [];
    for (const load of [${programs.map(({ entry }) => `() => import('../${entry}')`).join(', ')}]) {
      Object.assign(globalThis, { trace: [], later: [] });
      try { await load(); await Promise.all(later); } catch (error) { trace.push(error.name); }
      traces.push(trace);
    }
  `;
  const folder = await devProject({
    ...Object.assign({}, ...programs.map(({ files }) => files)),
    'src/load.mjs': `${load.replace(/import \{.*\n/, '')}\nconsole.log(JSON.stringify(traces));`,
    'src/server.mjs': `${load}\nconsole.log(JSON.stringify(traces));\nawait createServer({ capabilities: {}, transports: [restTransport()] }).start();`,
  });
  const { stdout } = await execa(process.execPath, ['--no-warnings', join(folder, 'src/load.mjs')]);
  const dev = openDevJson(folder, ['src/server.mjs']);
  const { line = '' } = await dev.waitFor('output', (document) => document.line?.startsWith('[[') ?? false);
  expect(JSON.parse(line)).toEqual(JSON.parse(stdout));
  dev.kill('SIGTERM');
  await dev.ended;
});
