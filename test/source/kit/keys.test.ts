import type { Key } from 'ink';
import { describe, expect, it, vi } from 'vitest';
import {
  type KeyBinding,
  toKeyLine,
  toKeyNames,
  toUsableLayers,
} from '../../../source/kit/key-binding.ts';
import { type ActiveLayer, createKeyStack, type KeyStack } from '../../../source/kit/key-stack.ts';

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

it.each<[string, string, Partial<Key>, readonly string[]]>([
  ['a letter', 'a', {}, ['a']],
  ['letters that came together', 'jj\r', {}, ['j', 'j', 'enter']],
  ['an arrow', '', { upArrow: true }, ['up']],
  ['Shift-Tab', '', { tab: true, shift: true }, ['shift+tab']],
  ['Ctrl-P', 'p', { ctrl: true }, ['ctrl+p']],
  ['an emoji', '👩‍👩‍👧', {}, ['👩‍👩‍👧']],
  ['a blank', ' ', {}, ['space']],
  ['a control character', '\u0000', {}, []],
])('names %s', (_, input, key, names) =>
  expect(toKeyNames(input, { ...noKey, ...key })).toEqual(names),
);

const bindings: readonly KeyBinding[] = [
  { action: 'open', keys: ['enter', 'o'], help: 'Open it', hint: 'open' },
  { action: 'quit', keys: ['q'], help: 'Leave', hint: 'leave', isPinned: true },
];
function layer(options: Partial<ActiveLayer>): { current: ActiveLayer } {
  return {
    current: {
      title: 'Layer',
      bindings,
      priority: 0,
      isModal: false,
      onAction: () => {},
      ...options,
    },
  };
}

const onAction = () => vi.fn<(action: string, key: string) => void>();

function press(stack: KeyStack, ...keys: readonly string[]): void {
  for (const key of keys) {
    stack.send({ keys: [key] });
    stack.pressNext();
  }
}

describe('layers', () => {
  it('ask the highest first, and stop at the one that knows the key', () => {
    const low = onAction();
    const high = onAction();
    const stack = createKeyStack();
    stack.add(layer({ onAction: low }));
    const remove = stack.add(layer({ onAction: high, priority: 1 }));
    press(stack, 'q');
    remove();
    press(stack, 'o');
    expect(high.mock.calls).toEqual([['quit', 'q']]);
    expect(low.mock.calls).toEqual([['open', 'o']]);
  });

  it('give typed text to the one that takes text, and keys that type none to those below', () => {
    const typed = vi.fn<(text: string) => void>();
    const below = onAction();
    const stack = createKeyStack();
    stack.add(layer({ onAction: below }));
    stack.add(layer({ bindings: [], onText: typed, priority: 1 }));
    press(stack, 'q', 'space', 'enter', 'é');
    stack.send({ text: 'pasted' });
    stack.pressNext();
    expect(typed.mock.calls).toEqual([['q'], [' '], ['é'], ['pasted']]);
    expect(below.mock.calls).toEqual([['open', 'enter']]);
  });

  it('under a dialog get nothing', () => {
    const below = onAction();
    const stack = createKeyStack();
    stack.add(layer({ onAction: below }));
    stack.add(layer({ bindings: [], isModal: true, priority: 9 }));
    press(stack, 'q');
    expect(below).not.toHaveBeenCalled();
    expect(stack.layers()).toHaveLength(1);
  });
});

describe('the key line', () => {
  it('shows the first key of each binding that has a hint', () => {
    expect(toKeyLine([{ title: 'L', bindings }], 80)).toEqual([
      { key: 'Enter', hint: 'open' },
      { key: 'q', hint: 'leave' },
    ]);
  });

  it('drops what does not fit from its end, but not what is kept', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      action: `a${index}`,
      keys: [`${index}`],
      help: 'x',
      hint: 'something',
    }));
    const hints = toKeyLine([{ title: 'L', bindings: [...many, ...bindings] }], 40).map(
      ({ hint }) => hint,
    );
    expect(hints).toEqual(['something', 'something', 'leave']);
  });

  it('leaves out the keys that a field takes as text, and those of an outer layer that an inner one has', () => {
    const field = { title: 'Field', bindings: [], onText: () => {} };
    expect(toKeyLine([field, { title: 'L', bindings }], 80).map(({ hint }) => hint)).toEqual([
      'open',
    ]);
    const inner = {
      title: 'I',
      bindings: [{ action: 'x', keys: ['q'], help: 'Quit this', hint: 'close' }],
    };
    expect(toKeyLine([inner, { title: 'L', bindings }], 80).map(({ hint }) => hint)).toEqual([
      'close',
      'open',
    ]);
  });

  it('leaves out keys that a layer above takes', () => {
    const field = { title: 'Field', bindings: [], onText: () => {} };
    const around = { title: 'L', bindings: [{ action: 'x', keys: ['x', 'esc'], help: 'Close' }] };
    const keys = toUsableLayers([field, { title: 'L', bindings }, around]).map((layer) =>
      layer.bindings.map((binding) => binding.keys),
    );
    expect(keys).toEqual([[], [['enter']], [['esc']]]);
  });
});
