import { Text } from 'ink';
import { Profiler, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Keys } from '../../../source/kit/keys.tsx';
import { toLineText } from '../../../source/kit/line.ts';
import type { Row } from '../../../source/kit/row.ts';
import { RowsView } from '../../../source/kit/rows-view.tsx';
import { TextField } from '../../../source/kit/text-field.tsx';
import { toTextField } from '../../../source/kit/text-field-state.ts';
import { useRows } from '../../../source/kit/use-rows.ts';
import { toHeaderLine } from '../../../source/screens/frame-head.ts';
import { LoadingLine, ScreenFrame } from '../../../source/screens/screen-frame.tsx';
import { useProject, useServices } from '../../../source/screens/use-screen.ts';
import {
  type RenderedScreen,
  renderScreen,
  type ScreenOptions,
  toTestManifest,
} from '../../helpers/render-screen.tsx';

let screen: RenderedScreen;
afterEach(() => screen.unmount());

function open(
  Screen: Parameters<typeof renderScreen>[0],
  options: Partial<ScreenOptions> = {},
): RenderedScreen {
  screen = renderScreen(Screen, { route: { screen: 'home' }, ...options });
  return screen;
}

const polish = vi.fn<() => void>();
function Shelf({ onPolish = polish }: { readonly onPolish?: () => void }) {
  const words = { keys: ['x'], help: 'Polish the shelf', hint: 'polish' };
  return (
    <Keys actions={{ clear: { ...words, run: onPolish } }}>
      <Text>a shelf</Text>
    </Keys>
  );
}

const Shelves = () => (
  <ScreenFrame screen="shelf">
    <Shelf />
  </ScreenFrame>
);

function Field() {
  const [state, setState] = useState(toTextField(''));
  return (
    <ScreenFrame screen="field" isForm>
      <TextField state={state} onState={setState} columns={20} placeholder="name" />
    </ScreenFrame>
  );
}

function Waiting() {
  const { project } = useProject();
  return (
    <ScreenFrame screen="shelf">
      {project.manifest === undefined ? <LoadingLine /> : <Field />}
    </ScreenFrame>
  );
}

describe('keys that are typed while the project is loaded', () => {
  it('are for what comes', async () => {
    open(Waiting).press('quick');
    await screen.waitFor('Loading');
    screen.load(await toTestManifest({}));
    await screen.waitFor('quick');
  });

  it('are for nothing where it cannot be loaded', async () => {
    open(Waiting).press('quick');
    await screen.waitFor('Loading');
    screen.fail({ code: 'BuildFailed', message: 'Unexpected "="' });
    await screen.waitFor('Nothing to show');
    screen.load(await toTestManifest({}));
    expect(await screen.waitFor('name')).not.toContain('quick');
  });
});

describe('what just happened', () => {
  const told = 'Polished, and told to the whole of the house';
  const Polished = () => {
    const { notify } = useServices();
    return (
      <ScreenFrame screen="shelf">
        <Shelf onPolish={() => notify(told)} />
      </ScreenFrame>
    );
  };

  it('stands beside the keys that work, of which it takes no more than it needs', async () => {
    open(Polished, { columns: 100 }).press('x');
    await screen.waitFor(
      /x polish · Esc back · \? help · q leave +Polished, and told to the whole of the house$/m,
    );
    screen.resize(80, 24);
    await screen.waitFor(
      /^ Esc back · \? help · q leave +Polished, and told to the whole of the house$/m,
    );
    screen.resize(46, 24);
    await screen.waitFor(/^ Polished, and told to the whole of the house$/m);
  });

  it('draws the frame anew, and not the screen', async () => {
    const drawn = vi.fn<() => void>();
    const Noted = () => {
      const { notify } = useServices();
      return <Shelf onPolish={() => notify(told)} />;
    };
    const counted = (
      <Profiler id="shelf" onRender={drawn}>
        <Noted />
      </Profiler>
    );
    open(() => <ScreenFrame screen="shelf">{counted}</ScreenFrame>);
    await screen.waitFor('a shelf');
    const before = drawn.mock.calls.length;
    screen.press('x');
    await screen.waitFor('Polished, and told');
    expect(drawn).toHaveBeenCalledTimes(before);
  });
});

