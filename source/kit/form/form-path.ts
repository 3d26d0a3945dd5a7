import type { FormField } from '../../shape/form-field.ts';
import {
  type ExtraNode,
  type FormNode,
  type ListNode,
  type ObjectNode,
  toExtraField,
  toFittingNode,
  toItemField,
  toTypedNode,
  type VariantNode,
} from './form-node.ts';

/** A step from a value to one inside of it. What a field is called says nothing of where it is: names may hold any character. */
export type FormStep =
  | { readonly field: string }
  | { readonly item: number }
  /** A value that an object has beside its fields, and its name. */
  | { readonly extra: number }
  | { readonly extraName: number }
  | { readonly variant: true };

/** The way to a value, from the whole on. */
export type FormPath = readonly FormStep[];

/** As unique as the path, for a place in a map. */
export function toPathId(path: FormPath): string {
  return JSON.stringify(path);
}

export interface Place {
  readonly field: FormField;
  readonly node: FormNode;
}

/** The tree with another node at a path. What is on the way there is made where nobody has said anything of it. */
export function withNode(place: Place, path: FormPath, update: (place: Place) => FormNode): FormNode {
  const { field } = place;
  const node = toFittingNode(field, place.node);
  const [step, ...rest] = path;
  if (step === undefined) return update({ field, node });
  const inside = (child: FormField, at: FormNode | undefined): FormNode =>
    withNode({ field: child, node: toFittingNode(child, at) }, rest, update);
  if ('field' in step) {
    const object = toObjectNode(node);
    const child = findChildField(field, step.field);
    if (child === undefined) return node;
    const before = object.fields.find(({ name }) => name === step.field);
    return withField(object, step.field, inside(child, before?.node));
  }
  if ('variant' in step) {
    if (node.kind !== 'variant' || field.kind.kind !== 'union') return node;
    const child = field.kind.variants[node.index]?.field();
    if (child === undefined) return node;
    return withVariant(node, inside(child, node.nodes[node.index]));
  }
  if ('item' in step) {
    const list: ListNode = node.kind === 'list' ? node : { kind: 'list', items: [] };
    return withItem(field, list, { index: step.item, toNode: inside });
  }
  if (node.kind !== 'object') return node;
  const index = 'extra' in step ? step.extra : step.extraName;
  const extra = node.extras[index];
  if (extra === undefined) return node;
  const next: ExtraNode =
    'extra' in step
      ? { ...extra, node: inside(toExtraField(field), extra.node) }
      : { ...extra, name: toName(update({ field: nameField, node: extra.name })) };
  return { ...node, extras: node.extras.with(index, next) };
}

/** The schema of a name of one's own. */
export const nameField: FormField = {
  name: 'name',
  kind: { kind: 'text', isOneLine: true },
  type: 'name',
  isRequired: true,
  isItem: true,
  note: '',
};

function toName(node: FormNode) {
  return node.kind === 'text' ? node : toTypedNode('');
}

/** A value that was left out is there as soon as something inside of it is. */
export function toObjectNode(node: FormNode): ObjectNode {
  return node.kind === 'object' ? node : { kind: 'object', isExplicit: false, fields: [], extras: [] };
}

export function findChildField({ kind }: FormField, wanted: string): FormField | undefined {
  return kind.kind === 'group' ? kind.fields().find(({ name }) => name === wanted) : undefined;
}

function withField(object: ObjectNode, name: string, node: FormNode): ObjectNode {
  const others = object.fields.filter((field) => field.name !== name);
  return { ...object, fields: [...others, { name, node }] };
}

function withVariant(node: VariantNode, inner: FormNode): VariantNode {
  return { ...node, nodes: { ...node.nodes, [node.index]: inner } };
}

interface ItemChange {
  readonly index: number;
  readonly toNode: (field: FormField, node: FormNode | undefined) => FormNode;
}

/** A tuple has a place for each of its items before they are there. */
function withItem(field: FormField, list: ListNode, { index, toNode }: ItemChange): ListNode {
  const length = Math.max(list.items.length, index + 1);
  return {
    kind: 'list',
    items: Array.from({ length }, (_, at) => {
      const child = toItemField(field, at);
      return at === index ? toNode(child, list.items[at]) : toFittingNode(child, list.items[at]);
    }),
  };
}

/** The value of a field of an object; undefined where it was not touched. */
export function findChildNode(node: FormNode, wanted: string): FormNode | undefined {
  return node.kind === 'object' ? node.fields.find(({ name }) => name === wanted)?.node : undefined;
}
