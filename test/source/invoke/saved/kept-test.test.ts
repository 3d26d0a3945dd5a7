import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readTestHabits,
  toAnswerName,
  toTestName,
  toTestText,
} from '../../../../source/invoke/saved/kept-test.ts';
import { AnswerPart, type PlannedCall } from '../../../../source/invoke/saved/plan-call.ts';
import { toMade } from '../../../helpers/made-call.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const capabilities = `export { context } from './context.ts';
export * as capabilities from './capabilities/index.ts';
`;

const habitsOf = async (files: Readonly<Record<string, string>>) => {
  const root = await temporaryFolder();
  await writeTree(root, {
    'package.json': '{"type": "module"}',
    'src/capabilities.ts': capabilities,
    ...files,
  });
  const project = { root, name: 'shop', entryFile: join(root, 'src/capabilities.ts') };
  const { folder, toImports, ...habits } = await readTestHabits(
    project,
    join(root, 'src/capabilities/items/get.ts'),
  );
  return { ...habits, folder: folder.slice(root.length + 1), imports: toImports(folder) };
};

describe('the way in which a project tests', () => {
  it('is that of its nearest test, by name and place', async () => {
    expect(
      await habitsOf({
        'test/a.spec.ts': '',
        'node_modules/x/b.test.ts': '',
        'dist/c.test.js': '',
      }),
    ).toEqual({
      runner: 'node:test',
      folder: 'test',
      end: '.spec.ts',
      names: ['capabilities', 'context'],
      imports: ["import { capabilities, context } from '../src/capabilities.js';"],
    });
    const near = await habitsOf({
      'test/a.test.ts': '',
      'src/capabilities/items/b.test.ts': '',
      'tsconfig.json': '{"compilerOptions": {"rewriteRelativeImportExtensions": true}}',
    });
    expect(near).toMatchObject({
      folder: 'src/capabilities/items',
      imports: ["import { capabilities, context } from '../../capabilities.ts';"],
    });
  });

  it('is beside the capability where there is no test, and imports what the file exports', async () => {
    const habits = await habitsOf({ 'src/capabilities.ts': 'export default { items: {} };' });
    expect(habits).toMatchObject({
      folder: 'src/capabilities/items',
      end: '.test.ts',
      names: ['capabilities'],
      imports: ["import capabilities from '../../capabilities.js';"],
    });
    const named = await habitsOf({ 'src/capabilities.ts': 'export const items = {};' });
    expect(named.imports).toEqual(["import * as capabilities from '../../capabilities.js';"]);
  });

  it('is with Vitest where its package.json says so', async () => {
    const toPackage = (text: object) => ({ 'package.json': JSON.stringify(text) });
    const vitest = { devDependencies: { vitest: '^4' } };
    expect(await habitsOf(toPackage(vitest))).toMatchObject({ runner: 'vitest' });
    const script = { scripts: { test: 'vitest run' } };
    expect(await habitsOf(toPackage(script))).toMatchObject({ runner: 'vitest' });
    const both = { ...vitest, scripts: { test: 'node --test' } };
    expect(await habitsOf(toPackage(both))).toMatchObject({ runner: 'node:test' });
  });
});

const toPlanned = (part: Partial<PlannedCall['call']>, more: Partial<PlannedCall> = {}) => {
  const call = toMade({ key: 'items.getItem', ...part });
  return { call, name: 'getItem', input: call.input, body: call.body, needs: [], ...more };
};

const write = (planned: PlannedCall, runner: 'node:test' | 'vitest' = 'node:test'): string =>
  toTestText(planned, '/', {
    runner,
    names: ['capabilities'],
    toImports: () => ["import { capabilities } from '../src/capabilities.ts';"],
  });

describe('the text of a test', () => {
  it('makes the calls that it needs first, and compares all but what differs each time', () => {
    const create = toPlanned(
      { key: 'items.createItem', headers: { authorization: 'Bearer x' } },
      { name: 'createItem', input: { name: "Ada's", password: '•••' } },
    );
    const body = {
      data: {
        id: new AnswerPart(['list', 0, 'id'], 'createItem'),
        at: new AnswerPart(['data', 'at']),
        'a-b': [1, null, true],
      },
    };
    const planned = toPlanned(
      { body },
      { input: { id: new AnswerPart(['list', 0, 'id'], 'createItem') }, needs: [create] },
    );
    expect(write(planned)).toBe(`import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from 'capix/testing';
import { capabilities } from '../src/capabilities.ts';

await test('items.getItem answers 200, after items.createItem', async () => {
  const api = await testServer({ capabilities, listen: false });
  try {
    const createItem = await api.invoke({
      capability: 'items.createItem',
      input: { name: 'Ada\\'s', password: String(process.env.PASSWORD) },
      headers: { authorization: \`Bearer \${String(process.env.AUTHORIZATION)}\` },
    });
    const answer = await api.invoke({ capability: 'items.getItem', input: { id: createItem.list[0]?.id } });
    assert.deepEqual(
      answer,
      { id: createItem.list[0]?.id, at: answer.at, 'a-b': [1, null, true] },
    );
  } finally {
    await api.stop();
  }
});
`);
  });

  it('expects a refusal, whose input may be none by its type', () => {
    const refused = toPlanned({ status: 400, body: { error: 'BadRequest' } }, { input: { id: 1 } });
    const text = write(refused, 'vitest');
    expect(text).toContain("import { expect, test } from 'vitest';");
    expect(text).toContain(
      "await expect(api.invoke({ capability: 'items.getItem', input: { id: 1 } as never })).rejects.toMatchObject({ name: 'BadRequest', status: 400 });",
    );
    expect(write(refused)).toMatch(/await assert\.rejects\(\n/);
  });

  it('only makes a call whose answer nobody knows, and holds a whole answer that differs to be there', () => {
    expect(write(toPlanned({}))).toContain(
      "    await api.invoke({ capability: 'items.getItem' });\n",
    );
    const body = { data: new AnswerPart(['data']) };
    expect(write(toPlanned({ body }))).toContain('assert.ok(answer);');
  });
});

it('names a test and its answers by the capability', () => {
  expect(toTestName('items.getItem')).toBe('get-item');
  expect(toAnswerName('items.getItem')).toBe('getItem');
  expect(toAnswerName('items.answer')).toBe('callanswer');
});
