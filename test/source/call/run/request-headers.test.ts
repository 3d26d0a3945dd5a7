import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  findHeaderProblems,
  headerPrefix,
  toHeaderFields,
  toRequestHeaders,
  withHeaders,
} from '../../../../source/call/run/request-headers.ts';
import { toTextField } from '../../../../source/kit/field/text-field-state.ts';
import { emptyForm, type FormState } from '../../../../source/kit/form/form-state.ts';

const bearer = { name: 'mustBeUser', errors: [], security: { type: 'http', scheme: 'bearer' } } as const;
const silent = { name: 'mustBeAdmin', errors: [] } as const;
const cookie = { name: 'session', errors: [], security: { type: 'apiKey', in: 'cookie', name: 'sid' } } as const;
const inQuery = { name: 'signed', errors: [], security: { type: 'apiKey', in: 'query', name: 'key' } } as const;

it('asks for the headers that the guards look at, each once', () => {
  const fields = toHeaderFields({ guards: [bearer, silent, cookie, inQuery] });
  expect(fields.map(({ name, note }) => [name, note])).toEqual([
    ['authorization', 'for mustBeUser, mustBeAdmin'],
    ['cookie', 'for session'],
    ['headers', ''],
  ]);
});

/** A form in which these lines were typed as headers. */
function typeLines(...lines: readonly string[]): FormState {
  const path = `${headerPrefix}headers`;
  const texts = Object.fromEntries(lines.map((line, index) => [`${path}.${index}`, toTextField(line)]));
  return { ...emptyForm, texts, counts: { [path]: lines.length } };
}

it.each([
  ['X-Tenant: acme', { 'x-tenant': 'acme' }],
  [' accept:text/plain ', { accept: 'text/plain' }],
  ['x-empty:', { 'x-empty': '' }],
  ['no colon', undefined],
  ['two words: a', undefined],
  [': nothing', undefined],
  ['x-line: a\u0007b', undefined],
])('reads the line %j', (line, headers) => {
  const form = typeLines(line);
  expect(toRequestHeaders(toHeaderFields({ guards: [] }), form)).toEqual(headers ?? {});
  expect([...findHeaderProblems(form).keys()]).toEqual(headers ? [] : [`${headerPrefix}headers.0`]);
});

it('gives back the headers that a form was filled with, whatever the guards look at', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/).filter((text) => text !== 'headers');
  const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/).filter((text) => text !== '""');
  const guards = fc.subarray([bearer, silent, cookie, inQuery]);
  fc.assert(
    fc.property(fc.dictionary(name, value), guards, (headers, asking) => {
      const fields = toHeaderFields({ guards: asking });
      const before = { ...typeLines('x-before: 1'), picks: { size: 1 } };
      const form = withHeaders(fields, before, headers);
      expect(toRequestHeaders(fields, form)).toEqual({ ...headers });
      expect(form.picks).toEqual({ size: 1 });
    }),
  );
});
