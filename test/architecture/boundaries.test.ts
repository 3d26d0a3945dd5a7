import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

interface Planted {
  readonly what: string;
  /** The rule that must report it; none where it is allowed. */
  readonly rule?: string;
  /** Folder that it is planted in. */
  readonly folder: string;
  /** @default `planted-<index>.ts` */
  readonly file?: (index: number) => string;
  readonly code: string;
}

const imports = 'eslint(no-restricted-imports)';
const globals = 'eslint(no-restricted-globals)';
const tsx = (index: number) => `planted-${index}.tsx`;
const hook = (index: number) => `use-planted-${index}.ts`;

const planted: readonly Planted[] = [
  // The library
  {
    what: 'a library room that draws',
    rule: imports,
    folder: 'server-runtime/errors',
    code: use('Text', 'ink'),
  },
  {
    what: 'a library room with React',
    rule: imports,
    folder: 'server-runtime/rest',
    code: use('createElement', 'react'),
  },
  {
    what: 'a library room with Pastel',
    rule: imports,
    folder: 'server-runtime/rest',
    code: use('option', 'pastel'),
  },
  {
    what: 'a library room with Commander',
    rule: imports,
    folder: 'server-runtime/server',
    code: use('Command', 'commander'),
  },
  {
    what: 'a library room that knows the tool',
    rule: imports,
    folder: 'server-runtime/server',
    code: use('CliError', '../../source/cli/cli-error.ts'),
  },
  {
    what: 'a library room that knows a command',
    rule: imports,
    folder: 'server-runtime/rest',
    code: use('description', '../../commands/index.ts'),
  },
  {
    what: 'a low level that imports a higher one',
    rule: imports,
    folder: 'server-runtime/errors',
    code: use('a', '../capability/a.ts'),
  },
  {
    what: 'routing that knows a transport',
    rule: imports,
    folder: 'server-runtime/routing',
    code: use('a', '../rest/a.ts'),
  },
  {
    what: 'OpenAPI that imports REST',
    rule: imports,
    folder: 'server-runtime/openapi',
    code: use('a', '../rest/a.ts'),
  },
  {
    what: 'MCP that takes a type of REST',
    rule: imports,
    folder: 'server-runtime/mcp',
    code: "import type { A } from '../rest/a.ts';\nexport type B = A;\n",
  },
  {
    what: 'a library room that imports the public index',
    rule: imports,
    folder: 'server-runtime/rest',
    code: use('a', '../index.ts'),
  },
  {
    what: 'a transport that imports lower levels',
    folder: 'server-runtime/rest',
    code: "import type { A } from '../server/a.ts';\nexport type B = A;\n",
  },
  // The tool
  { what: 'a .ts file that draws', rule: imports, folder: 'source/home', code: use('Text', 'ink') },
  {
    what: 'a .ts file with React',
    rule: imports,
    folder: 'source/home',
    code: use('useState', 'react'),
  },
  { what: 'a hook with React', folder: 'source/home', file: hook, code: use('useState', 'react') },
  {
    what: 'a .ts file with a type of React',
    folder: 'source/home',
    code: "import type { ReactNode } from 'react';\nexport type View = ReactNode;\n",
  },
  {
    what: 'a view that reads files',
    rule: imports,
    folder: 'source/home',
    file: tsx,
    code: use('readFileSync', 'node:fs'),
  },
  {
    what: 'a view that starts processes',
    rule: imports,
    folder: 'source/home',
    file: tsx,
    code: use('execa', 'execa'),
  },
  {
    what: 'a feature that imports a feature',
    rule: imports,
    folder: 'source/other',
    code: use('a', '../home/a.ts'),
  },
  {
    what: 'a view that imports a feature',
    rule: imports,
    folder: 'source/home',
    file: tsx,
    code: use('a', '../other/a.ts'),
  },
  {
    what: 'a hook that imports a feature',
    rule: imports,
    folder: 'source/home',
    file: hook,
    code: use('a', '../other/a.ts'),
  },
  {
    what: 'a shared room that imports a feature',
    rule: imports,
    folder: 'source/load',
    code: use('a', '../home/a.ts'),
  },
  {
    what: 'a shared room that imports what a feature does not share',
    rule: imports,
    folder: 'source/load',
    code: use('a', '../check/a.ts'),
  },
  {
    what: 'a shared room that imports the shared half of a feature',
    folder: 'source/load',
    code: use('a', '../check/rules/a.ts'),
  },
  {
    what: 'the shared half of a feature that imports the other one',
    rule: imports,
    folder: 'source/check/rules',
    code: use('a', '../a.ts'),
  },
  {
    what: 'the terminal that imports a feature',
    rule: imports,
    folder: 'source/terminal',
    code: use('a', '../home/a.ts'),
  },
  {
    what: 'a feature that imports a shared room',
    folder: 'source/home',
    code: use('CliError', '../cli/errors/cli-error.ts'),
  },
  {
    what: 'a feature with Commander',
    rule: imports,
    folder: 'source/home',
    code: use('Command', 'commander'),
  },
  {
    what: 'a feature that imports a command',
    rule: imports,
    folder: 'source/home',
    code: use('description', '../../commands/index.ts'),
  },
  {
    what: 'a feature that imports the process',
    rule: imports,
    folder: 'source/home',
    code: use('pid', 'node:process'),
  },
  {
    what: 'a feature that touches the process',
    rule: globals,
    folder: 'source/home',
    code: 'export const { pid } = process;\n',
  },
  {
    what: 'a view that touches the process',
    rule: globals,
    folder: 'source/home',
    file: tsx,
    code: 'export const { pid } = process;\n',
  },
  {
    what: 'the terminal that touches the process',
    folder: 'source/terminal',
    code: 'export const { pid } = process;\n',
  },
  {
    what: 'a command that draws',
    rule: imports,
    folder: 'commands',
    file: tsx,
    code: use('Text', 'ink'),
  },
  {
    what: 'a command that loads the library',
    rule: imports,
    folder: 'commands',
    file: tsx,
    code: use('a', '../server-runtime/index.ts'),
  },
  {
    what: 'a command that names its code',
    folder: 'commands',
    file: tsx,
    code: "export const plain = () => import('../source/home/home-command.ts');\n",
  },
  // Everywhere
  {
    what: 'a default export',
    rule: 'import(no-default-export)',
    folder: 'source/home',
    code: 'export default 1;\n',
  },
  {
    what: 'a default export of a screen',
    folder: 'source/home',
    file: (index) => `planted-${index}-screen.tsx`,
    code: 'export default 1;\n',
  },
  {
    what: 'a circle of imports',
    rule: 'import(no-cycle)',
    folder: 'source/home',
    file: () => 'circle.ts',
    code: use('b', './circle-too.ts'),
  },
  {
    what: 'a file in camel case',
    rule: 'unicorn(filename-case)',
    folder: 'source/home',
    file: () => 'plantedFile.ts',
    code: 'export const a = 1;\n',
  },
  {
    what: 'an exit out of the library',
    rule: 'unicorn(no-process-exit)',
    folder: 'server-runtime/server',
    code: 'export const end = (): never => process.exit(1);\n',
  },
  {
    what: 'a file of more than 350 lines',
    rule: 'eslint(max-lines)',
    folder: 'source/home',
    code: `export const a = [\n${'  1,\n'.repeat(350)}];\n`,
  },
  {
    what: 'a function of more than 90 lines',
    rule: 'eslint(max-lines-per-function)',
    folder: 'source/home',
    code: `export function toLong() {\n${"  String('a');\n".repeat(90)}}\n`,
  },
  {
    what: 'four parameters',
    rule: 'eslint(max-params)',
    folder: 'source/home',
    code: 'export const add = (a: number, b: number, c: number, d: number) => a + b + c + d;\n',
  },
  {
    what: 'any',
    rule: 'typescript(no-explicit-any)',
    folder: 'source/home',
    code: 'export const a: any = 1;\n',
  },
  {
    what: 'a promise that nobody awaits',
    rule: 'typescript(no-floating-promises)',
    folder: 'source/home',
    code: 'Promise.resolve(1);\nexport {};\n',
  },
];

