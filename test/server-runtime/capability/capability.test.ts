import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CAPABILITY } from '../../../server-runtime/capability/capability.ts';
import {
  capability,
  defaultErrors,
  defineError,
  defineGuard,
  defineInputGuard,
  defineMiddleware,
  isCapability,
  withTimeout,
} from '../../../server-runtime/index.ts';

const ctx = { requestId: 'r' };
const schema = z.object({ id: z.string() });

describe('capability', () => {
  it('is declared with a handler, with an intent, with a schema, and with both', async () => {
    const forms = [
      capability(() => 'done'),
      capability(() => 'done', 'query'),
      capability(schema, () => 'done'),
      capability(schema, async () => 'done', 'update'),
    ];
    expect(await Promise.all(forms.map((form) => form.resolve({ id: '1' } as never, ctx)))).toEqual(
      ['done', 'done', 'done', 'done'],
    );
    expect(forms.map((form) => form[CAPABILITY].intent)).toEqual([
      undefined,
      'query',
      undefined,
      'update',
    ]);
    expect(forms.every(isCapability)).toBe(true);
  });

  it.each([
    [
      'no handler',
      () => (capability as (...args: unknown[]) => unknown)(),
      /expected a handler function/,
    ],
    [
      'a schema and no handler',
      () => (capability as (...args: unknown[]) => unknown)(schema),
      /after the schema, got undefined/,
    ],
    [
      'an unknown intent',
      () => (capability as (...args: unknown[]) => unknown)(() => 1, 'read'),
      /query, mutation, update, replace, delete, got 'read'/,
    ],
    [
      'a guard that is none',
      () => capability(() => 1).guard((() => {}) as never),
      /defineGuard\(…\), got function/,
    ],
    [
      'an enhancer that is none',
      () => capability(() => 1).enhance({} as never),
      /withTimeout\(…\), got object/,
    ],
    [
      'an output that is no schema',
      () =>
        capability((): never => {
          throw new Error('unused');
        }).output(null as never),
      /a schema or a content such as noContent, got null/,
    ],
  ])('says what is wrong with %s', (_, declare, message) => {
    expect(declare).toThrow(message);
  });

  it('is immutable: each method gives a new one', () => {
    const bare = capability(schema, ({ id }) => id);
    const before = { ...bare[CAPABILITY] };
    const full = bare
      .guard(defineGuard(() => {}))
      .inputGuard(defineInputGuard(() => {}))
      .enhance(withTimeout(5))
      .output(z.string())
      .describe('Gives the id')
      .deprecated({ since: '2026-01-01', use: 'users.get' })
      .tool(false);
    expect(Object.isFrozen(full)).toBe(true);
    expect(bare[CAPABILITY]).toEqual(before);
    expect(full[CAPABILITY]).toMatchObject({
      description: 'Gives the id',
      deprecation: { since: '2026-01-01', use: 'users.get' },
      tool: false,
    });
  });

  it('declares what its handler may throw, and nothing else', () => {
    const [NotFound, Gone] = [defineError(404, 'NotFound'), defineError(410, 'Gone')];
    const declared = capability(() => 1)
      .errors(NotFound)
      .errors(Gone);
    expect(declared[CAPABILITY].errors).toEqual([NotFound, Gone]);
    expect(() => capability(() => 1).errors(NotFound() as never)).toThrow(
      '.errors: expected errors made with defineError(…), got object.',
    );
  });

  it('runs guards, validation, input guards, enhancers and handler in this order', async () => {
    const steps: string[] = [];
    const note = (step: string) => defineGuard(() => void steps.push(step));
    const around = (name: string) =>
      defineMiddleware(async ({ next }) => {
        steps.push(`${name} in`);
        const value = await next();
        steps.push(`${name} out`);
        return value;
      });
    const cap = capability
      .guard(note('first'))(
        z.object({ id: z.string().transform((id) => (steps.push('validation'), id)) }),
        () => void steps.push('handler'),
      )
      .guard(defineGuard(async () => void steps.push('second')))
      .inputGuard(defineInputGuard(() => void steps.push('input guard')))
      .enhance(around('outer'))
      .enhance(around('inner'));
    await cap.resolve({ id: '1' }, ctx);
    expect(steps).toEqual([
      'first',
      'second',
      'validation',
      'input guard',
      'outer in',
      'inner in',
      'handler',
      'inner out',
      'outer out',
    ]);
  });

  it('does not look at the input of a caller whom a guard refuses', async () => {
    const refuse = defineGuard(() => {
      throw defaultErrors.Unauthorized();
    });
    await expect(
      capability(schema, () => 1)
        .guard(refuse)
        .resolve({} as never, ctx),
    ).rejects.toMatchObject({ name: 'Unauthorized' });
  });

  it('rejects an invalid input with the fields that are wrong', async () => {
    await expect(
      capability(schema, () => 1).resolve({ id: 7 } as never, ctx),
    ).rejects.toMatchObject({
      name: 'BadRequest',
      status: 400,
      meta: { fields: [{ path: 'id' }] },
    });
  });

  it('rejects with what the handler throws, synchronous or not', async () => {
    const thrown = new Error('broken');
    const broken = (): never => {
      throw thrown;
    };
    await expect(capability(broken).resolve({}, ctx)).rejects.toBe(thrown);
    await expect(capability(async () => broken()).resolve({}, ctx)).rejects.toBe(thrown);
  });
});
