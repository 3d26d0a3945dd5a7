import { describe, expect, it } from 'vitest';
import { compare } from '../../../source/contract/compare.ts';
import { operationChecks } from './known-checks/operation-checks.ts';
import { components, type Effect, schemaChecks } from './known-checks/schema-checks.ts';

const json = 'application/json';
const answer = { description: 'Ok', content: { [json]: { schema: { type: 'string' } } } };

function toDocument(operation: object): object {
  const paths = {
    '/a': { post: { operationId: 'makeA', responses: { 200: answer }, ...operation } },
  };
  return { openapi: '3.1.0', paths, components: { schemas: components } };
}

/** The places of a schema, by the beginning of a check's id. */
const places: Readonly<Record<string, (schema: unknown) => object>> = {
  'request-body': (schema) => ({ requestBody: { content: { [json]: { schema } } } }),
  'request-property': (schema) =>
    places['request-body']!({ type: 'object', properties: { v: schema } }),
  'request-parameter': (schema) => ({ parameters: [{ name: 'v', in: 'query', schema }] }),
  'response-body': (schema) => ({
    responses: { 200: { description: 'Ok', content: { [json]: { schema } } } },
  }),
  'response-property': (schema) =>
    places['response-body']!({ type: 'object', properties: { v: schema } }),
};

describe.each(Object.entries(places))('%s', (place, toOperation) => {
  it.each(schemaChecks)(`${place}-%s`, (_, { before, after, asInput, asOutput }) => {
    const found: Effect =
      compare(toDocument(toOperation(before)), toDocument(toOperation(after))).class ?? 'none';
    expect(found).toBe(place.startsWith('request') ? asInput : asOutput);
  });
});

it.each(operationChecks)('%s', (_, { before, after, effect }) => {
  expect(compare(before, after).class ?? 'none').toBe(effect);
});
