import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import * as mini from 'zod/mini';
import * as zod3 from 'zod-3';
import {
  capability,
  createServer,
  defineError,
  type InputOf,
  type OutputOf,
} from '../../server-runtime/index.ts';

const ById = v.object({
  id: v.pipe(v.string(), v.transform(Number)),
  page: v.optional(v.number(), 1),
});
const Order = type({ id: 'string', 'note?': 'string', at: 'string.date.parse' });

describe('a schema of another library', () => {
  it('gives the handler what it makes of an input', () => {
    capability(ById, (input) => expectTypeOf(input).toEqualTypeOf<{ id: number; page: number }>());
    capability(Order, ({ at }) => expectTypeOf(at).toEqualTypeOf<Date>());
    capability(mini.object({ id: mini.string() }), ({ id }) =>
      expectTypeOf(id).toEqualTypeOf<string>(),
    );
    expectTypeOf<InputOf<typeof ById>>().toEqualTypeOf<{ id: string; page?: number | undefined }>();
    expectTypeOf<OutputOf<typeof Order>['id']>().toEqualTypeOf<string>();
  });

  it('says what callers send, and what a handler gives', () => {
    const server = createServer({
      capabilities: { getOrder: capability(ById, ({ id }) => ({ id: String(id) })) },
    });
    void server.invoke({ capability: 'getOrder', input: { id: '7' } });
    // @ts-expect-error: the id is sent as a text
    void server.invoke({ capability: 'getOrder', input: { id: 7 } });
    capability.output(v.object({ name: v.string() }))(() => ({ name: 'Ada' }));
    // @ts-expect-error: the handler gives a number
    capability(() => 1).output(v.string());
    const Taken = defineError(409, 'Taken', { meta: type({ mail: 'string' }) });
    expectTypeOf(Taken({ mail: 'a' }).meta.mail).toEqualTypeOf<string>();
  });

  it('is not one of zod 3', () => {
    // @ts-expect-error: a schema of zod 3 cannot be described
    capability(zod3.z.object({ id: zod3.z.string() }), () => 1);
    // @ts-expect-error: nor as the meta of an error
    defineError(409, 'Taken', { meta: zod3.z.object({ id: zod3.z.string() }) });
  });
});