/** What costs reading, in the library and the tool; tests may. */
const illegible: readonly Planted[] = [
  {
    what: 'a ternary within a ternary',
    rule: 'eslint(no-nested-ternary)',
    code: 'export const toSign = (a: number) => (a > 0 ? 1 : a < 0 ? -1 : 0);\n',
  },
  {
    what: 'the comma operator',
    rule: 'eslint(no-sequences)',
    code: 'export const take = (list: number[]) => (list.reverse(), list[0]);\n',
  },
  {
    what: 'a function of more than 12 ways',
    rule: 'eslint(complexity)',
    code: `export function toWord(a: number) {\n${Array.from({ length: 12 }, (_, at) => `  if (a === ${at}) return 'w${at}';\n`).join('')}  return '';\n}\n`,
  },
  {
    what: 'an assignment within an expression',
    rule: 'legible(no-assignment-in-expression)',
    code: 'let made: Date | undefined;\nexport function findDate() {\n  return (made ??= new Date());\n}\n',
  },
  {
    what: 'an assignment that an arrow gives',
    rule: 'legible(no-assignment-in-expression)',
    code: 'let last = 0;\nexport const set = (a: number) => (last = a);\nexport const read = () => last;\n',
  },
  {
    what: 'an index by a comparison',
    rule: 'legible(no-boolean-index)',
    code: "export const toText = (a: number) => ['few', 'many', 'more'][Number(a > 9)];\n",
  },
  {
    what: 'an index by a choice',
    rule: 'legible(no-boolean-index)',
    code: 'export const pick = (list: string[], a: boolean) => list[a ? 0 : 1];\n',
  },
  {
    what: 'two values that a flag chooses from',
    rule: 'legible(no-boolean-index)',
    code: "export const toText = (a: 0 | 1) => ['few', 'many'][a];\n",
  },
  {
    what: 'destructuring with holes',
    rule: 'legible(no-holes)',
    code: 'export function second([, b]: number[]) {\n  return b;\n}\n',
  },
  {
    what: 'a comment of what was asked for',
    rule: 'legible(no-vague-comment)',
    code: '/** The size that was asked for. */\nexport const size = 1;\n',
  },
  {
    what: 'a comment of what has come',
    rule: 'legible(no-vague-comment)',
    code: '// What has come.\nexport const size = 1;\n',
  },
  {
    what: 'a variable of a retired name',
    rule: 'eslint(id-denylist)',
    code: 'const told = new Set<string>();\nexport const all = () => [...told];\n',
  },
  {
    what: 'a property of a retired name',
    rule: 'eslint(id-denylist)',
    code: 'export interface State {\n  readonly kept?: string;\n}\n',
  },
  {
    what: 'a loop that assigns in its head',
    code: 'export function count(a: number): number {\n  let n = 0;\n  for (let i = 0; i < a; i += 2) n += i;\n  return n;\n}\n',
  },
].flatMap((each) => [
  { ...each, folder: 'source/home' },
  { ...each, what: `${each.what}, in the library`, folder: 'server-runtime/errors' },
]);

