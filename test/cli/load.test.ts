import { existsSync } from 'node:fs';
import { readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FixtureProject, openFixture, openProject } from '../helpers/fixture-project.ts';
import type { RunResult } from '../helpers/run-capix.ts';

/** A capabilities file with one capability, and the lines before it. */
function withLines(...lines: readonly string[]): string {
  return [
    ...lines,
    "import { capability } from 'capix';",
    'export const items = { list: capability(() => []) };',
    '',
  ].join('\n');
}

interface Broken {
  readonly lines: readonly string[];
  /** The lines that the command says. */
  readonly stderr: readonly string[];
}

function openBroken({ lines }: Broken): Promise<FixtureProject> {
  return openProject({
    'src/broken.ts': lines.join('\n'),
    'src/capabilities.ts': withLines("import './broken.js';"),
  });
}

function toReport({ stderr }: Broken): RunResult {
  return { stdout: '', stderr: `${stderr.join('\n')}\n`, exitCode: 1 };
}

test('user code may use what TypeScript, bundlers and Node offer', async () => {
  const { root, capix } = await openFixture('features');
  await symlink(join(root, 'shared'), join(root, 'node_modules', 'features-shared'), 'junction');
  const { stdout, stderr } = await capix(['show', 'probe.found', '--json']);
  expect(stderr).toBe('');
  const { description, source } = (
    JSON.parse(stdout) as { data: { description: string; source: unknown } }
  ).data;
  expect(JSON.parse(description)).toEqual({
    enumeration: 'blue',
    namespace: 2,
    json: 'hello',
    url: 'hello',
    dirname: true,
    filename: true,
    topLevelAwait: 42,
    dynamicImport: 'red',
    commonJs: 'b.txt',
    decorator: 'marked',
    workspace: 'big',
  });
  expect(source).toMatchObject({ file: 'src/capabilities.ts', line: 40 });
});

test('what user code prints goes to stderr, so that stdout stays one JSON document', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': withLines("console.log('loading');", "process.stdout.write('more\\n');"),
  });
  const { stdout, stderr } = await capix(['list', '--json']);
  expect(stderr).toBe('loading\nmore\n');
  expect((JSON.parse(stdout) as { ok: boolean }).ok).toBe(true);
});

test('loading leaves no file behind but the names that a shell completes', async () => {
  const { root, capix, write } = await openFixture('shop');
  await capix(['list']);
  await write('src/capabilities/items/list.ts', 'throw new Error("broken");');
  await capix(['list']);
  const packages = (await readdir(join(root, 'node_modules'))).toSorted();
  expect(packages).toEqual(['.cache', 'capix', 'zod']);
  expect(await readdir(join(root, 'node_modules', '.cache'))).toEqual(['capix']);
  expect((await readdir(root)).toSorted()).toEqual(['node_modules', 'package.json', 'src']);
});

test('a project without node_modules is loaded too', async () => {
  const { root, capix } = await openProject({
    'src/capabilities.ts': 'export const capabilities = {};',
  });
  await rm(join(root, 'node_modules'), { recursive: true });
  expect((await capix(['list'])).stdout).toBe('Capabilities (0)\n\n');
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
});

test('a command ends although user code keeps a timer open', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': withLines('setInterval(() => {}, 1000);'),
  });
  expect((await capix(['list'])).exitCode).toBe(0);
});

