import { expect, test } from 'vitest';
import { diffManifests } from '../../../../source/contract/diff-manifests.ts';
import type { Manifest } from '../../../../source/manifest/manifest.ts';
import { toDocumentContract } from '../../../../source/sides/document/document-contract.ts';

function toContract(parameters: readonly object[], ...types: readonly string[]): Manifest {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const post = { operationId: 'createItem', parameters, requestBody: { content }, responses: {} };
  return toDocumentContract({ openapi: '3.1.0', paths: { '/items': { post } } }, 'a document');
}

function findRules(before: Manifest, after: Manifest): readonly string[] {
  return diffManifests(before, after).changed.flatMap(({ changes }) => changes.map(({ rule }) => rule));
}

test('two documents tell a form that is no longer taken, and a field that moved to a header', () => {
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  expect(findRules(toContract([], json, form), toContract([], json))).toEqual(['form-body-refused']);
  expect(findRules(toContract([], json), toContract([], json, form))).toEqual(['form-body-taken']);
  const parameter = { name: 'match', required: true, schema: { type: 'string' } };
  const inQuery = toContract([{ ...parameter, in: 'query' }], json);
  expect(findRules(inQuery, toContract([{ ...parameter, in: 'header' }], json))).toEqual([
    'input-field-added-required',
    'input-field-removed',
  ]);
});