describe('the place of a failure', () => {
  it('is shown where only a part of the code around it has room', async () => {
    open(Shelves, { columns: 40, rows: 12 });
    const frame = '    1 | one\n    2 | two\n  > 3 | three(\n      |      ^\n    4 | four';
    screen.fail({
      code: 'BuildFailed',
      message: 'src/capabilities/bookings/bookings.ts:3:5: Unexpected ";"',
      frame,
    });
    await screen.waitFor('> 3 | three(');
    expect(screen.frame()).not.toContain('1 | one');
    screen.resize(40, 24);
    await screen.waitFor(/1 \| one[^]*> 3 \| three\([^]*4 \| four/);
  });

  it('is opened from a form by a key that is no text there', async () => {
    open(Field).load(await toTestManifest({}));
    await screen.waitFor('name');
    const place = { file: '/shop/a.ts', line: 3, column: 5 };
    screen.fail({ code: 'BuildFailed', message: 'Unexpected "}"', place });
    await screen.waitFor('Ctrl-G edit');
    screen.press('edge');
    await screen.waitFor('edge');
    expect(screen.edited).toEqual([]);
    screen.press('\u0007');
    await expect.poll(() => screen.edited).toEqual([place]);
  });
});

describe('the palette', () => {
  it('offers what the keys of the screen do, and does it', async () => {
    polish.mockClear();
    open(Shelves).press('?');
    await screen.waitFor(/❯ Polish the shelf +x/);
    screen.press('shelf\r');
    await screen.waitFor('a shelf');
    expect(polish).toHaveBeenCalledOnce();
  });

  it('has every key that works, those that only move last, and none that a field takes as text', async () => {
    open(Field).press('\u0010');
    await screen.waitFor(/Back +Esc/);
    screen.press('backwards');
    await screen.waitFor(/❯ Delete backwards +Backspace Del/);
    screen.press('\u0015Leave');
    await screen.waitUntilGone(' q');
  });
});

describe('the header', () => {
  const header = {
    project: '@acme/order-management-service',
    screen: ['show', 'orders.createOrder'],
    status: { kind: 'ready', at: 0, durationMs: 1234 },
    problemCount: 7,
  } as const;

  it.each([
    [
      120,
      / capix {2}@acme\/order-management-service ▸ show ▸ orders\.createOrder .*▲ 7 problems .*in 1\.2 s/,
    ],
    [
      80,
      / capix {2}@acme\/order-management-ser… ▸ show ▸ orders\.createOrder .*▲ 7 .*● \d\d:\d\d:\d\d$/,
    ],
    [60, / capix {2}@acme\/… ▸ show ▸ orders\.createOrder .*▲ 7 .*● \d\d:\d\d:\d\d$/],
    [40, /^ show ▸ orders\.\S*… ▲ 7 .*● \d\d:\d\d:\d\d$/],
  ])('of %i columns says which screen it is before anything else', (columns, shown) => {
    const text = toLineText(toHeaderLine(header, columns));
    expect(text.trimEnd()).toMatch(shown);
    expect(text).toHaveLength(columns);
  });
});

describe('a window that is too small', () => {
  it('keeps the keys from what nobody sees', async () => {
    polish.mockClear();
    open(Shelves, { columns: 39, rows: 12 });
    await screen.waitFor(/make it 40x10 or\s+larger\. q leaves\./);
    screen.press('x');
    screen.resize(40, 10);
    await screen.waitFor('a shelf');
    screen.press('x');
    await expect.poll(() => polish).toHaveBeenCalled();
    expect(polish).toHaveBeenCalledOnce();
  });
});

describe('a text field', () => {
  it.each([
    ['with styles', {}, 'ab'],
    ['without them', { FORCE_COLOR: '0' }, 'a│b'],
  ])('shows where one types %s', async (_, environment, shown) => {
    open(Field, { environment }).press('ab\u001B[D');
    await screen.waitFor(shown);
  });

  it.each([
    ['in the background', {}, /^name$/m],
    ['in brackets where nothing has a style', { FORCE_COLOR: '0' }, /^│\(name\)$/m],
  ])(
    'shows an example %s, so that nobody takes it for what was typed',
    async (_, environment, shown) => {
      open(Field, { environment });
      await screen.waitFor(shown);
    },
  );
});

const fruits = ['apple', 'apricot', 'banana'].map(
  (name): Row => ({ id: name, line: [{ text: name }] }),
);

function Fruits() {
  const list = useRows(fruits, 'fruits');
  return (
    <ScreenFrame screen="fruits">
      <RowsView list={list} columns={40} rows={10} />
    </ScreenFrame>
  );
}

it('filters a list by words as they are typed, and shows all again on Esc', async () => {
  open(Fruits).press('/apri');
  await screen.waitFor('1 of 3');
  expect(screen.frame()).toContain('❯ apricot');
  expect(screen.frame()).not.toContain('banana');
  screen.press('zz');
  await screen.waitFor('Nothing matches.');
  screen.press('\u001B');
  await screen.waitFor('banana');
});

const none: readonly Row[] = [];

it('tells what an empty list means in a narrow window, too', async () => {
  const Calls = () => {
    const list = useRows(none, 'calls');
    return (
      <RowsView
        list={list}
        columns={40}
        rows={9}
        empty="No calls yet. They show here as agents make them."
      />
    );
  };
  const Empty = () => (
    <ScreenFrame screen="calls">
      <Calls />
    </ScreenFrame>
  );
  open(Empty, { columns: 40, rows: 12 });
  await screen.waitFor(/ {2}No calls yet\. They show here as\n {2}agents make them\./);
});
