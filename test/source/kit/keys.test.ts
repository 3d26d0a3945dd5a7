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

const nothing = (): void => {};
const bindings: readonly KeyBinding[] = [
  { action: 'open', keys: ['enter', 'o'], help: 'Open it', hint: 'open', run: nothing },
  { action: 'quit', keys: ['q'], help: 'Leave', hint: 'leave', isPinned: true, run: nothing },
];

/** A layer that notes the keys of its actions. */
function layer({
  pressed,
  ...options
}: Partial<ActiveLayer> & { readonly pressed?: string[] }): ActiveLayer {
  const noted = bindings.map((binding) => ({
    ...binding,
    run: (key: string) => void pressed?.push(`${binding.action} ${key}`),
  }));
  return { bindings: noted, depth: 0, ...options };
}

function press(stack: KeyStack, ...keys: readonly string[]): void {
  for (const key of keys) {
    stack.send({ keys: [key] });
    stack.pressNext();
  }
}

describe('layers', () => {
  it('ask the innermost first, however late the one around it was added', () => {
    const outer: string[] = [];
    const inner: string[] = [];
    const stack = createKeyStack();
    const remove = stack.add(layer({ pressed: inner, depth: 1 }));
    stack.add(layer({ pressed: outer }));
    press(stack, 'q');
    remove();
    press(stack, 'o');
    expect(inner).toEqual(['quit q']);
    expect(outer).toEqual(['open o']);
  });

  it('give typed text to the one that takes text, and keys that type none to those around', () => {
    const typed = vi.fn<(text: string) => void>();
    const pressed: string[] = [];
    const stack = createKeyStack();
    stack.add(layer({ pressed }));
    stack.add(layer({ bindings: [], onText: typed, depth: 1 }));
    press(stack, 'q', 'space', 'enter', 'é');
    stack.send({ text: 'pasted' });
    stack.pressNext();
    expect(typed.mock.calls).toEqual([['q'], [' '], ['é'], ['pasted']]);
    expect(pressed).toEqual(['open enter']);
  });

  it('say why a key does nothing now, and do not pass it on', () => {
    const pressed: string[] = [];
    const shown: string[] = [];
    const stack = createKeyStack();
    stack.explainBy((reason) => shown.push(reason));
    stack.add(layer({ pressed }));
    const off = bindings.map((binding) => ({ ...binding, off: `no ${binding.action}` }));
    stack.add(layer({ bindings: off, depth: 1 }));
    press(stack, 'q', 'x');
    expect(shown).toEqual(['no quit']);
    expect(pressed).toEqual([]);
  });

  it('take an Enter that more follows as a line end, in a form alone', () => {
    const pressed: string[] = [];
    const lineEnds = vi.fn<() => void>();
    const stack = createKeyStack();
    stack.add(layer({ pressed }));
    const send = (): void => {
      stack.send({ keys: ['enter', 'o'] });
      while (stack.pressNext());
    };
    send();
    expect(pressed).toEqual(['open enter', 'open o']);
    stack.add(layer({ bindings: [], onLineEnd: lineEnds, depth: 1 }));
    send();
    expect(lineEnds).toHaveBeenCalledTimes(1);
    expect(pressed).toEqual(['open enter', 'open o', 'open o']);
  });
});

describe('the key line', () => {
  it('shows the first key of each binding that has a hint', () => {
    expect(toKeyLine([{ bindings }], 80)).toEqual([
      { key: 'Enter', hint: 'open', isOff: false },
      { key: 'q', hint: 'leave', isOff: false },
    ]);
  });

  it('drops what does not fit from its end, but not what is kept', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      action: `a${index}`,
      keys: [`${index}`],
      help: 'x',
      hint: 'something',
      run: nothing,
    }));
    const hints = toKeyLine([{ bindings: [...many, ...bindings] }], 40).map(({ hint }) => hint);
    expect(hints).toEqual(['something', 'something', 'leave']);
  });

  it('leaves out the keys that a field takes as text, and those of an outer layer that an inner one has', () => {
    const field = { bindings: [], onText: () => {} };
    expect(toKeyLine([field, { bindings }], 80).map(({ hint }) => hint)).toEqual(['open']);
    const close = { action: 'x', keys: ['q'], help: 'Quit this', hint: 'close', run: nothing };
    expect(toKeyLine([{ bindings: [close] }, { bindings }], 80).map(({ hint }) => hint)).toEqual([
      'close',
      'open',
    ]);
  });

  it('leaves out keys that a layer above takes', () => {
    const field = { bindings: [], onText: () => {} };
    const around = { bindings: [{ action: 'x', keys: ['x', 'esc'], help: 'Close', run: nothing }] };
    const keys = toUsableLayers([field, { bindings }, around]).map((layer) =>
      layer.bindings.map((binding) => binding.keys),
    );
    expect(keys).toEqual([[], [['enter']], [['esc']]]);
  });
});
