import type { FormField } from '../../../shape/form-field.ts';
import {
  type FormNode,
  type ObjectNode,
  type TypedNode,
  toExtraField,
  toFittingNode,
  toItemField,
} from '../form-node.ts';
import { type FormPath, type FormStep, toPathId } from '../form-path.ts';
import { findNumberProblem } from './find-number-problem.ts';
import { parseExactJson } from './parse-exact-json.ts';

/** The value of a form, and the problems that keep it from being sent. */
export interface FormValue {
  /** Undefined where it is left out. Where there is a problem, something as close to it as JSON can be. */
  readonly value: unknown;
  /** Problems by the id of the path. A value with one cannot be sent. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The value that a form describes. */
export function toFormValue(field: FormField, node: FormNode | undefined, path: FormPath = []): FormValue {
  const problems = new Map<string, string>();
  const value = toValue(field, { node: toFittingNode(field, node), path, problems });
  return { value, problems };
}

interface At<Node extends FormNode = FormNode> {
  readonly node: Node;
  readonly path: FormPath;
  readonly problems: Map<string, string>;
}

function toValue(field: FormField, { node, path, problems }: At): unknown {
  const refuse = (problem: string | undefined): void => {
    if (problem !== undefined) problems.set(toPathId(path), problem);
  };
  const inside = (child: FormField, inner: FormNode | undefined, step: FormStep): unknown =>
    toValue(child, { node: toFittingNode(child, inner), path: [...path, step], problems });
  switch (node.kind) {
    case 'unset':
      return undefined;
    case 'null':
      return null;
    case 'json':
    case 'text': {
      const { value, problem } = toTypedValue(field, node);
      refuse(problem);
      return value;
    }
    case 'pick':
      return field.kind.kind === 'picker' ? field.kind.values[node.index] : node.index === 0;
    case 'object':
      return toObjectValue(field, { node, path, problems });
    case 'list': {
      const { kind } = field;
      const values = node.items.map((item, index) => inside(toItemField(field, index), item, { item: index }));
      // What a tuple need not have is left out from its end.
      const length = kind.kind === 'tuple' ? values.findLastIndex((value) => value !== undefined) + 1 : values.length;
      return values.slice(0, length).map((value, index) => {
        if (value !== undefined) return value;
        problems.set(
          toPathId([...path, { item: index }]),
          'Give the item a value, or make it null or empty with Ctrl-N.',
        );
        return null;
      });
    }
    case 'variant': {
      const variant = field.kind.kind === 'union' ? field.kind.variants[node.index] : undefined;
      if (variant === undefined) return undefined;
      const inner = toFittingNode(variant.field(), node.nodes[node.index]);
      // The picker says that the object is there, also where nothing is in it.
      const said = inner.kind === 'object' ? { ...inner, isExplicit: true } : inner;
      return inside(variant.field(), said, { variant: true });
    }
  }
}

function toTypedValue(
  { kind }: FormField,
  node: TypedNode,
): { readonly value: unknown; readonly problem?: string | undefined } {
  if (node.kind === 'json' || kind.kind === 'json') {
    const parsed = parseExactJson(node.text);
    return 'problem' in parsed ? { value: node.text, problem: parsed.problem } : parsed;
  }
  if (kind.kind !== 'number') return { value: kind.kind === 'file' ? node.text.trim() : node.text };
  const problem = findNumberProblem(node.text);
  return problem === undefined ? { value: Number(node.text) } : { value: node.text, problem };
}

/** Nothing where nothing is inside, unless the object was said to be there. */
function toObjectValue(field: FormField, { node, path, problems }: At<ObjectNode>): object | undefined {
  const entries: [string, unknown][] = [];
  const names = new Set<string>();
  for (const child of field.kind.kind === 'group' ? field.kind.fields() : []) {
    const inner = toFittingNode(child, node.fields.find(({ name }) => name === child.name)?.node);
    const value = toValue(child, { node: inner, path: [...path, { field: child.name }], problems });
    names.add(child.name);
    if (value !== undefined) entries.push([child.name, value]);
  }
  node.extras.forEach(({ name, node: inner }, index) => {
    if (names.has(name.text)) problems.set(toPathId([...path, { extraName: index }]), 'This name is there already.');
    names.add(name.text);
    const child = toExtraField(field);
    const at = [...path, { extra: index }];
    const value = toValue(child, { node: toFittingNode(child, inner), path: at, problems });
    if (value === undefined) problems.set(toPathId(at), 'Give the name a value, or make it null with Ctrl-N.');
    else entries.push([name.text, value]);
  });
  return entries.length > 0 || node.isExplicit || node.extras.length > 0 ? Object.fromEntries(entries) : undefined;
}
