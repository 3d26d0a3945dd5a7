import { toListWords, toLiteral, toRange } from '../../server-runtime/openapi/schema-words.ts';
import { type ApiSchema, type Bound, type Branch, isFile } from './branch.ts';
import { findOnlyBranch, findValues, isAnything, isNothing, toBranches } from './read-branches.ts';

/**
 * A schema as a type that a reader knows: `string`, `integer`, `'a' | 'b'`, `string[]`, `record of number`, `date`,
 * `file`, `string | null`; `object` where it has fields of its own, `{ kind: 'card', number } | { kind: 'cash' }` where
 * it is one of several. A reference is the name of what it refers to; where that has no name, it is `object`.
 */
export function toTypeText(schema: ApiSchema): string {
  return toUnionText(toBranches(schema));
}

/** Objects tell themselves apart by their fields; one beside `null` shows them elsewhere. */
export function toUnionText(branches: readonly Branch[]): string {
  const isChoice = branches.filter((branch) => branch.name === undefined && hasFields(branch)).length > 1;
  const texts = branches.map((branch) => toBranchText(branch, isChoice));
  return branches.length === 0 ? 'never' : [...new Set(texts)].join(' | ');
}

function toBranchText(branch: Branch, isChoice: boolean): string {
  const { type, name, values, kind, formats, isRecord, rest, first } = branch;
  if (name !== undefined) return name;
  if (values !== undefined) return values.map(toLiteral).join(' | ');
  switch (type) {
    case 'any':
      return kind ?? 'any';
    case 'string':
      if (isFile(branch) || kind !== undefined) return kind ?? 'file';
      return formats[0] === undefined ? 'string' : `string (${formats[0]})`;
    case 'array':
      return first.length > 0 ? toTupleText(branch) : toListWords(rest === undefined ? 'any' : toTypeText(rest));
    case 'object':
      if (isRecord) return `record of ${rest === undefined ? 'any' : toTypeText(rest)}`;
      return isChoice ? toObjectText(branch) : 'object';
    default:
      return type;
  }
}

/** Positions that need not be there have a question mark. */
function toTupleText({ first, rest, counts: { minItems = 0 } }: Branch): string {
  const texts = first.map((item, index) => `${toTypeText(item)}${index < minItems ? '' : '?'}`);
  const isOpen = rest !== undefined && !isNothing(rest) && !isAnything(rest);
  return `[${[...texts, ...(isOpen ? [`...${toListWords(toTypeText(rest))}`] : [])].join(', ')}]`;
}

function toObjectText({ fields, required }: Branch): string {
  const texts = [...fields].map(([name, field]) => {
    const isPlain = toBranches(field).every((branch) => branch.name === undefined);
    const value = findValues(field) !== undefined && isPlain ? `: ${toTypeText(field)}` : '';
    return `${name}${required.has(name) ? '' : '?'}${value}`;
  });
  return texts.length === 0 ? 'object' : `{ ${texts.join(', ')} }`;
}

function hasFields({ type, isRecord, values }: Branch): boolean {
  return type === 'object' && !isRecord && values === undefined;
}

/**
 * The names of branches of which one is chosen, no two of them the same: their types, objects of several by their
 * fields (`object with a, b`), and what is still alike by numbers (`string 2`).
 */
export function toVariantTexts(branches: readonly Branch[]): readonly string[] {
  const types = branches.map((branch) => toBranchText(branch, false));
  const isAlone = (text: string, texts: readonly string[]): boolean =>
    texts.filter((other) => other === text).length === 1;
  const texts = branches.map((branch, at) => {
    const [type = '', names] = [types[at], [...branch.fields.keys()]];
    return isAlone(type, types) || !hasFields(branch) || names.length === 0 ? type : `object with ${names.join(', ')}`;
  });
  return texts.map((text, at) =>
    isAlone(text, texts) ? text : `${text} ${texts.slice(0, at + 1).filter((other) => other === text).length}`,
  );
}

/** The limits of a value beside its type, in a few words each: `1 to 20 characters`, `matches /^a/`, `unique`. */
export function toConstraints(schema: ApiSchema): readonly string[] {
  const only = findOnlyBranch(schema);
  return only === undefined || only.name !== undefined ? [] : toLimitTexts(only);
}

function toLimitTexts(branch: Branch): readonly string[] {
  const { values, counts, multiples, isUnique, first, encoding, mediaTypes } = branch;
  if (values !== undefined) return [];
  const { min, max } = toTellingBounds(branch);
  const inclusive = (bound: Bound | undefined): number | undefined => (bound?.isExclusive ? undefined : bound?.value);
  const types = isFile(branch) && mediaTypes.length > 0 ? [mediaTypes.join(' or ')] : [];
  return [
    ...toRange(counts.minLength, counts.maxLength, isFile(branch) ? 'bytes' : 'characters'),
    ...toTellingPatterns(branch).map((pattern) => `matches /${pattern}/`),
    ...(encoding === undefined ? [] : [encoding]),
    ...types,
    ...toRange(inclusive(min), inclusive(max), ''),
    ...(min?.isExclusive ? [`more than ${min.value}`] : []),
    ...(max?.isExclusive ? [`less than ${max.value}`] : []),
    ...multiples.map((multiple) => `a multiple of ${multiple}`),
    ...(first.length > 0 ? [] : toRange(counts.minItems, counts.maxItems, 'items')),
    ...(isUnique ? ['unique'] : []),
    ...toRange(counts.minProperties, counts.maxProperties, 'fields'),
  ];
}

/** Without the bounds of safe integers, which zod writes and which say nothing of a field. */
export function toTellingBounds({ min, max }: Pick<Branch, 'min' | 'max'>): Pick<Branch, 'min' | 'max'> {
  const isTelling = (bound: Bound | undefined): boolean => Math.abs(bound?.value ?? 0) !== Number.MAX_SAFE_INTEGER;
  return { min: isTelling(min) ? min : undefined, max: isTelling(max) ? max : undefined };
}

/** Without the first pattern where that belongs to a format or a value, which say the same in one word. */
function toTellingPatterns({ patterns, formats, kind }: Branch): readonly string[] {
  return patterns.slice(formats.length === 0 && kind === undefined ? 0 : 1);
}
