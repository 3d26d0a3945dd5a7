import {
  type ApiSchema,
  anything,
  type Branch,
  findBareReference,
  isFile,
  type ListBranch,
  type ObjectBranch,
} from './branch.ts';
import { findTag, findValues, isNothing, toBranches, toRefName } from './read-branches.ts';

/** The forms in which a printer of types writes what it finds: for readers, or for a compiler. */
export interface TypeForms {
  readonly reference: (reference: string) => string;
  readonly literal: (value: unknown) => string;
  readonly scalar: (branch: ScalarBranch) => string;
  readonly list: (item: string) => string;
  /** `rest`: all items behind them; undefined where there are none. */
  readonly tuple: (
    items: readonly { readonly type: string; readonly isOptional: boolean }[],
    rest?: string,
  ) => string;
  /** `isChoice`: whether it is one of several objects without names. */
  readonly object: (branch: ObjectBranch, isChoice: boolean) => string;
  readonly join: (types: readonly string[], sign: '|' | '&') => string;
}

/** A text, a number, a boolean, null, or anything. */
export type ScalarBranch = Exclude<Branch, ListBranch | ObjectBranch>;

/** A schema as a type, in some forms: {@link readable}, or those of a language. Components stand by their names. */
export function printType(schema: ApiSchema, forms: TypeForms): string {
  const reference = findBareReference(schema);
  if (reference !== undefined) return forms.reference(reference);
  const branches = toBranches(schema);
  return branches.length === 0 ? 'never' : printUnion(branches, forms);
}

function printUnion(branches: readonly Branch[], forms: TypeForms): string {
  const areSeveral = branches.filter(isUnnamedObject).length > 1;
  const types = branches.map((branch) => {
    const reference = findUnion(branch, branches);
    return reference === undefined
      ? printBranch(branch, forms, areSeveral)
      : forms.reference(reference);
  });
  return forms.join(types, '|');
}

function isUnnamedObject(branch: Branch): boolean {
  return branch.type === 'object' && branch.component === undefined && branch.fields.size > 0;
}

/** The reference that leads to this variant and others, where all of them are here. */
function findUnion({ union }: Branch, branches: readonly Branch[]): string | undefined {
  const reference = union && findBareReference(union);
  if (union === undefined || reference === undefined) return undefined;
  const isOfIt = (other: Branch): boolean =>
    other.union !== undefined && findBareReference(other.union) === reference;
  return branches.filter(isOfIt).length === toBranches(union).length ? reference : undefined;
}

function printBranch(branch: Branch, forms: TypeForms, isChoice: boolean): string {
  const reference = branch.component && findBareReference(branch.component);
  if (reference !== undefined) return forms.reference(reference);
  if (branch.parts !== undefined) return printParts(branch.parts, forms);
  if (branch.values !== undefined) return forms.join(branch.values.map(forms.literal), '|');
  if (branch.type === 'array') return printList(branch, forms);
  return branch.type === 'object' ? forms.object(branch, isChoice) : forms.scalar(branch);
}

/** Parts that say no more than a type and its limits add nothing to others. */
function printParts(parts: readonly Branch[], forms: TypeForms): string {
  const [first] = parts;
  const telling = parts.filter((part) => !isBare(part));
  const shown = telling.length === 0 && first !== undefined ? [first] : telling;
  return forms.join(
    shown.map((part) => printBranch(part, forms, false)),
    '&',
  );
}

function isBare(branch: Branch): boolean {
  if (branch.component !== undefined || branch.values !== undefined) return false;
  if (branch.type === 'array') return branch.first.length === 0 && branch.rest === undefined;
  return branch.type !== 'object' || (branch.fields.size === 0 && !branch.isOpen);
}

function printList({ first, rest, counts }: ListBranch, forms: TypeForms): string {
  const others = printType(rest ?? anything, forms);
  if (first.length === 0) return forms.list(others);
  const positions = first.map((item, index) => ({
    type: printType(item, forms),
    isOptional: index >= (counts.minItems ?? 0),
  }));
  return forms.tuple(positions, rest !== undefined && isNothing(rest) ? undefined : others);
}

/**
 * A schema as a type that a reader knows: `string`, `'a' | 'b'`, `User[]`, `record of number`; `object` where it has
 * fields of its own, `{ kind: 'card', number? } | { kind: 'cash' }` where it is one of several.
 */
export function toTypeText(schema: ApiSchema): string {
  return printType(schema, readable);
}

const readable: TypeForms = {
  reference: (reference) => toRefName(reference) ?? 'object',
  literal: (value) =>
    typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value),
  scalar: (branch) => {
    if (branch.type === 'any') return branch.kind ?? 'any';
    if (branch.type !== 'string') return branch.type;
    const [format = branch.encoding] = branch.formats;
    if (branch.kind !== undefined) return branch.kind;
    if (isFile(branch)) return 'file';
    return format === undefined ? 'string' : `string (${format})`;
  },
  list: (item) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`),
  tuple: (items, rest = 'any') => {
    const first = items.map(({ type, isOptional }) => `${type}${isOptional ? '?' : ''}`);
    return `[${[...first, ...(rest === 'any' ? [] : [`...${readable.list(rest)}`])].join(', ')}]`;
  },
  object: ({ fields, required, rest, isRecord }, isChoice) => {
    if (isRecord && rest !== undefined) return `record of ${toTypeText(rest)}`;
    if (!isChoice || fields.size === 0) return 'object';
    const texts = [...fields].map(([name, field]) => {
      const isListed = findBareReference(field) === undefined && findValues(field) !== undefined;
      return `${name}${required.has(name) ? '' : '?'}${isListed ? `: ${toTypeText(field)}` : ''}`;
    });
    return `{ ${texts.join(', ')} }`;
  },
  join: (types, sign) =>
    [...new Set(types)]
      .map((type) => (sign === '&' && type.includes(' | ') ? `(${type})` : type))
      .join(` ${sign} `),
};

/**
 * The names of branches of which one is chosen, no two of them the same: their types, objects of several by their
 * fields (`object with a, b`), and what is still alike by numbers (`string 2`).
 */
export function toVariantTexts(branches: readonly Branch[]): readonly string[] {
  const types = branches.map((branch) => branch.name ?? printBranch(branch, readable, false));
  const isAlone = (text: string, texts: readonly string[]): boolean =>
    texts.filter((other) => other === text).length === 1;
  const texts = branches.map((branch, at) => {
    const type = types[at] ?? '';
    const names = branch.type === 'object' ? [...branch.fields.keys()] : [];
    return isAlone(type, types) || names.length === 0 ? type : `object with ${names.join(', ')}`;
  });
  return texts.map((text, at) =>
    isAlone(text, texts)
      ? text
      : `${text} ${texts.slice(0, at + 1).filter((other) => other === text).length}`,
  );
}

/** The name of each value of a union: that of its tag, else its type. */
export function toVariantLabels(branches: readonly Branch[]): readonly string[] {
  const tags = findTag(branches)?.values;
  return tags?.map((each) => each.map(String).join(' | ')) ?? toVariantTexts(branches);
}
