import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toGroupField } from '../../../source/document/root-field.ts';
import { toFormRows } from '../../../source/form/form-rows.ts';
import { toFilledForm } from '../../../source/form/form-state.ts';
import type { RequestHeaders } from '../../../source/invoke/perform-call.ts';
import {
  findHeaderProblems,
  toCallForm,
  toHeadersField,
  toRequestHeaders,
} from '../../../source/invoke/request-headers.ts';
import { findValueAt } from '../../../source/values/json.ts';

const silent = {
  name: 'mustBeAdmin',
  params: undefined,
  errors: [],
  credentials: undefined,
  scopes: undefined,
  isOptional: undefined,
};
const bearer = { ...silent, name: 'mustBeUser', credentials: ['bearer'] };
const cookie = { ...silent, name: 'session', credentials: ['sid'] };
const inQuery = { ...silent, name: 'signed', credentials: ['key'] };
const security = [
  [
    { name: 'bearer', scheme: { type: 'http', scheme: 'bearer' }, scopes: [] },
    { name: 'sid', scheme: { type: 'apiKey', in: 'cookie', name: 'sid' }, scopes: [] },
    { name: 'key', scheme: { type: 'apiKey', in: 'query', name: 'key' }, scopes: [] },
  ],
];

it('has a line for each header that the guards look at, and says which guard it is for', () => {
  const { headers, expected: asked } = toHeadersField({
    security,
    facts: { guards: [bearer, silent, cookie, inQuery] },
  });
  expect(asked).toEqual(['authorization', 'cookie']);
  expect(headers.type).toBe('for mustBeUser, mustBeAdmin, session, signed');
});

it.each([
  ['X-Tenant: acme', { 'x-tenant': 'acme' }],
  [' accept:text/plain ', { accept: 'text/plain' }],
  ['x-empty:', {}],
  ['no colon', undefined],
  ['two words: a', undefined],
  [': nothing', undefined],
  ['x-line: a\u0007b', undefined],
])('reads the line %j', (line, headers) => {
  const { headers: field } = toHeadersField({ security, facts: { guards: [] } });
  const state = toFilledForm(field, [line]);
  expect(toRequestHeaders(state.value)).toEqual(headers ?? {});
  expect(findHeaderProblems(toFormRows(field, state)).size).toBe(headers ? 0 : 1);
});

it('gives back the headers that a form was filled with, whatever the guards look at', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
  const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
  const guards = fc.subarray([bearer, silent, cookie, inQuery]);
  fc.assert(
    fc.property(
      fc.dictionary(name, value, { noNullPrototype: true }),
      guards,
      (headers: RequestHeaders, asking) => {
        const field = {
          input: toGroupField([]),
          ...toHeadersField({ security, facts: { guards: asking } }),
        };
        const { value: filled } = toCallForm(field, { headers });
        expect(toRequestHeaders(findValueAt(filled, ['headers']))).toEqual({ ...headers });
      },
    ),
  );
});
