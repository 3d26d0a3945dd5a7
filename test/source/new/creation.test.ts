import { expect, it } from 'vitest';
import { type Creation, type CreationEvent, toNextCreation } from '../../../source/new/creation.ts';

const asking: Creation = { kind: 'asking' };

function after(...events: readonly CreationEvent[]): Creation {
  return events.reduce(toNextCreation, asking);
}

it('tells the files that were written, and that it installs', () => {
  expect(after({ kind: 'start' }, { kind: 'written', files: ['a', 'b'] }, { kind: 'installing' })).toEqual({
    kind: 'creating',
    fileCount: 2,
    isInstalling: true,
    output: [],
  });
});

it('keeps the last lines of the package manager, without empty ones', () => {
  const lines = Array.from({ length: 300 }, (_, index): CreationEvent => ({ kind: 'output', line: `line ${index}` }));
  const creation = after({ kind: 'start' }, ...lines, { kind: 'output', line: ' ' });
  expect(creation).toMatchObject({ kind: 'creating' });
  const { output } = creation as Extract<Creation, { kind: 'creating' }>;
  expect(output).toHaveLength(200);
  expect(output.at(-1)).toBe('line 299');
});

it('asks again where nothing was written', () => {
  expect(after({ kind: 'start' }, { kind: 'refused', problem: 'The folder is not empty.' })).toEqual({
    kind: 'asking',
    problem: 'The folder is not empty.',
  });
});
