import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { uploadedFile } from '../../../server-runtime/index.ts';
import { createValidator } from '../../../server-runtime/schema/validator.ts';

async function problemsOf(schema: z.ZodType, input: unknown): Promise<unknown> {
  const checked = await createValidator(schema)(input);
  return checked.ok ? 'valid' : checked.failure;
}

describe('toValidator', () => {
  it('gives the parsed value, in the same turn', () => {
    expect(createValidator(z.object({ n: z.number().default(3) }))({})).toEqual({
      ok: true,
      value: { n: 3 },
    });
  });

  it('lets everything through without a schema', () => {
    expect(createValidator(undefined)('x')).toEqual({ ok: true, value: 'x' });
  });

  it('says in one sentence what a union takes, with the words of the application among them', async () => {
    const field = z.union([
      z.bigint(),
      uploadedFile(),
      z.string().refine(() => false, 'ID is taken'),
    ]);
    expect(await problemsOf(z.object({ of: field }), { of: 1 })).toMatchObject({
      meta: {
        fields: [
          { message: 'Invalid input: expected bigint or expected a file or expected string' },
        ],
      },
    });
  });

  it('names each field, its code and what was received', async () => {
    expect(
      await problemsOf(z.object({ email: z.email(), age: z.number(), tags: z.array(z.string()) }), {
        email: 'x',
        age: '7',
        tags: ['a', 1],
      }),
    ).toMatchObject({
      status: 400,
      name: 'BadRequest',
      message: 'Input validation failed',
      meta: {
        issues: [
          'email: Invalid email address',
          'age: Invalid input: expected number, received string',
          'tags.1: Invalid input: expected string, received number',
        ],
        fields: [
          { path: 'email', code: 'invalid_format', received: 'x' },
          { path: 'age', code: 'invalid_type', received: '7' },
          { path: 'tags.1', code: 'invalid_type', received: 1 },
        ],
      },
    });
  });

  it('shows no value for a missing field', async () => {
    expect(await problemsOf(z.object({ name: z.string() }), {})).toMatchObject({
      meta: { fields: [{ path: 'name', message: expect.any(String), code: 'invalid_type' }] },
    });
  });

  it('cuts a received value at 200 characters', async () => {
    const failed = (await problemsOf(z.object({ name: z.string().max(3) }), {
      name: 'x'.repeat(300),
    })) as {
      meta: { fields: [{ received: string }] };
    };
    expect(failed.meta.fields[0].received).toBe(`${'x'.repeat(200)}…`);
  });

  it.each(['password', 'newPassword', 'accessToken', 'client_secret', 'Authorization', 'apiKey'])(
    'shows no value of %s',
    async (name) => {
      const failed = await problemsOf(z.object({ [name]: z.string().min(99) }), {
        [name]: 'hunter2',
      });
      expect(JSON.stringify(failed)).not.toContain('hunter2');
    },
  );

  it('shows nothing of an object or a list, whose parts may be secret, many, or not to be looked at', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const shy = {
      get name(): string {
        throw new Error('not now');
      },
    };
    const values = [
      { password: 'hunter2' },
      [12n, Buffer.from('x')],
      circular,
      shy,
      Array(1_000_000).fill({ b: 1 }),
    ];
    const failed = await Promise.all(
      values.map((a) => problemsOf(z.object({ a: z.string() }), { a })),
    );
    const fields = failed.flatMap(
      (each) => (each as { meta: { fields: readonly object[] } }).meta.fields,
    );
    const toMessage = (kind: string) => `Invalid input: expected string, received ${kind}`;
    expect(fields).toEqual(
      ['object', 'array', 'object', 'object', 'array'].map((kind) => ({
        path: 'a',
        code: 'invalid_type',
        message: toMessage(kind),
      })),
    );
  });

  it('waits for asynchronous refinements', async () => {
    const validate = createValidator(
      z.object({ name: z.string().refine(async (name) => name !== 'taken', 'Taken') }),
    );
    expect(await validate({ name: 'free' })).toEqual({ ok: true, value: { name: 'free' } });
    expect(await validate({ name: 'taken' })).toMatchObject({
      failure: { meta: { issues: ['name: Taken'] } },
    });
  });

  it('lets what a refinement throws pass', () => {
    const broken = z.object({}).refine(() => {
      throw new RangeError('broken refinement');
    });
    expect(() => createValidator(broken)({})).toThrow('broken refinement');
  });
});
