import { expect, test } from 'vitest';
import { remember } from '../../../../../source/kit/text/ink/remember.ts';

test('what was worked out for a text is not worked out again while it is in use', () => {
  const worked: string[] = [];
  const toLength = remember((text) => {
    worked.push(text);
    return text.length;
  });
  expect([toLength('one'), toLength(''), toLength('one'), toLength('')]).toEqual([3, 0, 3, 0]);
  expect(worked).toEqual(['one', '']);
  for (let text = 0; text < 3000; text++) {
    toLength(`${text}`);
    toLength('one');
  }
  expect(worked.filter((text) => text === 'one')).toHaveLength(1);
});

test('texts that are no longer used are forgotten', () => {
  let count = 0;
  const work = remember((text) => `${text}${++count}`);
  const first = work('a');
  for (let text = 0; text < 3000; text++) work(`${text}`);
  expect(work('a')).not.toBe(first);
});
