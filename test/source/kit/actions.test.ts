import { expect, it } from 'vitest';
import { actions, toBindings } from '../../../source/kit/actions.ts';

it('is one table of at most sixty actions, of which none is reached by Alt alone', () => {
  const all = Object.entries(actions);
  expect(all.length).toBeLessThanOrEqual(60);
  expect(all.filter(([, { keys }]) => keys.every((key) => key.startsWith('alt+')))).toEqual([]);
});

it('gives a letter to one action alone, but in questions', () => {
  const letters = Object.entries(actions)
    .filter(([name]) => name !== 'yes' && name !== 'no')
    .flatMap(([, { keys }]) => keys.filter((key) => key.length === 1));
  expect(letters.filter((letter, index) => letters.indexOf(letter) !== index)).toEqual([]);
});

it('lets a screen say an action in its own words, and not with other keys than the table has', () => {
  const [binding] = toBindings(['go'], { go: { help: 'Show the capability', hint: 'show' } });
  expect(binding).toMatchObject({
    action: 'go',
    keys: ['enter'],
    help: 'Show the capability',
    hint: 'show',
  });
});
