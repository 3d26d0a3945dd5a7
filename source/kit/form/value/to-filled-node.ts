import { isSameJson } from '../../../shape/accepts.ts';
import type { FormField, FormGroup } from '../../../shape/form-field.ts';
import { type FormNode, toExtraField, toInitialNode, toItemField, toTypedNode, unset } from '../form-node.ts';

/** A form that says a value, whatever it is: what a field has no other way to say is said as JSON. Undefined is what it says at first. */
export function toFilledNode(field: FormField, value: unknown): FormNode {
  if (value === undefined) return toInitialNode(field);
  if (value === null) return { kind: 'null' };
  const { kind } = field;
  const asJson = toTypedNode(JSON.stringify(value), 'json');
  switch (kind.kind) {
    case 'text':
      return typeof value === 'string' ? toTypedNode(value) : asJson;
    case 'file':
      return typeof value === 'string' && value !== '' && value.trim() === value ? toTypedNode(value) : asJson;
    case 'number':
      return typeof value === 'number' ? toTypedNode(String(value)) : asJson;
    case 'json':
      return toTypedNode(JSON.stringify(value));
    case 'toggle':
      return typeof value === 'boolean' ? { kind: 'pick', index: value ? 0 : 1 } : asJson;
    case 'picker': {
      const index = kind.values.findIndex((one) => isSameJson(one, value));
      return index === -1 ? asJson : { kind: 'pick', index };
    }
    case 'group':
      return isObject(value) ? toFilledGroup(field, kind, value) : asJson;
    case 'list':
      return Array.isArray(value) ? toFilledList(field, value) : asJson;
    case 'tuple':
      return Array.isArray(value) && (kind.rest !== undefined || value.length <= kind.items().length)
        ? toFilledList(field, value)
        : asJson;
    case 'union': {
      const index = kind.variants.findIndex(({ admits }) => admits(value));
      const variant = kind.variants[index];
      if (variant === undefined) return asJson;
      return { kind: 'variant', index, nodes: { [index]: toFilledNode(variant.field(), value) } };
    }
  }
}

function toFilledGroup(field: FormField, group: FormGroup, value: Readonly<Record<string, unknown>>): FormNode {
  const fields = group.fields();
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(value).filter(([name]) => !names.has(name));
  return {
    kind: 'object',
    isExplicit: true,
    // What the value does not have is left out, also where the form would begin with something.
    fields: fields.map((child) => ({
      name: child.name,
      node: Object.hasOwn(value, child.name) ? toFilledNode(child, value[child.name]) : unset,
    })),
    extras: others.map(([name, inner]) => ({
      name: toTypedNode(name),
      node: toFilledNode(toExtraField(field), inner),
    })),
  };
}

function toFilledList(field: FormField, values: readonly unknown[]): FormNode {
  return { kind: 'list', items: values.map((value, index) => toFilledNode(toItemField(field, index), value)) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