test.each([
  {
    fault: 'a syntax error',
    lines: ['export const = 5;'],
    stderr: [
      'error: src/broken.ts:1:14: Unexpected token `=`. Expected yield, an identifier, [ or {',
      '  > 1 | export const = 5;',
      '      |              ^',
    ],
  },
  {
    fault: 'a syntax error behind tabs and wide characters',
    lines: ["\tconst a = 'é世界'; const = 5;"],
    stderr: [
      'error: src/broken.ts:1:25: Unexpected token `=`. Expected yield, an identifier, [ or {',
      "  > 1 | \tconst a = 'é世界'; const = 5;",
      '      | \t                         ^',
    ],
  },
  {
    fault: 'an import of a file that is not there',
    lines: ['', "import './gone.js';"],
    stderr: [
      'error: src/broken.ts:2:8: Could not resolve "./gone.js"',
      '    1 |',
      "  > 2 | import './gone.js';",
      '      |        ^^^^^^^^^^^',
    ],
  },
  {
    fault: 'an import of a package that is not installed',
    lines: ["import '@scope/gone/part';"],
    stderr: [
      'error: src/broken.ts:1:8: Could not resolve "@scope/gone/part"',
      "  > 1 | import '@scope/gone/part';",
      '      |        ^^^^^^^^^^^^^^^^^^',
      'Install it: npm install @scope/gone',
    ],
  },
  {
    fault: 'an import of a name that the package does not export',
    lines: ["import { capability, nothing } from 'capix';", 'capability(nothing);'],
    stderr: [
      "error: src/broken.ts:1:22: SyntaxError: The requested module 'capix' does not provide an export named 'nothing'",
      "  > 1 | import { capability, nothing } from 'capix';",
      '      |                      ^',
      '    2 | capability(nothing);',
      'If nothing is a type, write `import type { nothing }` or `export type { nothing }`.',
    ],
  },
  {
    fault: 'code that throws',
    lines: [
      'interface Unused {',
      '  readonly a: string;',
      '}',
      'const missing: any = undefined;',
      'missing.field();',
    ],
    stderr: [
      "error: src/broken.ts:5:9: TypeError: Cannot read properties of undefined (reading 'field')",
      '    3 | }',
      '    4 | const missing: any = undefined;',
      '  > 5 | missing.field();',
      '      |         ^',
    ],
  },
  {
    fault: 'wrong use of the library',
    lines: [
      "import { capability } from 'capix';",
      "export const wrong = capability('handler' as never);",
    ],
    stderr: [
      "error: src/broken.ts:2:22: TypeError: capability: expected a handler function or a schema followed by one, got 'handler'.",
      "    1 | import { capability } from 'capix';",
      "  > 2 | export const wrong = capability('handler' as never);",
      '      |                      ^',
    ],
  },
])('$fault is reported with its place, on stderr, with exit code 1', async (broken) => {
  const { ask } = await openBroken(broken);
  expect(await ask(['list'])).toEqual(toReport(broken));
});

test.each([
  {
    fault: 'a rejection that nothing handles',
    lines: [
      "void Promise.reject(new Error('late'));",
      'await new Promise((resolve) => setTimeout(resolve, 60_000));',
    ],
    stderr: [
      'error: src/broken.ts:1:21: late',
      "  > 1 | void Promise.reject(new Error('late'));",
      '      |                     ^',
      '    2 | await new Promise((resolve) => setTimeout(resolve, 60_000));',
    ],
  },
  {
    fault: 'code that ends the process',
    lines: ['process.exit(0);'],
    stderr: [
      "error: The project's code ended the process, or waits for something that never comes, while it was loaded.",
      'Move such code out of the files that declare capabilities.',
    ],
  },
  {
    fault: 'code that waits for ever',
    lines: ['await new Promise(() => {});'],
    stderr: [
      "error: The project's code ended the process, or waits for something that never comes, while it was loaded.",
      'Move such code out of the files that declare capabilities.',
    ],
  },
])('$fault is reported with its place, on stderr, with exit code 1', async (broken) => {
  const { capix } = await openBroken(broken);
  expect(await capix(['list'])).toEqual(toReport(broken));
});

test('code that throws something that is not an error is reported with what it threw', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': "throw 'a text';" });
  const { stdout, stderr, exitCode } = await capix(['list']);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  // Node itself writes a line before.
  expect(stderr).toMatch(/^error: src\/capabilities\.ts could not be loaded: it threw "a text"\n/m);
});

