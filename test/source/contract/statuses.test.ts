import { expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';

const text = { type: 'string' };
const toObject = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

/** An API whose one operation answers with these statuses. */
function toDocument(answers: Readonly<Record<string, object>>): object {
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: 'It', content: { 'application/json': { schema } } },
  ]);
  const get = { operationId: 'get', responses: Object.fromEntries(responses) as object };
  return { openapi: '3.1.0', paths: { '/a': { get } } };
}

const narrowed = 'safe success with 2XX was removed';
const widened = 'risky success with 2XX was added';

it.each([
  ['a range became one of its statuses', { '2XX': text }, { 200: text }, [narrowed]],
  ['a status became its range', { 200: text }, { '2XX': text }, [widened]],
  [
    'a range in lower case became two',
    { '2xx': text },
    { 200: text, 201: text },
    ['safe success with 2xx was removed'],
  ],
  ['a range got one of its statuses beside it', { '2XX': text }, { '2XX': text, 200: text }, []],
  ['a range lost one of its statuses beside it', { '2XX': text, 200: text }, { '2XX': text }, []],
  [
    'a status answers less than its range did',
    { '2XX': toObject('a', 'b') },
    { 200: toObject('a') },
    ['breaking `200.b` was removed', narrowed],
  ],
  [
    'a range answers less than one of its statuses did',
    { 200: toObject('a', 'b') },
    { '2XX': toObject('a') },
    ['breaking `2XX.b` was removed', widened],
  ],
  [
    'a range became a status of another one',
    { '2XX': text },
    { 302: text },
    ['breaking is answered with 302, it was 2XX'],
  ],
  [
    'a range of errors became one of them, with less',
    { 200: text, '4XX': toObject('a', 'b') },
    { 200: text, 404: toObject('a') },
    ['breaking `errors.404.b` was removed', 'risky error `4XX` was removed'],
  ],
  [
    'an error became its range, with less',
    { 200: text, 404: toObject('a', 'b') },
    { 200: text, '4XX': toObject('a') },
    ['breaking `errors.4XX.b` was removed', 'risky error `4XX` was added'],
  ],
])('%s', (_name, before, after, told) => {
  const { changed } = compare(toDocument(before), toDocument(after));
  const changes = changed.flatMap((capability) => capability.changes);
  expect(changes.map(({ class: type, message }) => `${type} ${message}`)).toEqual(told);
});
