import { expect, it } from 'vitest';
import { readOperations } from '../../../../source/document/operations/read-operations.ts';
import type { SchemaJson } from '../../../../source/document/schema-json.ts';
import {
  type DocumentSource,
  followReferences,
} from '../../../../source/sides/references/follow-references.ts';

/** Files by their names, beside the document. */
function createSource(files: Readonly<Record<string, SchemaJson>>): DocumentSource {
  return {
    url: new URL('file:///api/openapi.json'),
    read: async (url) => {
      const document = files[url.pathname.replace('/api/', '')];
      return document === undefined
        ? { kind: 'invalid', place: '', reason: 'there is no such file' }
        : { kind: 'document', document };
    },
  };
}

const follow = (document: SchemaJson, files: Readonly<Record<string, SchemaJson>> = {}) =>
  followReferences(structuredClone(document), createSource(structuredClone(files)));

it('resolves by an identifier what is inside of what it names, and nothing beside it', async () => {
  const schema = {
    items: { $id: 'https://example.org/a/', $ref: 'inside.json' },
    properties: { beside: { $ref: 'beside.json' } },
  };
  const { unread, document } = await follow(
    { components: { schemas: { A: schema } } },
    { 'beside.json': { type: 'string' } },
  );
  expect(unread.map(({ keyword }) => keyword)).toEqual(['$ref: inside.json']);
  expect(document).toMatchObject({
    components: {
      schemas: { A: { properties: { beside: { $ref: '#/x-files/beside' } } } },
    },
    'x-files': { beside: { type: 'string' } },
  });
});

it('takes no name for a keyword, and no value of the application for a reference', async () => {
  const document = {
    components: {
      schemas: {
        A: { properties: { $ref: { type: 'string' } }, example: { $ref: 'a.json' } },
        B: { enum: [{ $ref: 'b.json' }], 'x-own': { $ref: 'c.json' } },
      },
    },
  };
  expect(await follow(document)).toEqual({ document, unread: [] });
});

it('gives files of one name different ones, and keeps what the document has there', async () => {
  const { document } = await follow(
    { 'x-files': 1, a: { $ref: 'one/pet.json' }, b: { $ref: 'two/pet.json' } },
    { 'one/pet.json': { type: 'string' }, 'two/pet.json': { type: 'integer' } },
  );
  expect(document).toEqual({
    'x-files': 1,
    a: { $ref: '#/x-other-files/pet' },
    b: { $ref: '#/x-other-files/pet-2' },
    'x-other-files': { pet: { type: 'string' }, 'pet-2': { type: 'integer' } },
  });
});

it('follows the mapping of a discriminator, and leaves names of components', async () => {
  const discriminator = { propertyName: 'kind', mapping: { cat: './cat.json', dog: 'Dog' } };
  const { document } = await follow({ a: { discriminator } }, { 'cat.json': { type: 'object' } });
  expect(document['a']).toEqual({
    discriminator: { propertyName: 'kind', mapping: { cat: '#/x-files/cat', dog: 'Dog' } },
  });
});

it('leads to operations of other files', async () => {
  const { document } = await follow(
    { openapi: '3.1.0', paths: { '/a': { $ref: 'a.json#/item' } } },
    { 'a.json': { item: { get: { operationId: 'getA', responses: {} } } } },
  );
  expect(readOperations(document).map(({ key }) => key)).toEqual(['getA']);
});
