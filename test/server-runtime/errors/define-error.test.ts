import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  defaultErrors,
  defineError,
  isFrameworkError,
} from '../../../server-runtime/errors/define-error.ts';
import { failure, toError, toFailure } from '../../../server-runtime/errors/failure.ts';

describe('defineError', () => {
  it.each([
    ['NotFound', 'NotFound', 'Not found'],
    ['Not found', 'NotFound', 'Not found'],
    ['EmailAlreadyTaken', 'EmailAlreadyTaken', 'Email already taken'],
    ['e-mail already taken', 'EMailAlreadyTaken', 'e-mail already taken'],
    ['APIKeyMissing', 'APIKeyMissing', 'API key missing'],
    ['Nicht verfügbar', 'NichtVerfügbar', 'Nicht verfügbar'],
  ])('gives %j the name %j and the message %j', (given, name, message) => {
    const error = defineError(404, given)();
    expect([error.name, error.message]).toEqual([name, message]);
  });

  it('makes a real error with the stack of the place that made it, a cause and what the caller may see', () => {
    const cause = new Error('database is away');
    const error = defineError(409, 'Conflict', 'VersionConflict')({ version: 3 }, { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      status: 409,
      name: 'VersionConflict',
      message: 'Conflict',
      meta: { version: 3 },
      cause,
    });
    expect(error.stack?.split('\n')[1]).toContain('define-error.test.ts');
  });

  it('takes a message of its own', () => {
    expect(defaultErrors.NotFound('No user 7', { id: 7 })).toMatchObject({
      message: 'No user 7',
      meta: { id: 7 },
    });
  });

  it.each([200, 399, 600, 404.5, Number.NaN])('refuses the status %s', (status) => {
    expect(() => defineError(status, 'NotFound')).toThrow(/400 to 599/);
  });

  it('refuses a name without a letter', () => {
    expect(() => defineError(400, '!!')).toThrow(/NotFound/);
  });

  it('is known by its mark and not by its class, so that two copies of the package understand each other', () => {
    expect(isFrameworkError(defaultErrors.Conflict())).toBe(true);
    expect(isFrameworkError({ [Symbol.for('capix.error')]: true })).toBe(true);
    for (const other of [new Error('x'), null, 'x', undefined, {}])
      expect(isFrameworkError(other)).toBe(false);
  });
});

describe('a factory', () => {
  const EmailTaken = defineError(409, 'EmailTaken', { meta: z.object({ email: z.string() }) });

  it('knows its own errors, of this copy of the package or another, by name and status', () => {
    expect(EmailTaken.is(EmailTaken({ email: 'ada@example.org' }))).toBe(true);
    expect(EmailTaken.is(defineError(409, 'EmailTaken')())).toBe(true);
    for (const other of [
      defineError(410, 'EmailTaken')(),
      defaultErrors.Conflict(),
      new Error('EmailTaken'),
      null,
      'x',
    ])
      expect(EmailTaken.is(other)).toBe(false);
  });

  it('has the schema of its meta, and a code in its options as in the third place', () => {
    expect(EmailTaken.metaSchema).toBeInstanceOf(z.ZodObject);
    expect(defaultErrors.NotFound.metaSchema).toBeUndefined();
    expect(defineError(409, 'Taken', { code: 'EmailTaken' })().name).toBe('EmailTaken');
    expect(defineError(409, 'Taken', 'EmailTaken')().name).toBe('EmailTaken');
  });
});

describe('toFailure', () => {
  it('keeps what a framework error says', () => {
    expect(toFailure(defaultErrors.Forbidden({ role: 'admin' }))).toMatchObject({
      status: 403,
      name: 'Forbidden',
      message: 'Forbidden',
      meta: { role: 'admin' },
    });
  });

  it.each([
    [new Error('secret')],
    ['secret'],
    [null],
    [undefined],
    [{ status: 404, message: 'secret' }],
    [Symbol('secret')],
  ])('tells the caller nothing of %s', (thrown) => {
    const { cause, ...told } = toFailure(thrown);
    expect(told).toEqual({
      status: 500,
      name: 'Internal',
      message: 'Internal server error',
      meta: undefined,
      unexpected: true,
    });
    expect(cause).toBe(thrown);
  });

  it('turns back into the error to throw in the same process', () => {
    const thrown = defaultErrors.Conflict();
    expect(toError(toFailure(thrown))).toBe(thrown);
    expect(
      toError(failure(defaultErrors.BadRequest, 'Input validation failed', { issues: [] })),
    ).toMatchObject({
      name: 'BadRequest',
      status: 400,
      message: 'Input validation failed',
    });
  });
});
