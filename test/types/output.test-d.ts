import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  bytes,
  capability,
  createServer,
  noContent,
  type Reply,
  redirect,
  reply,
  sse,
  stream,
  text,
} from '../../server-runtime/index.ts';

const Input = z.object({ id: z.string() });
const User = z.object({ id: z.string(), role: z.enum(['admin', 'member']) });
const Named = z.object({ id: z.string() });
declare const find: (id: string) => Promise<{ id: string } | undefined>;

describe('an input that is declared first', () => {
  it('leaves the handler to the end, where input, context and answer are known', () => {
    const made = capability
      .withContext<{ readonly db: string }>()
      .input(Input)
      .describe('Get a user')
      .output(User)(async (input, ctx) => {
      expectTypeOf(input).toEqualTypeOf<{ id: string }>();
      return { id: input.id + ctx.db, role: 'admin' };
    });
    expectTypeOf(made.resolve).parameter(0).toEqualTypeOf<{ id: string }>();
    expectTypeOf(made.resolve).parameter(1).toHaveProperty('db');
    expectTypeOf(made.resolve).returns.resolves.toEqualTypeOf<{
      id: string;
      role: 'admin' | 'member';
    }>();
    const bare = capability.input(Input)(({ id }) => ({ id, count: 1 }));
    expectTypeOf(bare.resolve).returns.resolves.toEqualTypeOf<{ id: string; count: number }>();
    capability.input(Input).output(User).output(Input, { status: 202 })(({ id }) =>
      reply({ id }, { status: 202 }),
    );
    capability.input(Input).output(User, { status: 201 })(({ id }) =>
      reply({ id, role: 'member' }, { status: 201 }),
    );
    capability.input(Input).output(stream(Input))(async function* ({ id }) {
      yield { id };
    });
    capability.input(Input).route('GET', '/users/:id').output(noContent)(() => {});
    // @ts-expect-error: the input has no `slug`
    capability.input(Input).route('GET', '/users/:slug');
    // @ts-expect-error: the user may be missing
    capability.input(Input).output(Named)(({ id }) => find(id));
    // @ts-expect-error: a reply inside the answer
    capability.input(Input)(() => ({ items: [reply(1)] }));
  });
});

describe('the output of a capability', () => {
  it('is refused where one member of what the handler may give does not fit', () => {
    // @ts-expect-error: the handler may give undefined
    capability(Input, ({ id }) => find(id)).output(Named);
    // @ts-expect-error: the handler may give an error in place of the user
    capability((): { id: string } | { error: string } => ({ error: 'x' })).output(Named);
    // @ts-expect-error: the handler may give false
    capability((): boolean => false).output(z.literal(true));
    // @ts-expect-error: the handler may give a number
    capability((): string | number => 1).output(z.string());
  });

  it('is taken where every member fits, with more fields than are declared', () => {
    capability((): { id: string; more: number } | { id: 'x' } => ({ id: 'x' })).output(Named);
    capability(Input, ({ id }) => find(id)).output(Named.optional());
    capability(() => ({ at: '2026-01-01' })).output(
      z.object({ at: z.string().transform((text) => new Date(text)) }),
    );
    capability(() => ({ id: '1' })).output(mini.object({ id: mini.string() }));
  });

  it('tells the handler what to give where it stands before it', () => {
    const direct = capability.input(Input).output(User)(({ id }) => ({ id, role: 'admin' }));
    const later = capability.input(Input).output(User)(async ({ id }) => ({ id, role: 'admin' }));
    const replied = capability.input(Input).output(User, { status: 201 })(async ({ id }) =>
      reply({ id, role: 'admin' }, { status: 201 }),
    );
    const bare = capability.output(User)(
      (input) => ({ id: String(input['id']), role: 'member' }),
      'query',
    );
    expectTypeOf(direct.resolve).returns.resolves.toEqualTypeOf<z.input<typeof User>>();
    expectTypeOf(later.resolve).returns.resolves.toEqualTypeOf<z.input<typeof User>>();
    expectTypeOf(replied.resolve).returns.resolves.toEqualTypeOf<z.input<typeof User>>();
    expectTypeOf(bare.resolve).returns.resolves.toEqualTypeOf<z.input<typeof User>>();
  });

  it('refuses a handler behind it that gives something else', () => {
    // @ts-expect-error: the id is not a number
    capability.input(Input).output(User)(() => ({ id: 1, role: 'admin' }));
    // @ts-expect-error: there is no such role
    capability.input(Input).output(User)(async ({ id }) => ({ id, role: 'owner' }));
    // @ts-expect-error: the handler may give undefined
    capability.input(Input).output(Named)(({ id }) => find(id));
    // @ts-expect-error: the reply's data does not fit
    capability.input(Input).output(User)(({ id }) => reply({ id }, { status: 201 }));
  });
});

