import { type ExtraNode, type FormNode, toExtraField, toInitialNode, toItemField, toTypedNode } from './form-node.ts';
import { type FormPath, type FormStep, toObjectNode, toPathId } from './form-path.ts';
import type { FormRow, ItemPlace } from './form-rows.ts';
import { type Form, type FormState, withNodeAt } from './form-state.ts';

export type ItemAction = 'insert' | 'remove' | 'moveUp' | 'moveDown' | 'duplicate';

/** Adds an item at the end of a list, or takes the last one away; the list stays in focus. */
export function resizeList(form: Form, { path, field }: FormRow, step: 1 | -1): FormState {
  return withNodeAt(form, path, (node) => {
    if (field.kind.kind === 'group') {
      const object = toObjectNode(node);
      const extra: ExtraNode = { name: toTypedNode(''), node: toInitialNode(toExtraField(field)) };
      return { ...object, extras: step === 1 ? [...object.extras, extra] : object.extras.slice(0, -1) };
    }
    const items = node.kind === 'list' ? node.items : [];
    const fixed = field.kind.kind === 'tuple' ? field.kind.items().length : 0;
    if (step === -1) return { kind: 'list', items: items.length > fixed ? items.slice(0, -1) : items };
    const whole = Array.from(
      { length: Math.max(fixed, items.length) + 1 },
      (_, index) => items[index] ?? toInitialNode(toItemField(field, index)),
    );
    return { kind: 'list', items: whole };
  });
}

/** Does something to the item that a row is in; the same row of it stays in focus, of one that is gone the one that has its place. */
export function editItem(form: Form, row: FormRow & { readonly item: ItemPlace }, action: ItemAction): FormState {
  const { item } = row;
  let at = item.index;
  const edit = <Item>(items: readonly Item[], fresh: Item, first: number): readonly Item[] => {
    const edited = toEdited({ items, fresh, first, index: item.index }, action);
    at = edited.index;
    return edited.items;
  };
  const state = withNodeAt(form, item.list, (node, field): FormNode => {
    if (item.isExtra && node.kind === 'object') {
      const fresh: ExtraNode = { name: toTypedNode(''), node: toInitialNode(toExtraField(field)) };
      return { ...node, extras: edit(node.extras, fresh, 0) };
    }
    if (node.kind !== 'list') return node;
    const first = field.kind.kind === 'tuple' ? field.kind.items().length : 0;
    return { ...node, items: edit(node.items, toInitialNode(toItemField(field, item.index + 1)), first) };
  });
  return { ...state, focus: toPathId(toFocusPath(row, at)) };
}

interface ItemEdit<Item> {
  readonly items: readonly Item[];
  /** The path of the item that is edited. */
  readonly index: number;
  /** The item that is inserted. */
  readonly fresh: Item;
  /** Items before it have places of their own. */
  readonly first: number;
}

/** The items after a change, and the index of the one that has the focus then. */
function toEdited<Item>(
  { items, index, fresh, first }: ItemEdit<Item>,
  action: ItemAction,
): { readonly items: readonly Item[]; readonly index: number } {
  const own = items[index];
  if (own === undefined) return { items, index };
  switch (action) {
    case 'insert':
      return { items: items.toSpliced(index + 1, 0, fresh), index: index + 1 };
    case 'duplicate':
      return { items: items.toSpliced(index + 1, 0, own), index: index + 1 };
    case 'remove':
      return { items: items.toSpliced(index, 1), index: Math.min(index, items.length - 2) };
    case 'moveUp':
    case 'moveDown': {
      const to = index + (action === 'moveUp' ? -1 : 1);
      if (to < first || to >= items.length) return { items, index };
      return { items: items.toSpliced(index, 1).toSpliced(to, 0, own), index: to };
    }
  }
}

/** The same place in the item at another index; with none left, the list. */
function toFocusPath({ path, item }: FormRow & { readonly item: ItemPlace }, index: number): FormPath {
  if (index < 0) return item.list;
  const step = path[item.list.length];
  const moved: FormStep =
    step !== undefined && 'extraName' in step
      ? { extraName: index }
      : item.isExtra
        ? { extra: index }
        : { item: index };
  return [...item.list, moved, ...path.slice(item.list.length + 1)];
}
