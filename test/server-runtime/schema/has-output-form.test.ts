import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hasOutputForm } from '../../../server-runtime/schema/sent/has-output-form.ts';
import { toWireSchema } from '../../../server-runtime/schema/to-wire-schema.ts';

describe('the form of what is given', () => {
  it.each([
    [z.object({ a: z.string().optional() }), false],
    [z.object({ a: z.date(), b: z.coerce.number(), c: z.string().trim() }), false],
    [z.object({ a: z.preprocess((value) => value, z.string()) }), false],
    [z.enum(['a', 'b']).default('a'), false],
    [z.string().pipe(z.string()), false],
    [z.array(z.object({ a: z.string().default('x') })), true],
    [z.string().transform(Number), true],
    [z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: String }), true],
  ] as const)('differs only where its JSON Schema does', (schema, differs) => {
    expect(hasOutputForm(schema)).toBe(differs);
    const texts = (['input', 'output'] as const).map((io) => JSON.stringify(toWireSchema(schema, { io })));
    if (!differs) expect(texts[0]).toBe(texts[1]);
  });
});
