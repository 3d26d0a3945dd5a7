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
  const run = (): void => {};
  const [binding] = toBindings({ go: { help: 'Show the capability', hint: 'show', run } }, false);
  expect(binding).toEqual({
    action: 'go',
    keys: ['enter'],
    help: 'Show the capability',
    hint: 'show',
    isPinned: true,
    run,
  });
});

it('has no action without a handler', () => {
  // @ts-expect-error The help alone does nothing.
  toBindings({ go: { help: 'Show the capability' } }, false);
  // @ts-expect-error The table has no such action.
  expect(() => toBindings({ polish: () => {} }, false)).toThrow();
  expect(toBindings({ go: undefined }, false)).toEqual([]);
});

it('has other keys where letters are text', () => {
  const edit = (isForm: boolean) => toBindings({ edit: () => {} }, isForm)[0]?.keys;
  expect(edit(false)).toEqual(['e', 'ctrl+g']);
  expect(edit(true)).toEqual(['ctrl+x e', 'ctrl+g']);
});
