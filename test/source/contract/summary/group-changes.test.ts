import { expect, test } from 'vitest';
import { compare } from '../../../../source/contract/compare.ts';
import { groupChanges } from '../../../../source/contract/summary/group-changes.ts';

const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const toBody = (schema: object) => ({ content: { 'application/json': { schema } } });
const toAnswer = (schema: object) => ({
  responses: { 200: { description: 'Done', ...toBody(schema) } },
});

/** Users, who are given alone, in a list and in a team; users are made, too. */
function toDocument(user: object): object {
  const list = { type: 'array', items: refersTo('User') };
  const team = { type: 'object', properties: { lead: refersTo('User'), members: list } };
  return {
    openapi: '3.1.0',
    paths: {
      '/users': {
        get: { operationId: 'list', ...toAnswer(list) },
        post: { operationId: 'create', requestBody: toBody(refersTo('User')), ...toAnswer({}) },
      },
      '/users/{id}': { get: { operationId: 'get', ...toAnswer(refersTo('User')) } },
      '/team': { get: { operationId: 'team', ...toAnswer(team) } },
    },
    components: {
      schemas: { User: { type: 'object', properties: { address: { type: 'object', ...user } } } },
    },
  };
}

const city = { properties: { city: { type: 'string' } } };

test('tells a change of a component once, with all that it reaches', () => {
  const groups = groupChanges(compare(toDocument(city), toDocument({ properties: {} })));
  const texts = groups.map(({ change, message, places }) => [
    `${change.class} ${change.rule} ${message}`,
    ...places.map(({ key, at }) => `${key} ${at}`),
  ]);
  expect(texts).toEqual([
    [
      'breaking output-field-removed `User.address.city` was removed',
      'list output.200[].address.city',
      'get output.200.address.city',
      'team output.200.lead.address.city',
    ],
    ['risky input-field-removed `User.address.city` was removed', 'create input.address.city'],
  ]);
});

test('tells changes of capabilities where they are', () => {
  const before = { ...toDocument(city), paths: {} };
  const groups = groupChanges(compare(before, toDocument(city)));
  expect(groups.map(({ message, places }) => [message, places.length])).toEqual([
    ['was added', 1],
    ['was added', 1],
    ['was added', 1],
    ['was added', 1],
  ]);
});

test('tells a change of one variant of a union as one of its component', () => {
  const toUnion = (fields: object) => {
    const document = toDocument(fields) as { components: { schemas: object } };
    const Owner = { anyOf: [{ type: 'string' }, refersTo('User')] };
    const Note = { type: 'object', properties: { by: refersTo('Owner'), for: refersTo('Owner') } };
    const schemas = { ...document.components.schemas, Owner, Note };
    const paths = { '/note': { get: { operationId: 'note', ...toAnswer(refersTo('Note')) } } };
    return { ...document, paths, components: { schemas } };
  };
  const groups = groupChanges(compare(toUnion(city), toUnion({ properties: {} })));
  expect(groups.map(({ message, places }) => [message, ...places.map(({ at }) => at)])).toEqual([
    ['`User.address.city` was removed', 'output.200.by.address.city'],
  ]);
});
