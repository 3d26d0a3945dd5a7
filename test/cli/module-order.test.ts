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

it.each(['.', 'zod/capix/server-runtime'])(
  'dev runs the first import of the project in %s first, and so after a reload',
  async (inside) => {
    const folder = await devProject(instrumented, inside);
    const dev = openDevJson(folder);
    for (const word of ['set', 'another']) {
      if (word === 'another')
        await writeTree(folder, {
          'src/instrumentation.ts': `process.env.FLAG = 'another'; console.error('instrumented');`,
        });
      const lines: string[] = [];
      for (let line = ''; line !== 'started 1'; lines.push(line))
        line = (await dev.waitFor('output')).line ?? '';
      expect(lines).toEqual([
        'instrumented',
        `late sees ${word}`,
        `later sees ${word}`,
        'started 1',
      ]);
    }
    dev.kill('SIGTERM');
    await dev.ended;
  },
);

test('a package that the first line imports comes before the packages of other files', async () => {
  const folder = await devProject({
    ...packages,
    'node_modules/early/package.json':
      '{"name": "early", "type": "module", "exports": "./index.js"}',
    'node_modules/early/index.js': `process.env.FLAG = 'set'; console.error('instrumented');`,
    'src/capabilities.ts': `import 'early';\nexport * as numbers from './numbers.js';`,
    'src/numbers.ts': `import 'late';\nimport 'later';\nimport { capability } from 'capix';\nexport const list = capability(() => []);`,
  });
  const { stderr } = await runCapix(['list'], { cwd: folder });
  expect(toTrace(stderr)).toEqual(['instrumented', 'late sees set', 'later sees set']);
});

test('a type that is exported as a value is refused with what to write', async () => {
  const folder = await devProject({
    'src/types.ts': 'export interface Item { id: string }\nexport const real = 1;',
    'src/capabilities.ts': `export { Item, real } from './types.js';\nexport const items = {};`,
  });
  const { stderr } = await runCapix(['list'], { cwd: folder });
  expect(stderr).toContain(
    "src/capabilities.ts:1:10: SyntaxError: The requested module './types.js' does not provide",
  );
  expect(stderr).toContain(
    'If Item is a type, write `import type { Item }` or `export type { Item }`.',
  );
  await writeTree(folder, {
    'src/capabilities.ts': `export { type Item, real } from './types.js';\nexport const items = {};`,
  });
  expect(await runCapix(['list'], { cwd: folder })).toMatchObject({ exitCode: 0 });
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
  const { line = '' } = await dev.waitFor(
    'output',
    (document) => document.line?.startsWith('[[') ?? false,
  );
  expect(JSON.parse(line)).toEqual(JSON.parse(stdout));
  dev.kill('SIGTERM');
  await dev.ended;
});
