import { accepts } from '../../shape/accepts.ts';
import type { Shape } from '../../shape/shape.ts';
import { toTypeText } from '../../shape/type-text.ts';
import type { ContractChange } from '../contract-change.ts';
import { type FoundChange, type RuleId, toChange } from '../rules/rules.ts';
import { toSortedText } from '../sorted-json.ts';
import type { Branch } from './branches.ts';
import type { LimitChange } from './limits.ts';

/** Callers send the input, which may come to admit more; they read the output, which may come to promise more. */
export type Direction = 'input' | 'output';

/** The place of a comparison of two shapes. */
export interface ShapePlace {
  /** `input.address.city` */
  readonly at: string;
  readonly direction: Direction;
}

interface TypeChange {
  readonly before: Shape;
  readonly after: Shape;
  /** The kinds of value that only one of the two admits. */
  readonly lost: readonly Branch[];
  readonly gained: readonly Branch[];
}

export function toTypeChange({ lost, gained, ...shapes }: TypeChange, place: ShapePlace): ContractChange {
  const [before, after] = [toTypeText(shapes.before), toTypeText(shapes.after)];
  // Of a union of objects, which are told apart by a tag, the tag says more than the words for the whole.
  const isTagged = [...lost, ...gained].every(({ tag }) => tag !== '');
  const toWords = (verb: string, branches: readonly Branch[]): readonly string[] =>
    branches.length === 0 ? [] : [`${verb} ${branches.map(({ type, tag }) => `${type} ${tag}`.trim()).join(', ')}`];
  const message =
    before === after || isTagged
      ? [...toWords('lost', lost), ...toWords('gained', gained)].join(' and ')
      : `changed from ${before} to ${after}`;
  const isNarrower = place.direction === 'input' ? lost.length > 0 : gained.length === 0;
  return toFound(`${place.direction}-type-${isNarrower ? 'narrower' : 'wider'}`, { message, before, after }, place);
}

export function toUnclear(old: Shape, now: Shape, place: ShapePlace): ContractChange {
  const texts = { before: toTypeText(old), after: toTypeText(now) };
  return toFound(`${place.direction}-unclear`, { message: 'has other restrictions', ...texts }, place);
}

export function toLimitChange(
  { subject, words, before, after, effect }: LimitChange,
  place: ShapePlace,
): ContractChange {
  const message = `has the ${words} ${after}, it was ${before}`;
  const isKnown = effect !== 'unclear' && (effect !== 'other' || subject === 'format');
  const rule = isKnown
    ? (`${place.direction}-${subject}-${effect}` as RuleId)
    : subject === 'format'
      ? (`${place.direction}-format-unclear` as const)
      : place.direction === 'input'
        ? 'input-limit-narrower'
        : 'output-limit-wider';
  return toFound(rule, { message, before, after }, place);
}

/** The types of the client are others, whatever is on the wire. */
export function toValueChange(before: string, after: string, place: ShapePlace): ContractChange {
  const message = `is a ${after} to the client, it was a ${before}`;
  return toFound(`${place.direction}-value-changed`, { message, before, after }, place);
}

/** The differences between literals, or between those of one branch and another that admits more than a few. */
export function compareValues(
  old: Branch['shape'],
  now: Branch['shape'],
  place: ShapePlace,
): readonly ContractChange[] {
  const olds = old.kind === 'literal' ? old.values : undefined;
  const news = now.kind === 'literal' ? now.values : undefined;
  const gone = olds?.filter((value) => !accepts(now, value)) ?? [];
  const come = news?.filter((value) => !accepts(old, value)) ?? [];
  const toText = (values: readonly unknown[], separator: string): string =>
    values.map((value) => JSON.stringify(value)).join(separator);
  const texts = { before: olds && toText(olds, ' | '), after: news && toText(news, ' | ') };
  const toValues = (effect: 'narrower' | 'wider', message: string): ContractChange =>
    toFound(`${place.direction}-values-${effect}`, { message, ...texts }, place);
  return [
    ...(gone.length === 0 ? [] : [toValues('narrower', `lost ${toText(gone, ', ')}`)]),
    ...(come.length === 0 ? [] : [toValues('wider', `gained ${toText(come, ', ')}`)]),
    ...(olds === undefined ? [toValues('narrower', `takes only ${toText(news ?? [], ', ')} now`)] : []),
    ...(news === undefined ? [toValues('wider', 'takes any value now')] : []),
  ];
}

/** `absent` where nothing is said of a field, `refused` where it is an error. */
export type Presence = 'absent' | 'refused' | 'optional' | 'required';

export function comparePresence(before: Presence, after: Presence, place: ShapePlace): readonly ContractChange[] {
  const [old, now] = [before, after].map((presence) => (presence === 'refused' ? 'absent' : presence));
  if (old === now) return [];
  const message = old === 'absent' ? `was added, ${now}` : now === 'absent' ? 'was removed' : `became ${now}`;
  return [toFound(toPresenceRule(old, after, place.direction), { message, before: old, after: now }, place)];
}

function toPresenceRule(old: string | undefined, now: Presence, direction: Direction): RuleId {
  if (now === 'absent' || now === 'refused')
    return direction === 'output' ? 'output-field-removed' : `input-field-${now === 'refused' ? 'refused' : 'removed'}`;
  if (old === 'absent' && (now === 'optional' || direction === 'output')) return `${direction}-field-added`;
  return `${direction}-field-${now}`;
}

export function compareDefaults(old: Shape, now: Shape, place: ShapePlace): readonly ContractChange[] {
  const [before = 'none', after = 'none'] = [old.default, now.default].map((value) =>
    value === undefined ? undefined : toSortedText(value),
  );
  if (before === after) return [];
  const message = `has the default ${after}, it was ${before}`;
  return [toFound('input-default-changed', { message, before, after }, place)];
}

/** A change at a place, said of its field: `became required` becomes ``` `email` became required```. */
export function toFound(rule: RuleId, found: Omit<FoundChange, 'at'>, { at, direction }: ShapePlace): ContractChange {
  const name = at.startsWith(`${direction}.`) ? at.slice(direction.length + 1) : at;
  return toChange(rule, { ...found, at, message: `\`${name}\` ${found.message}` });
}
