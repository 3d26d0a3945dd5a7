import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, toPreview } from '../../../source/record/preview.ts';

describe('toPreview', () => {
  it.each<[string, unknown, unknown]>([
    ['plain values', { a: 1, b: 'x', c: null, d: [true] }, { a: 1, b: 'x', c: null, d: [true] }],
    [
      'secrets by their name, at any depth',
      { user: { password: 'p', apiKey: 'k', name: 'n' } },
      { user: { password: MASK, apiKey: MASK, name: 'n' } },
    ],
    [
      'nothing where a secret is missing',
      { token: undefined, secret: null },
      { token: undefined, secret: null },
    ],
    ['dates', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['bytes', Buffer.from('abc'), '<3 bytes>'],
    ['big integers', 10n, '10n'],
    ['numbers that JSON does not have', Number.NaN, 'NaN'],
    ['functions', function send() {}, '<function send>'],
    ['instances without fields', new (class Pool {})(), '<Pool>'],
    ['maps', new Map([[1, 2]]), '<Map of 1>'],
    ['errors', new TypeError('no'), '<TypeError: no>'],
    ['long text', 'x'.repeat(600), `${'x'.repeat(500)}… (600 characters)`],
    [
      'long arrays',
      Array.from({ length: 60 }, () => 1),
      [...Array.from({ length: 50 }, () => 1), '… 10 more'],
    ],
  ])('shows %s', (_, value, shown) => {
    expect(toPreview(value)).toEqual(shown);
  });

  it('stops at a circle', () => {
    const circle: Record<string, unknown> = { name: 'a' };
    circle['self'] = circle;
    expect(toPreview(circle)).toEqual({ name: 'a', self: '<circular>' });
  });

  it('shows what cannot be read as that', () => {
    const broken = Object.defineProperty({}, 'field', {
      enumerable: true,
      get: () => {
        throw new Error('gone');
      },
    });
    expect(toPreview({ broken })).toEqual({ broken: '<not readable: Error: gone>' });
  });

  it('gives JSON of bounded size for any value, and never throws', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          maxDepth: 8,
        }),
        (value) => {
          expect((JSON.stringify(toPreview(value)) ?? '').length).toBeLessThan(1_000 * 700);
        },
      ),
    );
  });
});
