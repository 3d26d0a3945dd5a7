import { expect, test } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineMiddleware } from '../../../server-runtime/capability/enhancer.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { defaultErrors } from '../../../server-runtime/errors/define-error.ts';
import { compileRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { compare } from '../../../source/contract/compare.ts';
import { failsFor } from '../../../source/diff/diff-totals.ts';
import { parseRestOptions } from '../../../source/document/parse-rest-options.ts';
import { describeApi } from '../../../source/manifest/describe-api.ts';

const { Forbidden, Unauthorized } = defaultErrors;
const query = capability(z.object({}), () => [], 'query');
const change = capability(z.object({}), () => [], 'mutation');
const bearer = { type: 'http', scheme: 'bearer' } as const;
const key = { type: 'apiKey', in: 'header', name: 'x-key' } as const;
const flows = { clientCredentials: { tokenUrl: '/token', scopes: { read: '', write: '' } } };
const oauth = { type: 'oauth2', flows } as const;
const guard = (name: string, options: object = {}) =>
  defineGuard(() => {}, { name, errors: [Unauthorized], ...options });
const user = guard('mustBeUser', { security: bearer });
const admin = guard('mustBeAdmin', { security: bearer });
const role = (name: string, errors: readonly (typeof Forbidden)[] = [Forbidden]) =>
  defineMiddleware(({ next }) => next(), { name, errors: [...errors] });
const scoped = (...scopes: readonly string[]) =>
  query.guard(guard('may', { security: oauth, scopes }));

function toDocument(one: unknown): object {
  const registry = compileRegistry({ items: { one } } as never);
  const { document } = describeApi({ registry, restOptions: parseRestOptions({}) });
  return JSON.parse(JSON.stringify(document)) as object;
}

// biome-ignore format: a change a line.
const opening: readonly (readonly [string, before: unknown, after: unknown])[] = [
  ['a query loses its guard', query.guard(user), query],
  ['a change loses its guard', change.guard(user), change],
  ['a guard that says nothing is gone', query.guard(guard('may', { errors: [] })), query],
  ['the second guard is gone', query.guard(user).guard(admin), query.guard(user)],
  ['the second guard is gone, and its error is declared still', query.guard(user).guard(guard('mustOwn', { errors: [Forbidden] })).errors(Forbidden), query.guard(user).errors(Forbidden)],
  ['another guard with the same errors', query.guard(admin), query.guard(user)],
  ['another guard with other errors', query.guard(guard('a', { errors: [Forbidden] })), query.guard(guard('b'))],
  ['guards in another order', query.guard(user).guard(admin), query.guard(admin).guard(user)],
  ['another credential is enough', query.guard(guard('may', { security: bearer })), query.guard(guard('may', { security: [bearer, key] }))],
  ['a scope fewer is enough', scoped('read', 'write'), scoped('read')],
  ['a credential may be left out', query.guard(guard('may', { security: bearer })), query.guard(guard('may', { security: bearer, isOptional: true }))],
  ['middleware of a role is gone', query.guard(user).use(role('mustBeStaff')), query.guard(user)],
  ['middleware of another role', query.use(role('mustBeAdmin')), query.use(role('mustBeStaff'))],
];

test.each(opening)('--fail-on open fails where %s', (_, before, after) => {
  expect(failsFor(compare(toDocument(before), toDocument(after)), ['open'], 0)).toBe(true);
});

// biome-ignore format: a change a line.
const closing: readonly (readonly [string, before: unknown, after: unknown])[] = [
  ['a first guard', query, query.guard(user)],
  ['a guard more', query.guard(user), query.guard(user).guard(admin)],
  ['a scope more', scoped('read'), scoped('read', 'write')],
  ['a choice of credentials fewer', query.guard(guard('may', { security: [bearer, key] })), query.guard(guard('may', { security: bearer }))],
  ['a field more', query.guard(user), capability(z.object({ a: z.string().optional() }), () => [], 'query').guard(user)],
  ['middleware that declares no refusal', query.use(role('audit', [])), query],
];

test.each(closing)('--fail-on open passes %s', (_, before, after) => {
  expect(failsFor(compare(toDocument(before), toDocument(after)), ['open'], 0)).toBe(false);
});

test('a role that its middleware does not declare is told all the same', () => {
  const before = toDocument(query.use(role('mustBeStaff', [])));
  const after = toDocument(query.use(role('mustBeAdmin', [])));
  const [changed] = compare(before, after).changed;
  expect(changed?.changes.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
    'middleware-changed: middleware `mustBeAdmin` was added',
    'middleware-changed: middleware `mustBeStaff` was removed',
  ]);
});
