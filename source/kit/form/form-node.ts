import type { FormField } from '../../shape/form-field.ts';
import { toCharacters } from '../text/text-width.ts';

/**
 * The states of one value, each told in a way of its own: that it is left out, null, a text (also the empty one), one of several, an object or a
 * list (also the empty ones). It is JSON, so that it can be kept in a file.
 */
export type FormNode =
  | { readonly kind: 'unset' }
  | { readonly kind: 'null' }
  | TypedNode
  /** Index of the picked value. */
  | { readonly kind: 'pick'; readonly index: number }
  | ObjectNode
  | ListNode
  /** The variant of a union that was picked; what was said of the others is still there. */
  | VariantNode;

export interface TypedNode {
  /** `json`: a value that the field has no other way to say. */
  readonly kind: 'text' | 'json';
  readonly text: string;
  /** Characters before the cursor. */
  readonly cursor: number;
}

export interface ObjectNode {
  readonly kind: 'object';
  /** Whether it is there also with nothing in it. */
  readonly isExplicit: boolean;
  /** Fields that were never touched are not among them. */
  readonly fields: readonly NamedNode[];
  /** In their order; those that are named by whoever fills in the form. */
  readonly extras: readonly ExtraNode[];
}

export interface NamedNode {
  readonly name: string;
  readonly node: FormNode;
}

export interface ExtraNode {
  readonly name: TypedNode;
  readonly node: FormNode;
}

export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly FormNode[];
}

export interface VariantNode {
  readonly kind: 'variant';
  readonly index: number;
  readonly nodes: Readonly<Record<number, FormNode>>;
}

export const unset: FormNode = { kind: 'unset' };

/** A text with the cursor at its end. */
export function toTypedNode(text: string, kind: TypedNode['kind'] = 'text'): TypedNode {
  return { kind, text, cursor: toCharacters(text).length };
}

/** The value of a field that nobody has touched: what must be there and can be empty, is. */
export function toInitialNode({ kind, isRequired, isNullable = false, isItem = false }: FormField): FormNode {
  if (!isRequired || isNullable) return unset;
  switch (kind.kind) {
    case 'text':
      return isItem ? toTypedNode('') : unset;
    case 'group':
      return { kind: 'object', isExplicit: true, fields: [], extras: [] };
    case 'list':
    case 'tuple':
      return { kind: 'list', items: [] };
    case 'picker':
      return kind.values.length === 1 ? { kind: 'pick', index: 0 } : unset;
    case 'number':
    case 'file':
    case 'toggle':
    case 'union':
    case 'json':
      return unset;
  }
}

/** The value of a field, held against what it can say now: its schema may have changed since. */
export function toFittingNode(field: FormField, node: FormNode | undefined): FormNode {
  return node !== undefined && fits(field, node) ? node : toInitialNode(field);
}

function fits({ kind }: FormField, node: FormNode): boolean {
  switch (node.kind) {
    case 'unset':
    case 'null':
    case 'json':
      return true;
    case 'text':
      return ['text', 'number', 'file', 'json'].includes(kind.kind);
    case 'pick':
      return kind.kind === 'toggle' || (kind.kind === 'picker' && node.index < kind.values.length);
    case 'object':
      return kind.kind === 'group';
    case 'list':
      return kind.kind === 'list' || kind.kind === 'tuple';
    case 'variant':
      return kind.kind === 'union' && node.index < kind.variants.length;
  }
}

/** The values that can be picked; undefined for a field of another kind. A union has the names of its variants. */
export function findChoices({ kind }: FormField): readonly unknown[] | undefined {
  if (kind.kind === 'toggle') return [true, false];
  if (kind.kind === 'picker') return kind.values;
  return kind.kind === 'union' ? kind.variants.map(({ label }) => label) : undefined;
}

/** The field of an item of a list or tuple; what stands where none may is JSON. */
export function toItemField({ kind }: FormField, index: number): FormField {
  if (kind.kind === 'list') return kind.item();
  return (kind.kind === 'tuple' ? (kind.items()[index] ?? kind.rest?.()) : undefined) ?? jsonItem;
}

/** The field of what an object has beside its own. */
export function toExtraField({ kind }: FormField): FormField {
  return (kind.kind === 'group' ? kind.extra?.() : undefined) ?? jsonItem;
}

const jsonItem: FormField = {
  name: '',
  kind: { kind: 'json' },
  type: 'JSON',
  isRequired: true,
  isItem: true,
  note: '',
};
