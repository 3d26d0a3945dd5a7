import type { FormField } from '../../shape/form-field.ts';
import { type FormNode, toExtraField, toFittingNode, toItemField, unset } from './form-node.ts';
import { type FormPath, type FormStep, nameField, toPathId } from './form-path.ts';

/** A line of a form. */
export interface FormRow {
  /** The id of the path. */
  readonly id: string;
  readonly path: FormPath;
  /** The place of its value in the input, as the schema's own problems say it: `lines.0.sku`. */
  readonly at: string;
  readonly label: string;
  readonly depth: number;
  readonly field: FormField;
  readonly node: FormNode;
  /** The way to fill it in; `items`: others are added below it. */
  readonly role: 'typed' | 'picked' | 'items' | 'group';
  /** Whether it can be filled in: what is always there has nothing to say but what is inside of it. */
  readonly isEditable: boolean;
  /** The item that it is in, or is. */
  readonly item: ItemPlace | undefined;
}

export interface ItemPlace {
  /** The path of the list, or of the object with names of one's own. */
  readonly list: FormPath;
  readonly index: number;
  /** Whether it is one of those that an object has beside its fields. */
  readonly isExtra: boolean;
}

interface RowPlace extends Pick<FormRow, 'path' | 'at' | 'label' | 'depth' | 'item'> {
  readonly field: FormField;
  readonly node: FormNode | undefined;
}

/** The place where the rows of a part of a form begin. */
export interface RowsStart {
  readonly path?: FormPath;
  /** The name of a value that is not an object. */
  readonly label?: string;
}

/** The lines of a form, in order. A whole that is an object has none of its own. */
export function toFormRows(
  field: FormField,
  node: FormNode | undefined,
  { path = [], label = 'input' }: RowsStart = {},
): readonly FormRow[] {
  const fitting = toFittingNode(field, node);
  const place = { field, node: fitting, path, at: '', label, depth: 0, item: undefined };
  const isWhole = field.kind.kind === 'group' && (fitting.kind === 'object' || fitting.kind === 'unset');
  if (!isWhole) return toRows(place);
  const inside = toInsideRows(place, fitting);
  const takesExtras = field.kind.kind === 'group' && field.kind.extra !== undefined;
  return takesExtras ? [{ ...toRow(place, fitting), label: 'others' }, ...inside] : inside;
}

function toRows(place: RowPlace): readonly FormRow[] {
  const node = toFittingNode(place.field, place.node);
  return [toRow(place, node), ...toInsideRows({ ...place, depth: place.depth + 1 }, node)];
}

function toRow({ field, ...place }: RowPlace, node: FormNode): FormRow {
  const role = node.kind === 'json' ? 'typed' : toRole(field);
  const isAlwaysThere = field.isRequired && field.isNullable !== true && node.kind === 'object';
  return { ...place, id: toPathId(place.path), field, node, role, isEditable: role !== 'group' || !isAlwaysThere };
}

function toRole({ kind }: FormField): FormRow['role'] {
  switch (kind.kind) {
    case 'text':
    case 'number':
    case 'file':
    case 'json':
      return 'typed';
    case 'toggle':
    case 'picker':
    case 'union':
      return 'picked';
    case 'list':
      return 'items';
    case 'tuple':
      return kind.rest === undefined ? 'group' : 'items';
    case 'group':
      return kind.extra === undefined ? 'group' : 'items';
  }
}

/** The rows of what is in a value, at its own depth. */
function toInsideRows(place: RowPlace, node: FormNode): readonly FormRow[] {
  const { field } = place;
  const { kind } = field;
  const child = (step: FormStep, inner: Partial<RowPlace> & Pick<RowPlace, 'field' | 'node' | 'label'>) =>
    toRows({ ...place, path: [...place.path, step], ...inner });
  switch (kind.kind) {
    case 'group': {
      if (node.kind !== 'object' && (node.kind !== 'unset' || kind.isFolded === true)) return [];
      const named = node.kind === 'object' ? node.fields : [];
      const own = kind.fields().flatMap((each) =>
        child(
          { field: each.name },
          {
            field: each,
            // An object that is not there has no rows inside.
            node: node.kind === 'unset' ? node : named.find(({ name }) => name === each.name)?.node,
            label: each.name,
            at: toAt(place.at, each.name),
          },
        ),
      );
      return [...own, ...toExtraRows(place, node)];
    }
    case 'list':
    case 'tuple': {
      if (node.kind !== 'list') return [];
      const fixed = kind.kind === 'tuple' ? kind.items().length : 0;
      return Array.from({ length: Math.max(fixed, node.items.length) }, (_, index) => index).flatMap((index) =>
        child(
          { item: index },
          {
            field: toItemField(field, index),
            // What a tuple does not have yet is left out, also where it could be one value alone.
            node: node.items[index] ?? unset,
            label: `${index + 1}`,
            at: toAt(place.at, `${index}`),
            item: index < fixed ? place.item : { list: place.path, index, isExtra: false },
          },
        ),
      );
    }
    case 'union': {
      const picked = node.kind === 'variant' ? kind.variants[node.index] : undefined;
      if (picked === undefined || node.kind !== 'variant') return [];
      const variant = picked.field();
      const inner = { field: variant, node: node.nodes[node.index], label: 'value' };
      const fitting = toFittingNode(variant, inner.node);
      const path = [...place.path, { variant: true } as const];
      // The fields of an object stand right below the picker.
      return variant.kind.kind === 'group' && fitting.kind === 'object'
        ? toInsideRows({ ...place, ...inner, path }, fitting).filter((row) => !isTag(row, path, picked.tag))
        : toRows({ ...place, ...inner, path });
    }
    case 'text':
    case 'number':
    case 'file':
    case 'json':
    case 'toggle':
    case 'picker':
      return [];
  }
}

/** The picker says what the field would. */
function isTag({ path, node }: FormRow, outer: FormPath, tag: string | undefined): boolean {
  const step = path.length === outer.length + 1 ? path.at(-1) : undefined;
  return node.kind === 'pick' && step !== undefined && 'field' in step && step.field === tag;
}

/** The entries that an object has beside its fields: the name of each, and its value. */
function toExtraRows(place: RowPlace, node: FormNode): readonly FormRow[] {
  if (node.kind !== 'object') return [];
  return node.extras.flatMap(({ name, node: inner }, index) => {
    const item = { list: place.path, index, isExtra: true };
    const at = toAt(place.at, name.text);
    const nameRow = toRow(
      {
        ...place,
        path: [...place.path, { extraName: index }],
        field: nameField,
        node: name,
        label: 'name',
        item,
        at: `${at} `,
      },
      name,
    );
    const valueRows = toRows({
      ...place,
      path: [...place.path, { extra: index }],
      field: toExtraField(place.field),
      node: inner,
      label: 'value',
      depth: place.depth + 1,
      at,
      item,
    });
    return [nameRow, ...valueRows];
  });
}

function toAt(outer: string, name: string): string {
  return outer === '' ? name : `${outer}.${name}`;
}