const cases = [...planted, ...illegible].map((each, index) => {
  const { what, rule, folder, file = (number) => `planted-${number}.ts` } = each;
  return { what, rule, code: each.code, path: `${folder}/${file(index)}` };
});

/** What `npm run lint` looks at, what it needs, and the other half of the circle. */
const copied = [
  'cli.ts',
  'commands',
  'scripts',
  'server-runtime',
  'source',
  'templates',
  'test',
  'oxlint.config.mjs',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const otherHalf = 'source/home/circle-too.ts';

let root: string;
let reported: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'capix-lint-'));
  await Promise.all(
    copied.map((name) => cp(join(packageRoot, name), join(root, name), { recursive: true })),
  );
  await symlink(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  await plant(otherHalf, use('a', './circle.ts').replace('used', 'b'));
  for (const { path, code } of cases) await plant(path, code);
  reported = await lint();
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('lint', () => {
  it.each(cases.filter(({ rule }) => rule))('reports $what', ({ path, rule }) => {
    expect(reported.get(path)).toContain(rule);
  });

  it.each(cases.filter(({ rule }) => !rule))('allows $what', ({ path }) => {
    expect(reported.get(path)).toBeUndefined();
  });
});

/** A module that imports a name and exports it. */
function use(name: string, from: string): string {
  return `import { ${name} } from '${from}';\nexport const used = ${name};\n`;
}

async function plant(path: string, code: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), code);
}

/** The rules that `npm run lint` reports for the planted files; `npm test` runs it for those of the repository. */
async function lint(): Promise<ReadonlyMap<string, readonly string[]>> {
  const paths = [...cases.map(({ path }) => path), otherHalf];
  const { stdout } = await execa(
    'npm',
    ['run', '--silent', 'lint', '--', '--format', 'json', ...paths],
    {
      cwd: root,
      reject: false,
    },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  const codes = new Map<string, string[]>();
  for (const { filename, code } of diagnostics)
    codes.set(filename, [...(codes.get(filename) ?? []), code]);
  return codes;
}
