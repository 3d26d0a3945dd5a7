import { expect, it } from 'vitest';
import { editKinds } from './edit-kinds.ts';
import { judgeDocument, judgeEdit } from './judge.ts';
import { madeDocuments } from './made-documents.ts';

const SEED = 7;

const verdicts = editKinds.map((kind, at) => ({
  ...kind,
  verdicts: madeDocuments.flatMap((document) => judgeEdit(document, at, SEED) ?? []),
}));

it('has an edit of each kind, and a name for each', () => {
  expect(verdicts.flatMap(({ name, verdicts: own }) => (own.length === 0 ? [name] : []))).toEqual(
    [],
  );
  expect(new Set(verdicts.map(({ name }) => name)).size).toBe(verdicts.length);
});

it.each(verdicts)('tells as $effect, since $reason: $name', ({ effect, verdicts: own }) => {
  expect(
    own.flatMap(({ found, changes }) => (found === effect ? [] : [found, ...changes])),
  ).toEqual([]);
});

it('says that nobody can tell only where nobody can', () => {
  const wrong = verdicts.flatMap(({ name, verdicts: own }) =>
    own.some(({ isWronglyUnclear }) => isWronglyUnclear) ? [name] : [],
  );
  expect(wrong).toEqual([]);
});

it.each(madeDocuments)('tells of $openapi beside itself exactly what was changed', (document) => {
  expect(judgeDocument(document, SEED)).toEqual([]);
});
