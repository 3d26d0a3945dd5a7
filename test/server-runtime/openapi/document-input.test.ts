import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, generateOpenAPI, uploadedFile } from '../../../server-runtime/index.ts';
import { bodyOf, operationOf } from '../../helpers/openapi-parts.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';

const document = generateOpenAPI(shop, { overrides: shopOverrides });

describe('the input in generateOpenAPI', () => {
  it('puts path parameters first and the other fields of GET and DELETE in the query', () => {
    expect(document.paths['/users/{id}']?.['delete']?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'force', in: 'query', schema: { type: 'boolean', default: false } },
    ]);
    expect(document.paths['/users/{id}']?.['delete']?.requestBody).toBeUndefined();
  });

  it('takes descriptions, examples, defaults and limits from the schema', () => {
    expect(document.paths['/users']?.['get']?.parameters?.[0]).toEqual({
      name: 'page',
      in: 'query',
      description: 'Counts from 1',
      schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
    });
    expect(document.paths['/users/{id}']?.['get']?.parameters?.[0]?.schema?.['examples']).toEqual([
      'u1',
    ]);
  });

  it('puts the fields of POST, PATCH and PUT in a JSON body, without those of the path', () => {
    const patch = document.paths['/users/{id}']?.['patch'];
    expect(patch?.parameters).toHaveLength(1);
    expect(patch?.requestBody?.required).toBe(false);
    expect(Object.keys((bodyOf(patch) as { properties: object }).properties)).toEqual([
      'email',
      'age',
      'tags',
      'home',
      'work',
    ]);
  });

  it.each<[string, z.ZodType]>([
    ['an object', z.object({ id: z.string(), name: z.string() })],
    [
      'an intersection',
      z.intersection(z.object({ id: z.string() }), z.object({ name: z.string() })),
    ],
    ['a transform', z.object({ id: z.string(), name: z.string() }).transform((value) => value)],
    ['a named schema', z.object({ id: z.string(), name: z.string() }).meta({ id: 'Renaming' })],
  ])('leaves the path parameter out of the body of %s', (_name, schema) => {
    const operation = operationOf(
      'updateThing',
      capability(schema, () => 1),
    );
    expect(operation.parameters?.map(({ name }) => name)).toEqual(['id']);
    expect(JSON.stringify(bodyOf(operation))).toContain('"name"');
    expect(JSON.stringify(bodyOf(operation))).not.toContain('"id"');
  });

  it('has no body where every field is in the path', () => {
    const operation = operationOf(
      'replaceThing',
      capability(z.object({ id: z.string() }), () => 1),
    );
    expect(operation.requestBody).toBeUndefined();
    expect(Object.keys(operation.responses)).toEqual(['200', '400', '413', '415', '500', '504']);
  });

  it.each<[string, z.ZodType | undefined, unknown]>([
    ['no schema', undefined, { type: 'object', additionalProperties: true }],
    [
      'a record',
      z.record(z.string(), z.number()),
      { type: 'object', additionalProperties: { type: 'number' } },
    ],
  ])('takes any field with %s', (_name, schema, expected) => {
    const cap = schema === undefined ? capability(() => 1) : capability(schema, () => 1);
    expect(bodyOf(operationOf('run', cap))).toEqual(expected);
  });

  it('lists a record in the query as open parameters', () => {
    const operation = operationOf(
      'searchThings',
      capability(z.record(z.string(), z.string()), () => 1),
    );
    expect(operation.parameters).toEqual([
      {
        name: 'fields',
        in: 'query',
        style: 'form',
        explode: true,
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      },
    ]);
  });

  it('gives open parameters a name that no field has', () => {
    const operation = operationOf(
      'searchThings',
      capability(z.looseObject({ fields: z.string() }), () => 1),
    );
    expect(operation.parameters?.map(({ name }) => name)).toEqual(['fields', 'otherFields']);
  });

  it('joins the fields of alternatives in the query, required where every alternative requires them', () => {
    const parameters = document.paths['/catalog']?.['get']?.parameters;
    expect(parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['by', true],
      ['id', undefined],
      ['kind', undefined],
    ]);
  });

  it('describes files as binary parts of a form, with the types they may have', () => {
    expect(document.paths['/users/{id}/avatar']?.['post']?.requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              avatar: { type: 'string', format: 'binary', maxLength: 1000 },
              more: { type: 'array', items: { type: 'string', format: 'binary' } },
              caption: { type: 'string' },
              width: { type: 'number' },
            },
            required: ['avatar'],
          },
          encoding: { avatar: { contentType: 'image/*' } },
        },
      },
    });
  });

  it('takes JSON too where every file may be left out', () => {
    const content = document.paths['/users/send-note']?.['post']?.requestBody?.content;
    expect(Object.keys(content ?? {})).toEqual(['multipart/form-data', 'application/json']);
    expect(content?.['application/json']?.schema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    });
  });

  it.each<[string, z.ZodType, boolean]>([
    ['uploadedFile()', uploadedFile(), true],
    ['an optional uploadedFile()', uploadedFile().optional(), true],
    ['a streamed one', uploadedFile({ stream: true }), true],
    ['z.custom without a check', z.custom(), true],
    [
      'z.custom that looks at the size',
      z.custom((file) => (file as { size: number }).size > 1e9),
      true,
    ],
    ['z.custom of a text', z.custom((value) => typeof value === 'string'), false],
    ['z.instanceof', z.instanceof(URL), false],
    ['a string', z.string(), false],
  ])('knows whether %s is a file', (_name, file, isFile) => {
    const content = operationOf(
      'send',
      capability(z.object({ file }), () => 1),
    ).requestBody?.content;
    expect('multipart/form-data' in (content ?? {})).toBe(isFile);
  });
});