describe('a reply', () => {
  it('is a reply where it is made and its data for callers', () => {
    expectTypeOf(reply({ id: '1' })).toEqualTypeOf<Reply<{ id: string }, undefined>>();
    expectTypeOf(reply(reply({ id: '1' }), { status: 202 })).toEqualTypeOf<
      Reply<{ id: string }, 202>
    >();
    expectTypeOf(reply({ data: 5 }).data).toEqualTypeOf<{ data: number }>();
    const cap = capability(Input, async ({ id }) =>
      id === '' ? { id } : reply({ id }, { status: 201 }),
    );
    expectTypeOf(cap.resolve).returns.resolves.toEqualTypeOf<{ id: string }>();
    cap.output(Named).output(Named, { status: 201 });
    cap.output(Named);
    // @ts-expect-error: the data has no role
    cap.output(Named).output(User, { status: 201 });
    // @ts-expect-error: `id` stands in `data`
    void reply({ id: '1' }).id;
  });

  it('is the whole answer: it cannot stand inside one', () => {
    // @ts-expect-error: in a field
    capability(() => ({ item: reply({ id: '1' }, { status: 201 }) }));
    // @ts-expect-error: in a list
    capability(Input, async () => [reply({ id: '1' })]);
    // @ts-expect-error: in a list in a field
    capability(() => ({ items: [reply({ id: '1' })] }));
    // @ts-expect-error: in another reply's data
    capability(() => reply({ item: reply({ id: '1' }) }));
    // @ts-expect-error: what is added to it would be lost
    capability(() => ({ ...reply({ id: '1' }), extra: 1 }));
  });
});

describe('what a handler may give', () => {
  it('is not limited: promises, streams, bytes, responses, nothing, anything', () => {
    const never = capability(() => new Promise<never>(() => {}));
    expectTypeOf(never.resolve).returns.resolves.toBeNever();
    const text = capability(async () => new Promise((resolve) => resolve('x')));
    expectTypeOf(text.resolve).returns.resolves.toBeUnknown();
    const any = capability(() => JSON.parse('1'));
    expectTypeOf(any.resolve).returns.resolves.toBeAny();
    const signal = capability((_input, ctx) => ctx.signal);
    expectTypeOf(signal.resolve).returns.resolves.toEqualTypeOf<AbortSignal>();
    const bytes = capability(() => Buffer.from('x'));
    expectTypeOf(bytes.resolve).returns.resolves.toEqualTypeOf<Buffer<ArrayBuffer>>();
    const response = capability(() => new Response('x'));
    expectTypeOf(response.resolve).returns.resolves.toEqualTypeOf<Response>();
    const events = capability(async function* () {
      yield sse({ id: '1' });
    });
    expectTypeOf(events.resolve).returns.resolves.toExtend<
      AsyncIterable<{ data: { id: string } }>
    >();
  });
});

describe('declared answers', () => {
  it('take a plain value for the first, and replies of each status', () => {
    capability(() => undefined).output(noContent);
    capability(() => 'a,b').output(text('text/csv'));
    capability(() => Buffer.from('x')).output(bytes('image/png'));
    capability(() => 'https://a.example').output(redirect);
    capability(() => ({ id: '1' })).output(Named, { status: 201 });
    capability(() => reply({ id: '1' }, { status: 201 })).output(Named, { status: 201 });
    capability(() => (Math.random() > 0.5 ? { id: '1' } : reply(null, { status: 204 })))
      .output(Named)
      .output(noContent);
    capability(async function* () {
      yield { id: '1' };
      yield sse({ id: '2' }, { id: '2' });
    }).output(stream(Named));
    capability.input(Input).output(Named, { status: 201, headers: { location: z.string() } })(
      ({ id }) => ({ id }),
    );
    capability
      .input(Input)
      .output(Named)
      .output(z.object({ job: z.string() }), { status: 202 })(() =>
      reply({ job: '1' }, { status: 202 }),
    );
    capability.input(Input).output(Named)(({ id }) => reply({ id }, { headers: { etag: 'x' } }));
  });

  it('refuse what is not declared', () => {
    // @ts-expect-error: a value where nothing is declared
    capability(() => ({ id: '1' })).output(noContent);
    // @ts-expect-error: a text where bytes are declared
    capability(() => 'x').output(bytes());
    // @ts-expect-error: the items have no role
    capability(async function* () {
      yield { id: '1' };
    }).output(stream(User));
    const other = capability(() => reply({ id: '1' }, { status: 202 })).output(Named, {
      status: 201,
    });
    // @ts-expect-error: another status
    createServer({ capabilities: { other } });
    createServer({ capabilities: { other: other.output(Named, { status: 202 }) } });
    // @ts-expect-error: the plain value is the answer of the lowest status
    capability(() => ({ id: '1' })).output(User, { status: 201 });
    // @ts-expect-error: 202 has a role
    other.output(User, { status: 202 });
    // @ts-expect-error: one of the same status takes the place of the former
    capability(() => ({ id: '1' }))
      .output(Named)
      .output(User);
    const startWithoutJob = () => reply({ id: '1' }, { status: 202 });
    const withJob = capability
      .input(Input)
      .output(Named)
      .output(z.object({ job: z.string() }), { status: 202 });
    // @ts-expect-error: 202 has a job
    withJob(startWithoutJob);
    const asSaid = (status: number) => reply({ id: '1' }, { status });
    capability(() => asSaid(200)).output(Named);
    // @ts-expect-error: the data has no role, whatever its status
    capability(() => asSaid(200)).output(User);
    // @ts-expect-error: nor where the type leaves the status open
    capability((): Reply<{ id: string }> => reply({ id: '1' })).output(User);
    // @ts-expect-error: 404 is an error, which is thrown
    capability.input(Input).output(Named)(() => reply({ id: '1' }, { status: 404 }));
  });
});
