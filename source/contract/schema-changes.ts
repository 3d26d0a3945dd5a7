import { accepts } from '../document/accepts.ts';
import type { ApiSchema, Branch } from '../document/branch.ts';
import { findNote } from '../document/read-branches.ts';
import { toTypeText } from '../document/type-text.ts';
import type { ContractChange } from './contract-change.ts';
import type { LimitChange } from './limits.ts';
import { toKindName, toTag } from './pair-branches.ts';
import { type FoundChange, type RuleId, rules, toChange } from './rules.ts';
import { toSortedText } from './sorted-json.ts';

/** Callers send the input, which may come to admit more; they read the output, which may come to promise more. */
export type Direction = 'input' | 'output';

/** The place of a comparison of two schemas. */
export interface SchemaPlace {
  /** `input.address.city` */
  readonly at: string;
  readonly direction: Direction;
}

interface TypeChange {
  readonly before: ApiSchema;
  readonly after: ApiSchema;
  /** The kinds of value that only one of the two admits. */
  readonly lost: readonly Branch[];
  readonly gained: readonly Branch[];
}

export function toTypeChange({ lost, gained, ...schemas }: TypeChange, place: SchemaPlace): ContractChange {
  const [before, after] = [toTypeText(schemas.before), toTypeText(schemas.after)];
  // Of a union of objects, which are told apart by a tag, the tag says more than the words for the whole.
  const isTagged = [...lost, ...gained].every((branch) => toTag(branch) !== '');
  const toWords = (verb: string, branches: readonly Branch[]): readonly string[] =>
    branches.length === 0
      ? []
      : [`${verb} ${branches.map((branch) => `${toKindName(branch)} ${toTag(branch)}`.trim()).join(', ')}`];
  const message =
    before === after || isTagged
      ? [...toWords('lost', lost), ...toWords('gained', gained)].join(' and ')
      : `changed from ${before} to ${after}`;
  const isNarrower = place.direction === 'input' ? lost.length > 0 : gained.length === 0;
  return toFound(`${place.direction}-type-${isNarrower ? 'narrower' : 'wider'}`, { message, before, after }, place);
}

export function toUnclear(old: ApiSchema, now: ApiSchema, place: SchemaPlace): ContractChange {
  const texts = { before: toTypeText(old), after: toTypeText(now) };
  return toFound(`${place.direction}-unclear`, { message: 'has other restrictions', ...texts }, place);
}

export function toLimitChange(
  { subject, words, before, after, effect }: LimitChange,
  place: SchemaPlace,
): ContractChange {
  const message = `has the ${words} ${after}, it was ${before}`;
  const rule = `${place.direction}-${subject}-${effect}`;
  const isKnown = (id: string): id is RuleId => Object.hasOwn(rules, id);
  const worst = place.direction === 'input' ? 'input-limit-narrower' : 'output-limit-wider';
  return toFound(isKnown(rule) ? rule : worst, { message, before, after }, place);
}

/** The types of the client are others, whatever is on the wire. */
export function toValueChange(before: string, after: string, place: SchemaPlace): ContractChange {
  const message = `is a ${after} to the client, it was a ${before}`;
  return toFound(`${place.direction}-value-changed`, { message, before, after }, place);
}

/** The differences between literals, or between those of one branch and another that admits more than a few. */
export function compareValues(old: Branch, now: Branch, place: SchemaPlace): readonly ContractChange[] {
  const [olds, news] = [old.values, now.values];
  const gone = olds?.filter((value) => !accepts(now.schema, value)) ?? [];
  const come = news?.filter((value) => !accepts(old.schema, value)) ?? [];
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

export function comparePresence(before: Presence, after: Presence, place: SchemaPlace): readonly ContractChange[] {
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

export function compareDefaults(old: ApiSchema, now: ApiSchema, place: SchemaPlace): readonly ContractChange[] {
  const [before = 'none', after = 'none'] = [old, now].map((schema) => {
    const value = findNote(schema, 'default');
    return value === undefined ? undefined : toSortedText(value);
  });
  if (before === after) return [];
  const message = `has the default ${after}, it was ${before}`;
  return [toFound('input-default-changed', { message, before, after }, place)];
}

/** A change at a place, said of its field: `became required` becomes ``` `email` became required```. */
export function toFound(rule: RuleId, found: Omit<FoundChange, 'at'>, { at, direction }: SchemaPlace): ContractChange {
  const name = at.startsWith(`${direction}.`) ? at.slice(direction.length + 1) : at;
  return toChange(rule, { ...found, at, message: `\`${name}\` ${found.message}` });
}
