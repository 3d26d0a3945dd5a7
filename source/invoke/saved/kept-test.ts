import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { toUrlCase } from '../../../server-runtime/routing/infer-route.ts';
import type { IsSecret } from '../../../server-runtime/schema/secret-names.ts';
import { findFiles } from '../../files/find-files.ts';
import { readPackage } from '../../load/hooks/own-file.ts';
import { expectModuleExtension } from '../../load/module-extension.ts';
import type { Project } from '../../manifest/project.ts';
import { isJsonObject } from '../../values/json.ts';
import { AnswerPart, listNeeds, type PlannedCall } from './plan-call.ts';
import { toVariable } from './read-saved-calls.ts';

/** The way in which a project tests. */
interface TestHabits {
  readonly runner: 'node:test' | 'vitest';
  /** Where tests of the capability are, or would be; an absolute path. */
  readonly folder: string;
  /** `'.test.ts'` */
  readonly end: string;
  /** What the server is made of: `['capabilities', 'context']`, and the lines that import it from a folder. */
  readonly names: readonly string[];
  readonly toImports: (folder: string) => readonly string[];
}

/**
 * Looks how a project tests: by its package.json, and by the tests that are there. `source`: the absolute path of the
 * file of the capability.
 *
 * @throws CliError `UnreadableModule` for CommonJS
 */
export async function readTestHabits(project: Project, source: string): Promise<TestHabits> {
  const { root, entryFile } = project;
  const extension = expectModuleExtension(project);
  const tests = await findFiles(root, (name) => /\.(?:test|spec)\.[cm]?[jt]s$/.test(name));
  const nearest = tests.toSorted(
    (one, other) => countUps(one, source) - countUps(other, source) || one.length - other.length,
  )[0];
  const folder = nearest === undefined ? dirname(source) : dirname(nearest);
  const end = /\.(?:test|spec)\.\w+$/.exec(nearest ?? '')?.[0] ?? `.test${extension.file}`;
  const text = await readFile(entryFile, 'utf8');
  const named = ['capabilities', 'context'].filter((name) => isExported(name, text));
  const others = named.filter((name) => name !== 'capabilities');
  const whole = /\bexport\s+default\b/.test(text) ? 'capabilities' : '* as capabilities';
  const inNames = (names: readonly string[]): string => `{ ${names.join(', ')} }`;
  const imported = named.includes('capabilities')
    ? [inNames(named)]
    : [whole, ...(others.length > 0 ? [inNames(others)] : [])];
  const toImports = (from: string): readonly string[] => {
    const way = relative(from, entryFile).replaceAll('\\', '/');
    const path = `${way.startsWith('.') ? '' : './'}${way}`.replace(/\.\w+$/, extension.imported);
    return imported.map((what) => `import ${what} from '${path}';`);
  };
  const runner = usesVitest(root) ? 'vitest' : 'node:test';
  return { runner, folder, end, names: ['capabilities', ...others], toImports };
}

function isExported(name: string, text: string): boolean {
  return new RegExp(
    `\\bexport\\s+(?:(?:const|let|var|\\*\\s*as)\\s+${name}\\b|\\{[^}]*\\b${name}\\s*[,}])`,
  ).test(text);
}

function usesVitest(root: string): boolean {
  const { scripts, dependencies, devDependencies } = Object(readPackage(root));
  const { test = '' } = Object(scripts);
  const hasVitest = 'vitest' in { ...dependencies, ...devDependencies } || /\bvitest\b/.test(test);
  return hasVitest && !/--test\b/.test(test);
}

/** How many folders up the way from a test to another file begins. */
function countUps(test: string, file: string): number {
  return relative(dirname(test), file).split('..').length;
}

/** The name of the test of a capability, without its end: `get-item`. */
export function toTestName(key: string): string {
  return toUrlCase(key.split('.').at(-1) ?? key, 'kebab');
}

/** The name of the answer of the call that is tested. */
const ANSWER = 'answer';

/**
 * The text of a test that makes a call again, after those that it needs, on a test server of its own. `folder`: where
 * it will lie, an absolute path.
 */
export function toTestText(
  planned: PlannedCall,
  folder: string,
  { runner, names, toImports }: Pick<TestHabits, 'runner' | 'names' | 'toImports'>,
): string {
  const isVitest = runner === 'vitest';
  const { key, status, body } = planned.call;
  const needed = listNeeds(planned);
  const call = toInvocation(planned);
  const before = needed.map((one) => one.call.key).join(' and ');
  const title = `${key} answers ${status}${before === '' ? '' : `, after ${before}`}`;
  const check = status < 400 ? toAnswerCheck(planned, isVitest) : toRefusalCheck(planned, isVitest);
  const statements = [
    ...needed.map((one) => `const ${one.name} = await ${toInvocation(one)};`),
    ...(status < 400 && body !== undefined
      ? [`const ${ANSWER} = await ${call};`, check]
      : [status < 400 ? `await ${call};` : check]),
  ];
  const asserts = isVitest
    ? ["import { expect, test } from 'vitest';"]
    : ["import assert from 'node:assert/strict';", "import { test } from 'node:test';"];
  return [
    ...(isVitest ? [] : asserts),
    "import { testServer } from 'capix/testing';",
    ...(isVitest ? asserts : []),
    ...toImports(folder),
    '',
    `${isVitest ? '' : 'await '}test(${toText(title)}, async () => {`,
    `  const api = await testServer({ ${names.join(', ')}, listen: false });`,
    '  try {',
    ...statements.map((statement) => `    ${statement.replaceAll('\n', '\n    ')}`),
    '  } finally {',
    '    await api.stop();',
    '  }',
    '});',
    '',
  ].join('\n');
}