test.each([
  ['ends the process', 'process.exit(0);'],
  ['waits for ever', 'await new Promise(() => {});'],
])('code that %s is one JSON document with --json', async (_, line) => {
  const { capix } = await openProject({ 'src/capabilities.ts': line });
  const { stdout, stderr, exitCode } = await capix(['list', '--json']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 1 });
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: {
      code: 'ProjectEnded',
      message: expect.stringContaining('while it was loaded.'),
      hint: 'Move such code out of the files that declare capabilities.',
    },
  });
});

test.each([
  ['capabilities = null', 'the export `capabilities` is null, not groups of capabilities.'],
  ['capabilities = 5', 'the export `capabilities` is number, not groups of capabilities.'],
  [
    'capabilities = { items: { get_item: list } }',
    "'get_item' in group 'items' cannot be the name of a capability or group.",
  ],
  ['restOptions = 5', 'the export `restOptions` is a number, not an object'],
  [
    "restOptions = { urlCas: 'kebab' }",
    '`restOptions` has no option `urlCas`. Did you mean `urlCase`?',
  ],
  [
    "restOptions = { urlCase: 'pascal' }",
    "restTransport urlCase: expected 'kebab', 'snake' or 'camel', got 'pascal'.",
  ],
])('the export `%s` is refused with the reason', async (exported, reason) => {
  const { ask } = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';\nconst list = capability(() => []);\nexport const ${exported};\n`,
  });
  const { stdout, stderr, exitCode } = await ask(['list']);
  expect(stderr).toContain(`error: src/capabilities.ts: ${reason}`);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
});

test.each([
  ['5', 'number'],
  ['list', 'one capability'],
])('the only export `default %s` is refused with the reason', async (exported, kind) => {
  const { ask } = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';\nconst list = capability(() => []);\nexport default ${exported};\nvoid list;\n`,
  });
  const { stderr, exitCode } = await ask(['list']);
  expect(stderr).toContain(
    `error: src/capabilities.ts: the export \`default\` is ${kind}, not groups of capabilities.`,
  );
  expect(exitCode).toBe(1);
});

test('restOptions may have every option of the server', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `
      export const capabilities = {};
      export const restOptions = { port: 0, cors: false, maxBodySize: 10, timeoutMs: 5, heartbeatMs: 5, docs: true };
    `,
  });
  expect((await ask(['list'])).exitCode).toBe(0);
});

test('escape sequences in what user code throws do not reach the terminal', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': "throw new Error('\\u001B]0;title\\u0007\\u001B[31mred');",
  });
  const { stderr } = await ask(['list']);
  expect(stderr).toMatch(/^error: src\/capabilities\.ts:1:7: red\n/);
  expect(stderr).not.toContain('\u001B');
});

test('a failure is one JSON document with --json', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': 'export const = 5;' });
  const { stdout, exitCode } = await ask(['list', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    error: {
      code: 'BuildFailed',
      message:
        'src/capabilities.ts:1:14: Unexpected token `=`. Expected yield, an identifier, [ or {',
    },
  });
  expect(exitCode).toBe(1);
});

test.each([
  [
    [],
    'No capabilities file at src/capabilities.ts.',
    'Run the command in the folder of the project, pass --config <path> or run `capix new`.',
  ],
  [
    ['--config', 'lib/api.ts'],
    'No capabilities file at lib/api.ts.',
    'Pass --config <path> of a file',
  ],
  [['--config', 'src'], 'No capabilities file at src.', 'Pass --config <path> of a file'],
])('without a capabilities file, list %j says what to do', async (args, message, hint) => {
  const { ask } = await openProject({ 'src/other.ts': '' });
  const { stderr, exitCode } = await ask(['list', ...args]);
  expect(stderr).toContain(`error: ${message}\n${hint}`);
  expect(exitCode).toBe(1);
});

test('a JSON file that cannot be parsed is named', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `import bad from './bad.json'; export const a = bad;`,
    'src/bad.json': '{ "a": 1,\n',
  });
  const { stderr, exitCode } = await ask(['list']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('src/bad.json');
});
