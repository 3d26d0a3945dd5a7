import { looksSecret } from '../../server-runtime/schema/received.ts';
import { accepts } from './accepts.ts';
import { type ApiSchema, type Branch, isFile } from './branch.ts';
import type { FormField, FormGroup, FormKind, FormVariant } from './form-field.ts';
import { findTag, findValues, isNothing, toBranches, toFieldEntries } from './read-branches.ts';
import { toDefaultText, toDescription } from './schema-fields.ts';
import { once } from './schema-json.ts';
import { toConstraints, toUnionText, toVariantTexts } from './type-text.ts';

/** The depth to which the fields of a form are shown before there is something in them. */
const MAX_DEPTH = 4;

/** An intersection with itself makes new schemas for ever. */
const MAX_PARTS = 40;

const json: FormKind = { kind: 'json' };

/** The field of a whole input. */
export function toRootField(schema: ApiSchema): FormField {
  return toField({ name: '', isRequired: true, schema }, []);
}

/** The field of an input that is an object with these fields. */
export function toGroupField(fields: readonly FormField[]): FormField {
  return { name: '', kind: { kind: 'group', fields: () => fields }, type: 'object', isRequired: true, note: '' };
}

/** A union is a text for `string | null`, a picker for values, else a choice of variants, by their tag. */
function toKind(branches: readonly Branch[], above: readonly Branch[]): FormKind {
  const values = branches.filter(({ type }) => type !== 'null');
  const [first, ...others] = values;
  if (first === undefined || above.length > MAX_PARTS) return json;
  const lists = values.map((branch) => branch.values);
  if (lists.every((list) => list !== undefined)) return { kind: 'picker', values: lists.flat() };
  if (others.length === 0) return toKindOfBranch(first, above);
  const tag = findTag(values);
  const labels = tag?.values.map((each) => each.map(String).join(' | ')) ?? toVariantTexts(values);
  const variants = values.map(
    (branch, at): FormVariant => ({
      ...toVariant(branch, labels[at] ?? '', above),
      ...(tag !== undefined && { tag: tag.values[at]?.length === 1 ? tag.name : undefined }),
    }),
  );
  return { kind: 'union', variants };
}

/** `above`: what it is inside of. */
function toKindOfBranch(branch: Branch, above: readonly Branch[]): FormKind {
  const within = [...above, branch];
  switch (branch.type) {
    case 'string':
      return { kind: isFile(branch) ? 'file' : 'text' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'toggle' };
    case 'array':
      return branch.first.length > 0 ? toTuple(branch, within) : { kind: 'list', item: toItem(branch.rest, within) };
    case 'object':
      return toGroup(branch, above);
    default:
      return branch.kind === 'date' ? { kind: 'text' } : json;
  }
}

function toItem(schema: ApiSchema = { json: true, root: true }, above: readonly Branch[]): () => FormField {
  return once(() => ({ ...toField({ name: '', isRequired: true, schema }, above), isItem: true }));
}

function toTuple({ first, rest, counts: { minItems = 0 } }: Branch, above: readonly Branch[]): FormKind {
  return {
    kind: 'tuple',
    items: once(() =>
      first.map((schema, index) => toField({ name: `${index + 1}`, isRequired: index < minItems, schema }, above)),
    ),
    rest: rest !== undefined && isNothing(rest) ? undefined : toItem(rest, above),
  };
}

function toGroup(branch: Branch, above: readonly Branch[]): FormGroup {
  const { rest, names, isRecord, required, fields } = branch;
  const hasNames = isRecord && names !== undefined && findValues(names) !== undefined;
  const isOpen = rest !== undefined && !isNothing(rest) && !hasNames;
  const within = [...above, branch];
  return {
    kind: 'group',
    fields: once(() =>
      toFieldEntries(branch).map(([name, schema]) => toField({ name, isRequired: required.has(name), schema }, within)),
    ),
    extra: isOpen ? toItem(rest, within) : undefined,
    isFolded:
      above.some((outer) => outer.fields === fields) ||
      above.filter(({ type }) => type === 'object').length > MAX_DEPTH,
  };
}

function toVariant(branch: Branch, label: string, above: readonly Branch[]): FormVariant {
  const { schema } = branch;
  return {
    label,
    field: once(() => toField({ name: '', isRequired: true, schema, branches: [branch] }, above)),
    admits: (value) => accepts(schema, value),
  };
}

interface NamedSchema {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: ApiSchema;
  /** @default those of the schema */
  readonly branches?: readonly Branch[];
}

function toField(
  { name, isRequired, schema, branches = toBranches(schema) }: NamedSchema,
  above: readonly Branch[],
): FormField {
  const kind = withMask(toKind(branches, above), name);
  const fallback = toDefaultText(schema);
  return {
    name,
    kind,
    placeholder: toPlaceholder(kind, branches),
    type: toUnionText(branches),
    isRequired: isRequired && fallback === undefined,
    isNullable: branches.some(({ type }) => type === 'null'),
    default: fallback,
    note: [...toConstraints(schema), toDescription(schema) ?? ''].filter(Boolean).join(', '),
  };
}

/** A value whose name says that it is a secret is not shown. */
function withMask(kind: FormKind, name: string): FormKind {
  if ((kind.kind !== 'text' && kind.kind !== 'number') || !looksSecret(name)) return kind;
  return { ...kind, mask: (text) => '*'.repeat([...text].length) };
}

function toPlaceholder({ kind }: FormKind, branches: readonly Branch[]): string | undefined {
  if (kind === 'file') return 'path of a file';
  const text = branches.find(({ type }) => type !== 'null');
  // A date that JSON has no word for is written with its time.
  return kind === 'text' ? examples[(text?.type === 'any' ? 'date-time' : text?.formats[0]) ?? ''] : undefined;
}

const examples: Readonly<Record<string, string>> = {
  date: '2026-12-31',
  'date-time': '2026-12-31T23:59:00Z',
  time: '23:59:00',
  duration: 'P1DT12H',
};
