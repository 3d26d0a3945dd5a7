// Boundary: whoever reads answers, logs and screens. Promise: a secret is not told, be it by its name, by its schema or
// by the cookie or header that it came in.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  silentLogger,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import { countInputs } from '../helpers/count-inputs.ts';

const VALUE = 'hunter2-and-more';
const text = z.string().max(4);

/** The answer to an input that does not fit. */
async function ask(made: ReturnType<typeof capability>, init: RequestInit) {
  const server = createServer({ capabilities: { a: { createOne: made } }, logger: silentLogger });
  const response = await toFetchHandler(server)(new Request('http://a.test/a', init));
  expect(response.status).toBe(400);
  return response.text();
}
const send = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('the value of a wrong field', () => {
  it.each([
    'password',
    'passwordHash',
    'pwd',
    'pass',
    'otp',
    'pin',
    'jwt',
    'sessionId',
    'session_id',
    'sid',
    'accessKey',
    'accessKeyId',
    'signature',
    'auth',
    'authToken',
    'cvv',
    'ssn',
    'mnemonic',
    'encryptionKey',
    'signingKey',
    'apiKey',
    'api-key',
    'privateKey',
    'clientSecret',
    'seedPhrase',
    'authorization',
    'credentials',
    'refresh_token',
    'totp',
    'PIN',
  ])('of %s is not told', async (name) => {
    const schema = z.object({ [name]: text, nested: z.object({ [name]: text }) });
    const body = { [name]: VALUE, nested: { [name]: VALUE } };
    expect(await ask(capability(schema, () => 1) as never, send(body))).not.toContain(VALUE);
  });

  it.each([
    'name',
    'passage',
    'compass',
    'spinner',
    'author',
    'sidebar',
    'inside',
    'pinned',
    'key',
  ])('of %s is told', async (name) => {
    const made = capability(z.object({ [name]: text }), () => 1);
    expect(await ask(made as never, send({ [name]: VALUE }))).toContain(VALUE);
  });

  it.each([
    ['says so by its format', text.meta({ format: 'password' })],
    ['says so by meta', text.meta({ secret: true })],
    ['says so inside a choice', text.meta({ secret: true }).optional().nullable()],
    ['is in a list that says so', z.array(text).meta({ secret: true })],
    ['is in a list of those', z.array(text.meta({ secret: true }))],
    ['is in an object that says so', z.object({ plain: text }).meta({ secret: true })],
  ])('whose schema %s is not told', async (_what, schema) => {
    const values = [VALUE, [VALUE], { plain: VALUE }];
    for (const plain of values) {
      const made = capability(z.object({ plain: schema }), () => 1);
      expect(await ask(made as never, send({ plain }))).not.toContain(VALUE);
    }
  });

  it('that a cookie, or a header for a secret, carries is not told', async () => {
    const schema = z.object({
      theme: text.optional(),
      key: text.optional(),
      trace: text.optional(),
    });
    const made = capability(schema, () => 1).takes({
      cookies: { theme: 'theme' },
      headers: { key: 'x-api-key', trace: 'x-trace' },
    });
    const told = await ask(made as never, {
      method: 'POST',
      headers: { cookie: `theme=${VALUE}-a`, 'x-api-key': `${VALUE}-b`, 'x-trace': `${VALUE}-c` },
    });
    expect(['-a', '-b', '-c'].map((end) => told.includes(`${VALUE}${end}`))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

it('finds a secret name in whatever way it is written', () => {
  const word = fc.constantFrom('user', 'old', 'new', 'x', 'db');
  const secret = fc.constantFrom('password', 'pwd', 'otp', 'token', 'api_key', 'session_id', 'jwt');
  fc.assert(
    fc.property(word, secret, word, (before, name, after) => {
      const snake = `${before}_${name}_${after}`;
      const camel = snake.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
      for (const written of [snake, camel, snake.replaceAll('_', '-'), snake.toUpperCase()])
        expect([written, looksSecret(written)]).toEqual([written, true]);
    }),
    { numRuns: countInputs(300) },
  );
});
