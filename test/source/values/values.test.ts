import { expect, it } from 'vitest';
import { toCount, toFirstNames, toP95, toSize } from '../../../source/values/count.ts';
import { toDuration, toSeconds } from '../../../source/values/duration.ts';
import { findValueAt, withValueAt } from '../../../source/values/json.ts';
import { groupBy, once } from '../../../source/values/once.ts';
import { escapePattern, fitsPattern } from '../../../source/values/pattern.ts';

it('counts one and many by their names', () => {
  expect([toCount(0, 'item'), toCount(1, 'item'), toCount(2, 'item')]).toEqual([
    '0 items',
    '1 item',
    '2 items',
  ]);
  expect(toCount(2, 'capability', 'capabilities')).toBe('2 capabilities');
});

it('names the first, and counts the others', () => {
  const names = ['a', 'b', 'c'];
  expect(toFirstNames(names, 3)).toBe('a, b, c');
  expect(toFirstNames(names, 2)).toBe('a, b and 1 more');
});

it('says sizes and durations in the unit that a person would take', () => {
  expect([toSize(512), toSize(1_234), toSize(3_400_000)]).toEqual(['512 B', '1.2 kB', '3.4 MB']);
  expect([toDuration(0.42), toDuration(12.3), toDuration(1_500)]).toEqual([
    '0.4 ms',
    '12 ms',
    '1.5 s',
  ]);
  expect(toSeconds(12_000)).toBe('12.0 s');
});

it('groups items in the order in which they are found, also by names that objects have', () => {
  const groups = groupBy(['b1', 'a1', 'b2', 'constructor'], (text) => text.replace(/\d/, ''));
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
    ['constructor', ['constructor']],
  ]);
});

it('finds what 95 of 100 values do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([toP95(hundred), toP95([7]), toP95([])]).toEqual([95, 7, 0]);
});

it('fits a pattern whose only sign is the star', () => {
  expect(fitsPattern('users.getUser', 'users.*')).toBe(true);
  expect(fitsPattern('usersXgetUser', 'users.*')).toBe(false);
  expect(fitsPattern('output[].a+b', 'output[].*+b')).toBe(true);
  expect(fitsPattern('two\nlines', '*')).toBe(true);
  expect(new RegExp(`^${escapePattern('$.a[0]{1}|(x)?')}$`).test('$.a[0]{1}|(x)?')).toBe(true);
});

it('finds and sets a value at a path, by own properties alone', () => {
  expect(findValueAt({ a: [{ b: 1 }] }, ['a', 0, 'b'])).toBe(1);
  expect(findValueAt({}, ['constructor'])).toBeUndefined();
  expect(withValueAt(undefined, ['a', 1, 'b'], 2)).toEqual({ a: [undefined, { b: 2 }] });
});

it('makes a value once, also where it is undefined', () => {
  let count = 0;
  const make = once(() => {
    count += 1;
  });
  expect([make(), make(), count]).toEqual([undefined, undefined, 1]);
});
