import {
  type ApiSchema,
  type Bound,
  type Branch,
  type CountName,
  type Counts,
  isFile,
  type NumberBranch,
  type TextBranch,
} from './branch.ts';
import { findOnlyBranch } from './read-branches.ts';

/**
 * The limits of a value beside its type: `1 to 20 characters`, `at least 0`, `matches /^a/`, `unique`. None of a value
 * that may be of several types.
 */
export function toConstraints(schema: ApiSchema): readonly string[] {
  const only = findOnlyBranch(schema);
  return only === undefined ? [] : toWords(only).filter((word) => word !== '');
}

function toWords(branch: Branch): readonly string[] {
  switch (branch.type) {
    case 'string':
      return toTextWords(branch);
    case 'number':
    case 'integer':
      return toNumberWords(branch);
    case 'array':
      return [
        // A tuple shows its length by its positions.
        branch.first.length === 0 ? toRange(toLimits(branch.counts, 'Items'), 'items') : '',
        branch.isUnique ? 'unique' : '',
      ];
    case 'object':
      return [toRange(toLimits(branch.counts, 'Properties'), 'fields')];
    case 'any':
    case 'boolean':
    case 'null':
      return [];
  }
}

function toTextWords(branch: TextBranch): readonly string[] {
  const { counts, patterns, formats, mediaTypes, kind } = branch;
  const length = toLimits(counts, 'Length');
  if (isFile(branch)) return [toRange(length, 'bytes'), mediaTypes.join(' or ')];
  // The name of a format says more than its pattern does.
  const isNamed = formats.length > 0 || kind !== undefined;
  const expressions = isNamed ? [] : patterns.map((pattern) => `matches /${pattern}/`);
  return [toRange(length, 'characters'), ...expressions];
}

function toNumberWords(branch: NumberBranch): readonly string[] {
  const { min, max } = toTellingBounds(branch);
  const least = min?.isExclusive === false ? min.value : undefined;
  const most = max?.isExclusive === false ? max.value : undefined;
  return [
    toRange({ least, most }, ''),
    min?.isExclusive === true ? `more than ${min.value}` : '',
    max?.isExclusive === true ? `less than ${max.value}` : '',
    ...branch.multiples.map((multiple) => `a multiple of ${multiple}`),
  ];
}

/** Without the bounds of safe integers, which zod writes and which say nothing of a field. */
export function toTellingBounds({
  min,
  max,
}: Pick<NumberBranch, 'min' | 'max'>): Pick<NumberBranch, 'min' | 'max'> {
  return { min: isTelling(min) ? min : undefined, max: isTelling(max) ? max : undefined };
}

function isTelling(bound: Bound | undefined): boolean {
  return bound !== undefined && Math.abs(bound.value) !== Number.MAX_SAFE_INTEGER;
}

interface Limits {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

function toLimits(counts: Counts, what: 'Length' | 'Items' | 'Properties'): Limits {
  const least: CountName = `min${what}`;
  const most: CountName = `max${what}`;
  return { least: counts[least], most: counts[most] };
}

function toRange({ least, most }: Limits, unit: string): string {
  const withUnit = (bound: number): string =>
    `${bound} ${bound === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
  if (least === undefined) return most === undefined ? '' : `at most ${withUnit(most)}`;
  if (most === undefined) return `at least ${withUnit(least)}`;
  return least === most ? `exactly ${withUnit(least)}` : `${least} to ${withUnit(most)}`;
}
