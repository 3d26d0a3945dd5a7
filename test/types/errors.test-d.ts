import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { DeclaredOf } from '../../server-runtime/capability/group-tree.ts';
import type { ErrorNameOf } from '../../server-runtime/errors/define-error.ts';
import {
  capability,
  defaultErrors,
  defineError,
  defineGuard,
  defineMiddleware,
  type ErrorFactory,
} from '../../server-runtime/index.ts';

const EmailTaken = defineError(409, 'EmailTaken', { meta: z.object({ email: z.string() }) });

describe('an error factory', () => {
  it('carries its name and status', () => {
    const NotFound = defineError(404, 'Not found');
    expectTypeOf(NotFound.errorName).toEqualTypeOf<'NotFound'>();
    expectTypeOf(NotFound.status).toEqualTypeOf<404>();
    expectTypeOf(
      defineError(500, 'Internal server error', 'Internal').errorName,
    ).toEqualTypeOf<'Internal'>();
    expectTypeOf(
      defineError(409, 'Taken', { code: 'EmailTaken' }).errorName,
    ).toEqualTypeOf<'EmailTaken'>();
    expectTypeOf(NotFound).toExtend<ErrorFactory>();
    expectTypeOf(EmailTaken).toExtend<ErrorFactory>();
    const list: readonly ErrorFactory[] = [defineError(404, 'Gone'), NotFound, EmailTaken];
    void list;
  });

  it('asks for the meta that it declares, and takes any other meta or none', () => {
    void EmailTaken({ email: 'ada@example.org' });
    void EmailTaken('Taken', { email: 'ada@example.org' }, { cause: new Error('unique') });
    // @ts-expect-error: the meta is missing
    void EmailTaken();
    // @ts-expect-error: it is called `email`
    void EmailTaken({ emial: 'ada@example.org' });
    // @ts-expect-error: the meta is missing after the message
    void EmailTaken('Taken');
    void defineError(404, 'NotFound')();
    void defineError(404, 'NotFound')({ id: 7 });
    void defineError(404, 'NotFound')('No user 7', { id: 7 });
  });

  it('recognises its own errors, with name, status and meta', () => {
    const caught: unknown = undefined;
    if (EmailTaken.is(caught)) {
      expectTypeOf(caught.name).toEqualTypeOf<'EmailTaken'>();
      expectTypeOf(caught.status).toEqualTypeOf<409>();
      expectTypeOf(caught.meta).toEqualTypeOf<{ email: string }>();
    }
  });

  it('refuses a status or name that is no literal of its kind', () => {
    // @ts-expect-error: the status is a number
    defineError('409', 'EmailTaken');
    expectTypeOf(defineError(404 as number, 'x' as string)).toExtend<
      ErrorFactory<string, number>
    >();
  });

  it('names what it cannot spell `string`', () => {
    expectTypeOf<ErrorNameOf<'e-mail taken'>>().toEqualTypeOf<'EMailTaken'>();
    expectTypeOf<ErrorNameOf<'notFound'>>().toEqualTypeOf<'notFound'>();
    expectTypeOf<ErrorNameOf<'2nd try'>>().toEqualTypeOf<'2ndTry'>();
    expectTypeOf<ErrorNameOf<"That's not yours (yet)!">>().toEqualTypeOf<'ThatSNotYoursYet'>();
    expectTypeOf<ErrorNameOf<'café closed'>>().toEqualTypeOf<string>();
  });
});

describe('the errors of the framework', () => {
  it('carry facts whose types are not known, which are no `any`', () => {
    const error = defaultErrors.NotFound('No user 7', { id: 7 });
    expectTypeOf(error.meta).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
    // @ts-expect-error: nothing is known of a field
    void error.meta?.['anything'].goes;
    expectTypeOf(defaultErrors.Internal().meta).toEqualTypeOf<typeof error.meta>();
  });
});

describe('the errors that are declared', () => {
  const Locked = defineError(409, 'Locked', { meta: z.object({ until: z.string() }) });

  it('are known one by one, whatever their metas', () => {
    const save = capability(() => 1)
      .errors(EmailTaken, Locked)
      .errors(defineError(404, 'Gone'));
    expectTypeOf<DeclaredOf<typeof save>['errorName']>().toEqualTypeOf<
      'EmailTaken' | 'Locked' | 'Gone'
    >();
    const guarded = capability(() => 1).guard(
      defineGuard(() => {}, { errors: [EmailTaken, Locked] }),
    );
    expectTypeOf<DeclaredOf<typeof guarded>['errorName']>().toEqualTypeOf<
      'EmailTaken' | 'Locked'
    >();
    const locking = defineMiddleware(({ next }) => next(), { errors: [EmailTaken, Locked] });
    const enhanced = capability.use(locking).errors()(() => 1);
    expectTypeOf<DeclaredOf<typeof enhanced>['errorName']>().toEqualTypeOf<
      'EmailTaken' | 'Locked'
    >();
  });
});