function toInvocation({ call: { key, headers, status, isSecret }, input }: PlannedCall): string {
  // An input that the schema refuses does not fit its type.
  const typed = status === 400 ? ' as never' : '';
  const fields = [
    `capability: ${toText(key)}`,
    ...(isEmpty(input) ? [] : [`input: ${toCode(input, isSecret)}${typed}`]),
    ...(isEmpty(headers) ? [] : [`headers: ${toCode(headers, isSecret)}`]),
  ];
  return `api.invoke(${inBraces(fields)})`;
}

function isEmpty(value: unknown): boolean {
  return Object.keys(Object(value)).length === 0;
}

function toAnswerCheck({ body }: PlannedCall, isVitest: boolean): string {
  const { data } = Object(body) as { readonly data?: unknown };
  if (data instanceof AnswerPart && data.name === undefined)
    return isVitest ? `expect(${ANSWER}).toBeDefined();` : `assert.ok(${ANSWER});`;
  const expected = toCode(data);
  return isVitest
    ? `expect(${ANSWER}).toEqual(${expected});`
    : `${inLines('assert.deepEqual(', [ANSWER, expected], ')')};`;
}

function toRefusalCheck(planned: PlannedCall, isVitest: boolean): string {
  const { status, body } = planned.call;
  const { error } = Object(body) as { readonly error?: unknown };
  const expected = toCode({ ...(error !== undefined && { name: error }), status });
  const call = toInvocation(planned);
  return isVitest
    ? `await expect(${call}).rejects.toMatchObject(${expected});`
    : `await ${inLines('assert.rejects(', [call, expected], ')')};`;
}

/** A value as it is written in code, with variables of the environment in place of secrets. */
function toCode(value: unknown, isSecret: IsSecret = () => false): string {
  if (value instanceof AnswerPart) return toPartCode(value);
  if (typeof value === 'string') return toTextCode(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => toCode(item, isSecret));
    return inLines('[', items, ']');
  }
  if (!isJsonObject(value)) return String(value);
  const fields = Object.entries(value).filter((field) => field[1] !== undefined);
  return inBraces(
    fields.map(([name, inner]) => {
      const written = isSecret(name) && inner !== null ? toVariable(name, inner) : inner;
      return `${isWord(name) ? name : toText(name)}: ${toCode(written, isSecret)}`;
    }),
  );
}

function isWord(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

/** `createItem.id`, `answer.items[0]?.id`: the answer of `invoke` is the data alone. */
function toPartCode({ name, path }: AnswerPart): string {
  const [first, ...rest] = path;
  const steps = name === undefined && first === 'data' ? rest : path;
  return steps.reduce<string>((code, step, at) => {
    const isMaybe = typeof steps[at - 1] === 'number' ? '?.' : '';
    if (typeof step === 'number') return `${code}${isMaybe}[${step}]`;
    return isWord(step) ? `${code}${isMaybe || '.'}${step}` : `${code}${isMaybe}[${toText(step)}]`;
  }, name ?? ANSWER);
}

/** A variable of the environment in a text is one in the code. */
function toTextCode(text: string): string {
  const [before = '', name, after] = text.split(/\$\{(\w+)\}/);
  if (name === undefined || after !== '') return toText(text);
  const variable = `String(process.env.${name})`;
  return before === '' ? variable : `\`${before}\${${variable}}\``;
}

function toText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1);
  return `'${escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function inBraces(fields: readonly string[]): string {
  return inLines('{ ', fields, ' }');
}

const MAX_LENGTH = 80;

/** In one line where that is short, else each in its own. */
function inLines(open: string, parts: readonly string[], close: string): string {
  if (parts.length === 0) return open.trim() + close.trim();
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length <= MAX_LENGTH && !line.includes('\n')) return line;
  const lines = parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},`);
  return [open.trim(), ...lines, close.trim()].join('\n');
}

/** Names that a test has for something else, or that no variable may have. */
const takenWords = new RegExp(
  '^(?:answer|api|test|testServer|expect|assert|capabilities|context|process|String|delete|default|new|import|in)$',
);

/** The name of the answer of a capability: `createItem`. */
export function toAnswerName(key: string): string {
  const word = (key.split('.').at(-1) ?? key).replaceAll(/[^\w$]/g, '');
  return /^[A-Za-z_$]/.test(word) && !takenWords.test(word) ? word : `call${word}`;
}
