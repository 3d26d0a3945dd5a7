import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { findFieldNames } from '../../../server-runtime/schema/describe.ts';

const shape = { id: z.string(), name: z.string() };

describe('findFieldNames', () => {
  it.each([
    ['an object', z.object(shape)],
    ['a strict object', z.strictObject(shape)],
    ['an optional', z.object(shape).optional()],
    ['a default', z.object(shape).default({ id: '1', name: 'a' })],
    ['a prefault', z.object(shape).prefault({ id: '1', name: 'a' })],
    ['a nullable', z.object(shape).nullable()],
    ['a readonly', z.object(shape).readonly()],
    ['a catch', z.object(shape).catch({ id: '1', name: 'a' })],
    ['a refinement', z.object(shape).refine(() => true)],
    ['a transform', z.object(shape).transform(({ id }) => id)],
    ['a pipe', z.object(shape).pipe(z.object({ other: z.string() }).or(z.any()))],
    ['a preprocess', z.preprocess((value) => value, z.object(shape))],
    [
      'an intersection',
      z.object({ id: z.string() }).and(z.object({ name: z.string() }).optional()),
    ],
    ['a lazy', z.lazy(() => z.object(shape))],
    ['a schema of zod/mini', mini.object({ id: mini.string(), name: mini.string() })],
  ])('looks through %s', (_, schema) => {
    expect(findFieldNames(schema)).toEqual({ names: new Set(['id', 'name']), isOneObject: true });
  });

  it.each([
    ['nothing', undefined],
    ['a record', z.record(z.string(), z.string())],
    ['a union', z.union([z.object(shape), z.object({})])],
    ['a string', z.string()],
    [
      'a lazy schema of itself',
      (() => {
        const self: z.ZodType = z.lazy(() => self);
        return self;
      })(),
    ],
  ])('finds no fields in %s', (_, schema) => {
    expect(findFieldNames(schema).isOneObject).toBe(false);
  });
});
