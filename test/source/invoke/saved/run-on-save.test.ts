import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SavedCall, savedCallFile } from '../../../../source/invoke/saved/read-saved-calls.ts';
import { findImports, selectRunnable } from '../../../../source/invoke/saved/run-on-save.ts';
import { writeTree } from '../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const toSaved = (name: string, file: object = {}): SavedCall => ({
  ...savedCallFile.parse({ call: name, ...file }),
  name,
});

describe('the saved calls that run after a save', () => {
  const select = (calls: readonly SavedCall[]): readonly string[] =>
    selectRunnable(calls, ({ name, onSave }) => onSave ?? name.startsWith('get')).map(
      ({ name }) => name,
    );

  it('are queries, and those that say so themselves', () => {
    const calls = [
      toSaved('get'),
      toSaved('getNot', { onSave: false }),
      toSaved('create'),
      toSaved('createToo', { onSave: true }),
    ];
    expect(select(calls)).toEqual(['get', 'createToo']);
  });

  it('need no call that does not run, is not there, or needs them', () => {
    const needs = (name: string) => ({ input: { id: `{{${name}.id}}` } });
    const calls = [
      toSaved('create'),
      toSaved('getCreated', needs('create')),
      toSaved('getFar', needs('getCreated')),
      toSaved('getGot', needs('get')),
      toSaved('get'),
      toSaved('getNone', needs('none')),
      toSaved('getSelf', { expect: { body: '{{getSelf.id}}' } }),
    ];
    expect(select(calls)).toEqual(['getGot', 'get']);
  });

  it('never go to an environment', () => {
    expect(select([toSaved('get', { environment: 'staging', onSave: true })])).toEqual([]);
  });
});

it('follows the imports of a file, also those that it exports, and by their compiled names', async () => {
  const root = await temporaryFolder();
  await writeTree(root, {
    'a.ts': `import x from './b.js';\nexport * from "./c.ts"; const y = await import('./d.ts');`,
    'b.ts': `import './a.ts'; import 'zod';`,
    'c.ts': `import { z } from './left-out.ts';`,
    'd.ts': `const e = require('./e.json');`,
    'e.json': '{}',
    'left-out.ts': '',
  });
  const found = findImports(join(root, 'a.ts'), (file) => file.endsWith('left-out.ts'));
  expect([...found].map((file) => file.slice(root.length + 1)).toSorted()).toEqual([
    'a.ts',
    'b.ts',
    'c.ts',
    'd.ts',
    'e.json',
  ]);
});
