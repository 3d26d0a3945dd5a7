import { type KeyHandlers, toHandlers } from './actions.ts';
import { type TextFieldState, toTextField } from './text-field-state.ts';
import { signs } from './theme.ts';

/** The position in a list. The selection is a key, so that it survives what comes and goes around it. */
export interface ListState {
  readonly selectedKey: string | undefined;
  /** The index of the selection when it was last seen, where it goes when its row is removed. */
  readonly index: number;
  readonly offset: number;
  /** Whether a filter was typed since: the first row that it finds is selected where this one is not found. */
  readonly wantsHit?: boolean;
}

const listActions = ['up', 'down', 'pageUp', 'pageDown', 'first', 'last'] as const;
export type ListAction = (typeof listActions)[number];

export const emptyList: ListState = { selectedKey: undefined, index: 0, offset: 0 };

/** The keys that move in a list. */
export function toListKeys(move: (action: ListAction) => void): KeyHandlers {
  return toHandlers(listActions, move);
}

/** The list as it is drawn: the state held against the rows there are now. */
export interface ListWindow {
  /** Index of the selected row; -1 in an empty list. */
  readonly selected: number;
  readonly offset: number;
  readonly state: ListState;
}

/** Finds the selection among the rows and moves the window no further than needed to show it. */
export function toListWindow(
  state: ListState,
  keys: readonly string[],
  height: number,
): ListWindow {
  if (keys.length === 0) return { selected: -1, offset: 0, state: { ...state, offset: 0 } };
  const selected = findSelected(state, keys);
  const lastOffset = Math.max(0, keys.length - height);
  const lowest = Math.min(selected, lastOffset);
  const offset = Math.max(
    Math.min(state.offset, lowest),
    Math.min(selected - height + 1, lastOffset),
    0,
  );
  return { selected, offset, state: { selectedKey: keys[selected], index: selected, offset } };
}

/** Index of the selected row, mostly where it was; that of the row in its place where it was removed. */
export function findSelected({ selectedKey, index }: ListState, keys: readonly string[]): number {
  const found =
    selectedKey === undefined || keys[index] === selectedKey ? -1 : keys.indexOf(selectedKey);
  return found === -1 ? Math.min(index, keys.length - 1) : found;
}

/** The index to which a key leads; `height`: rows of the window. */
export function toMoved(
  action: ListAction,
  from: number,
  { last, height }: { readonly last: number; readonly height: number },
): number {
  const page = Math.max(1, height - 1);
  const to = {
    up: from - 1,
    down: from + 1,
    pageUp: from - page,
    pageDown: from + page,
    first: 0,
    last,
  }[action];
  return Math.max(0, Math.min(last, to));
}

export function moveInList(
  action: ListAction,
  window: ListWindow,
  { keys, height }: { readonly keys: readonly string[]; readonly height: number },
): ListState {
  const index = toMoved(action, window.selected, { last: keys.length - 1, height });
  return toListWindow({ ...window.state, selectedKey: keys[index], index }, keys, height).state;
}

/** The text that narrows a list, and whether it is being typed. */
export interface FilterState {
  readonly field: TextFieldState;
  readonly isOpen: boolean;
}

export const noFilter: FilterState = { field: toTextField(''), isOpen: false };

/** Whether there is a line to draw: while it is typed, and as long as it hides something. */
export function isFilterShown({ field, isOpen }: FilterState): boolean {
  return isOpen || field.text !== '';
}

/** Columns that the scroll mark of a view takes at its right: a gap, and the mark. */
export const SCROLL_COLUMNS = 2;

/** Columns before the line of a row in a list: the pointer, and the mark of a change. */
export const ROW_MARKS = 2;

/** Columns that the line of a row has in a list of `columns`, also where there are so many rows that it scrolls. */
export function toRowColumns(columns: number): number {
  return columns - ROW_MARKS - SCROLL_COLUMNS;
}

/** The part of many lines that a view shows. */
export interface ScrollPlace {
  /** All lines, of which `rows` are seen from `offset` on. */
  readonly total: number;
  readonly rows: number;
  readonly offset: number;
}

/** The end of each row of a view with more lines than rows: a mark where the window is; empty without more. */
export function toScrollMarks({ total, rows, offset }: ScrollPlace): readonly string[] {
  if (total <= rows) return [];
  const size = Math.max(1, Math.round((rows * rows) / total));
  const from = Math.round((offset / Math.max(1, total - rows)) * (rows - size));
  return Array.from({ length: rows }, (_, row) =>
    row >= from && row < from + size ? ` ${signs.thumb}` : '  ',
  );
}
