import { isDeclaredSecret, looksSecret } from '../../server-runtime/schema/received.ts';
import { once } from '../values/once.ts';
import {
  type ApiSchema,
  anything,
  type Branch,
  isFile,
  type ListBranch,
  type NamedSchema,
  type ObjectBranch,
} from './branch.ts';
import { toConstraints } from './constraints.ts';
import type { FormField, FormKind, FormVariant } from './form-field.ts';
import {
  accepts,
  findTag,
  findValues,
  isNothing,
  toBranches,
  toFieldEntries,
} from './read-branches.ts';
import { toDefaultText, toDescription } from './schema-fields.ts';
import { toTypeText, toVariantLabels } from './type-text.ts';

/** The depth to which the fields of a form are shown before there is something in them. */
const MAX_DEPTH = 4;

/** An intersection with itself makes new schemas for ever. */
const MAX_PARTS = 40;

/** The field of a whole input. */
export function toRootField(schema: ApiSchema): FormField {
  return toField({ name: '', isRequired: true, schema }, []);
}

/** The field of an input that is an object with these fields. */
export function toGroupField(fields: readonly FormField[]): FormField {
  return {
    name: '',
    kind: { kind: 'group', fields: () => fields },
    type: 'object',
    isRequired: true,
    note: '',
  };
}

interface FieldSource extends NamedSchema {
  /** @default those of the schema */
  readonly branches?: readonly Branch[];
}

/** `above`: what it is inside of. */
function toField(
  { name, isRequired, schema, branches = toBranches(schema) }: FieldSource,
  above: readonly Branch[],
): FormField {
  const kind = toKind(branches, above);
  const isSecret =
    looksSecret(name) ||
    [schema, ...branches.map((each) => each.schema)].some(({ json }) =>
      isDeclaredSecret(Object(json)),
    );
  const isHidden = (kind.kind === 'text' || kind.kind === 'number') && isSecret;
  const fallback = toDefaultText(schema);
  return {
    name,
    kind: isHidden ? { ...kind, mask: (text) => '*'.repeat([...text].length) } : kind,
    placeholder: toPlaceholder(kind, branches),
    type: toTypeText(schema),
    isRequired: isRequired && fallback === undefined,
    isNullable: branches.some(({ type }) => type === 'null'),
    default: fallback,
    note: [...toConstraints(schema), toDescription(schema) ?? ''].filter(Boolean).join(', '),
  };
}

/** A union is a text for `string | null`, a picker for values, else a choice of variants. */
function toKind(branches: readonly Branch[], above: readonly Branch[]): FormKind {
  const values = branches.filter(({ type }) => type !== 'null');
  const [branch, ...others] = values;
  if (branch === undefined || above.length > MAX_PARTS) return { kind: 'json' };
  const lists = values.map((each) => each.values);
  if (lists.every((list) => list !== undefined)) return { kind: 'picker', values: lists.flat() };
  return others.length > 0 ? toChoice(values, above) : toOnlyKind(branch, above);
}

function toOnlyKind(branch: Branch, above: readonly Branch[]): FormKind {
  switch (branch.type) {
    case 'string':
      return { kind: isFile(branch) ? 'file' : 'text' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'toggle' };
    case 'array':
      return toListKind(branch, [...above, branch]);
    case 'object':
      return toGroupKind(branch, above);
    case 'null':
      return { kind: 'json' };
    case 'any':
      return { kind: branch.kind === 'date' ? 'text' : 'json' };
  }
}

function toItem(schema: ApiSchema | undefined, within: readonly Branch[]): () => FormField {
  const item = { name: '', isRequired: true, schema: schema ?? anything };
  return once(() => ({ ...toField(item, within), isItem: true }));
}

function toListKind({ first, rest, counts }: ListBranch, within: readonly Branch[]): FormKind {
  if (first.length === 0) return { kind: 'list', item: toItem(rest, within) };
  const toPosition = (schema: ApiSchema, index: number): FormField =>
    toField({ name: `${index + 1}`, isRequired: index < (counts.minItems ?? 0), schema }, within);
  const isClosed = rest !== undefined && isNothing(rest);
  return {
    kind: 'tuple',
    items: once(() => first.map(toPosition)),
    rest: isClosed ? undefined : toItem(rest, within),
  };
}

function toGroupKind(branch: ObjectBranch, above: readonly Branch[]): FormKind {
  const { names, isRecord, required, fields, rest } = branch;
  const within = [...above, branch];
  const hasNames = isRecord && names !== undefined && findValues(names) !== undefined;
  const isOpen = rest !== undefined && !isNothing(rest) && !hasNames;
  const toMember = ([name, schema]: readonly [string, ApiSchema]): FormField =>
    toField({ name, isRequired: required.has(name), schema }, within);
  const outer = above.filter((each) => each.type === 'object');
  return {
    kind: 'group',
    fields: once(() => toFieldEntries(branch).map(toMember)),
    extra: isOpen ? toItem(rest, within) : undefined,
    isFolded: outer.length > MAX_DEPTH || outer.some((each) => each.fields === fields),
  };
}

/** The variants are named by their tag, else by their types. */
function toChoice(values: readonly Branch[], above: readonly Branch[]): FormKind {
  const tag = findTag(values);
  const labels = toVariantLabels(values);
  const variants = values.map(
    (branch, at): FormVariant => ({
      label: labels[at] ?? '',
      field: once(() =>
        toField({ name: '', isRequired: true, schema: branch.schema, branches: [branch] }, above),
      ),
      admits: (value) => accepts(branch.schema, value),
      tag: tag?.values[at]?.length === 1 ? tag.name : undefined,
    }),
  );
  return { kind: 'union', variants };
}

function toPlaceholder({ kind }: FormKind, branches: readonly Branch[]): string | undefined {
  if (kind === 'file') return 'path of a file';
  if (kind !== 'text') return undefined;
  const text = branches.find(({ type }) => type === 'any' || type === 'string');
  // A date that JSON has no word for is written with its time.
  const format = text?.type === 'string' ? text.formats[0] : 'date-time';
  return examples[format ?? ''];
}

const examples: Readonly<Record<string, string>> = {
  date: '2026-12-31',
  'date-time': '2026-12-31T23:59:00Z',
  time: '23:59:00',
  duration: 'P1DT12H',
};
