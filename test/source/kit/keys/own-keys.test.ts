import { expect, it } from 'vitest';
import { actionNames } from '../../../../source/kit/keys/action-names.ts';
import type { ScreenBox } from '../../../../source/kit/keys/click-targets.ts';
import type { KeyBinding } from '../../../../source/kit/keys/key-binding.ts';
import { isKeyName, toClickedPoint } from '../../../../source/kit/keys/key-name.ts';
import { createKeyStack } from '../../../../source/kit/keys/key-stack.ts';
import { createOwnKeys, toActionName } from '../../../../source/kit/keys/own-keys.ts';

const bindings: readonly KeyBinding[] = [
  { action: 'call', keys: ['c'], help: 'Call' },
  { action: 'copy', keys: ['y', 'ctrl+y'], help: 'Copy' },
  { action: 'down', keys: ['down', 'j'], help: 'Down', shown: 'arrows' },
];

it('gives an action the keys of the user, and takes them from the others of its table', () => {
  const own = createOwnKeys({ 'capability.call': ['y'], 'capability.down': ['n'], 'list.copy': ['x'] });
  const made = own.toBindings('Capability', bindings);
  expect(made).toEqual([
    { action: 'call', keys: ['y'], help: 'Call' },
    { action: 'copy', keys: ['ctrl+y'], help: 'Copy' },
    { action: 'down', keys: ['n'], help: 'Down' },
  ]);
  expect(own.toBindings('Capability', bindings)).toBe(made);
});

it('leaves a table as it is where the user wants nothing of it, and leaves out what has lost all its keys', () => {
  expect(createOwnKeys({ 'list.copy': ['x'] }).toBindings('Capability', bindings)).toBe(bindings);
  const made = createOwnKeys({ 'capability.copy': ['c'] }).toBindings('Capability', bindings);
  expect(made.map(({ action }) => action)).toEqual(['copy', 'down']);
});

it('names actions by words in small letters', () => {
  expect(toActionName('Go to', 'run')).toBe('go-to.run');
  expect(toActionName('Log', 'nextMatch')).toBe('log.next-match');
  expect(actionNames).toContain('log.next-match');
  expect(actionNames.filter((name) => !/^[a-z-]+\.[a-z-]+$/.test(name))).toEqual([]);
});

it.each(['c', 'G', '?', 'é', 'space', 'enter', 'ctrl+x', 'alt+z', 'shift+tab', 'ctrl+shift+up', 'esc', '+'])(
  'knows the key %s',
  (name) => expect(isKeyName(name)).toBe(true),
);

it.each(['', 'cc', 'f13', 'ctrl+', 'shift+c', 'ctrl+esc', 'Enter', 'wheelup'])('knows no key %s', (name) =>
  expect(isKeyName(name)).toBe(false),
);

it('reads a click of the left button, and nothing else of the mouse', () => {
  expect(toClickedPoint('[<0;5;4M')).toEqual({ column: 4, row: 3 });
  expect(['[<0;5;4m', '[<2;5;4M', '[<64;5;4M', 'a'].map(toClickedPoint)).toEqual(Array(4).fill(undefined));
});

it('tells the parts of the screen that a point is in, the outer ones first, with the place in each', () => {
  const stack = createKeyStack();
  const clicks: unknown[] = [];
  const add = (name: string, box: ScreenBox | undefined, priority = 20) =>
    stack.addTarget({ current: { priority, findBox: () => box, onClick: (point) => clicks.push([name, point]) } });
  add('inner', { column: 10, row: 2, columns: 5, rows: 1 });
  add('outer', { column: 0, row: 0, columns: 80, rows: 24 });
  add('not drawn', undefined);
  const remove = add('removed', { column: 0, row: 0, columns: 80, rows: 24 });
  remove();
  stack.click({ column: 12, row: 2 });
  stack.click({ column: 15, row: 2 });
  expect(clicks).toEqual([
    ['outer', { column: 12, row: 2 }],
    ['inner', { column: 2, row: 0 }],
    ['outer', { column: 15, row: 2 }],
  ]);
  add('of the question', { column: 0, row: 0, columns: 80, rows: 2 }, 101);
  const question = { title: 'Q', bindings: [], priority: 100, isModal: true, onAction: () => {} };
  stack.add({ current: question });
  stack.click({ column: 12, row: 1 });
  stack.click({ column: 12, row: 2 });
  expect(clicks.slice(3)).toEqual([['of the question', { column: 12, row: 1 }]]);
});
