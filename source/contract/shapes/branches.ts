import { resolveShape } from '../../shape/resolve-shape.ts';
import { isFile, isNull, type ObjectShape, type Shape, type ShapeKind } from '../../shape/shape.ts';

/** One of the alternatives that a shape admits. */
export interface Branch {
  /** `string`, `integer`, `date`, `any`; literals have that of their type. */
  readonly type: string;
  /** The literal fields of an object, by which the objects of a union are told apart: `type="card"`. */
  readonly tag: string;
  readonly shape: BranchShape;
  /** Restrictions that the model cannot say. */
  readonly keywords?: Readonly<Record<string, unknown>> | undefined;
  /** Rules that are code, those of the union around it too. */
  readonly checks: readonly string[];
}

/** A schema that is not a choice itself. */
export type BranchShape = Exclude<ShapeKind, { readonly kind: 'union' | 'reference' | 'unclear' }>;

type Around = Pick<Branch, 'checks' | 'keywords'>;

/** The alternatives of a shape: those of a union, of literals one for each type of value, else the shape itself. */
export function toBranches(shape: Shape, around: Around = { checks: [] }, depth = 0): readonly Branch[] {
  const whole = resolveShape(shape);
  const own = { ...around, checks: [...around.checks, ...findChecks(shape)] };
  const inner = (part: Shape, more: Around = own): readonly Branch[] => toBranches(part, more, depth + 1);
  // A union of nothing but itself.
  if (depth > MAX_DEPTH) return [{ type: 'any', tag: '', shape: { kind: 'any' }, checks: [] }];
  if (whole.kind === 'union') return whole.variants.flatMap((variant) => inner(variant));
  if (whole.kind === 'unclear') return inner(whole.base, { ...own, keywords: { ...own.keywords, ...whole.keywords } });
  if (whole.kind === 'literal' && !isNull(whole))
    return toLiterals(whole.values).map((branch) => ({ ...own, ...branch }));
  return [{ ...own, ...toBranch(whole) }];
}

const MAX_DEPTH = 20;

/** The checks beside each reference on the way, and those of its target. */
function findChecks(shape: Shape, depth = 0): readonly string[] {
  const { checks = [] } = shape;
  return shape.kind === 'reference' && depth < MAX_DEPTH
    ? [...checks, ...findChecks(shape.target(), depth + 1)]
    : checks;
}

type Named = Pick<Branch, 'type' | 'tag' | 'shape'>;

function toLiterals(literals: readonly unknown[]): readonly Named[] {
  const toTypeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
  return [...new Set(literals.map(toTypeOf))].map((type) => ({
    type,
    tag: '',
    shape: { kind: 'literal', values: literals.filter((value) => toTypeOf(value) === type) },
  }));
}

function toBranch(shape: BranchShape): Named {
  const tag = shape.kind === 'object' && !shape.isRecord ? toTag(shape.fields) : '';
  return { type: toType(shape), tag, shape };
}

function toType(shape: BranchShape): string {
  if (shape.kind === 'number') return shape.isInteger ? 'integer' : 'number';
  if (shape.kind === 'any') return shape.type ?? 'any';
  if (isNull(shape)) return 'null';
  return isFile(shape) ? 'file' : shape.kind === 'list' ? 'array' : shape.kind;
}

function toTag(fields: ObjectShape['fields']): string {
  const tags = fields.flatMap(({ name, shape }) => {
    const value = shape();
    return value.kind === 'literal' && value.values.length === 1 ? [`${name}=${JSON.stringify(value.values[0])}`] : [];
  });
  return tags.join(' ');
}

export interface BranchPairs {
  /** Branches that have become one another. */
  readonly pairs: readonly (readonly [old: Branch, now: Branch])[];
  /** Branches with values that only one of the two sides admits. */
  readonly lost: readonly Branch[];
  readonly gained: readonly Branch[];
}

/** Whether every value of the second branch is one of the first, too. */
type Admits = (wide: Branch, narrow: Branch) => boolean;

/** Which branch of a schema has become which. */
export function pairBranches(olds: readonly Branch[], news: readonly Branch[], admits: Admits): BranchPairs {
  const [old, now] = [olds[0], news[0]];
  if (olds.length * news.length === 1 && old?.type === now?.type && old?.tag === now?.tag)
    return { pairs: old && now ? [[old, now]] : [], lost: [], gained: [] };
  // The only object of each side has become the other one, whatever its literals.
  const isOnlyObject = [olds, news].every((branches) => branches.filter(({ type }) => type === 'object').length === 1);
  const toKey = ({ type, tag }: Branch): string => {
    if (type === 'integer') return 'number';
    return isOnlyObject && type === 'object' ? type : `${type} ${tag}`.trimEnd();
  };
  const ofKey = (branches: readonly Branch[], key: string) => branches.filter((each) => toKey(each) === key);
  const all = [...new Set([...olds, ...news].map(toKey))].map((key) =>
    pairAlike(ofKey(olds, key), ofKey(news, key), admits),
  );
  const isAnything = ({ type }: Branch): boolean => type === 'any';
  return {
    pairs: all.flatMap(({ pairs }) => pairs),
    lost: news.some(isAnything) ? [] : all.flatMap(({ lost }) => lost),
    gained: olds.some(isAnything) ? [] : all.flatMap(({ gained }) => gained),
  };
}

function pairAlike(olds: readonly Branch[], news: readonly Branch[], admits: Admits): BranchPairs {
  if (olds.length === 0 || news.length === 0) return { pairs: [], lost: olds, gained: news };
  if (olds.length === 1 && news.length === 1) return toPairs(olds, news);
  // Of several branches that only their limits tell apart, those that the other side covers are not a difference.
  const lost = olds.filter((old) => !news.some((now) => admits(now, old)));
  const gained = news.filter((now) => !olds.some((old) => admits(old, now)));
  if (lost.length === 1 && gained.length === 1) return toPairs(lost, gained);
  const isSplit = (olds.length === 1 || news.length === 1) && lost.length + gained.length > 0;
  const isKept = olds.some((old) => news.some((now) => admits(now, old) && admits(old, now)));
  return isSplit && !isKept ? toPairs(olds, news) : { pairs: [], lost, gained };
}

/** Numbers that have become integers are lost, whatever their limits; and the other way round. */
function toPairs(olds: readonly Branch[], news: readonly Branch[]): BranchPairs {
  const isInteger = ({ type }: Branch): boolean => type === 'integer';
  const isWholeNumber = ({ shape }: Branch): boolean => shape.kind === 'number' && !shape.isInteger;
  return {
    pairs: olds.flatMap((old) => news.map((now) => [old, now] as const)),
    lost: news.every(isInteger) ? olds.filter(isWholeNumber) : [],
    gained: olds.every(isInteger) ? news.filter(isWholeNumber) : [],
  };
}
