import { accepts } from '../../shape/accepts.ts';
import { toObject } from '../../shape/merge/merge-objects.ts';
import type { ObjectShape, RecordShape, Shape } from '../../shape/shape.ts';
import { toConstraints } from '../../shape/to-constraints.ts';
import { toTypeText } from '../../shape/type-text.ts';
import type { ContractPlace } from './contract-place.ts';
import { diffField } from './diff-field.ts';
import { addLeast, addLimit, addMost } from './limits/limit-change.ts';

/** The differences between two objects, of which either may be a record: what is said of names, of fields like each other, of each field, and of all others. */
export function diffObjects(
  before: ObjectShape | RecordShape,
  after: ObjectShape | RecordShape,
  place: ContractPlace,
): void {
  const [old, now] = [toObject(before), toObject(after)];
  addLeast({ subject: 'field-count', words: 'least number of fields', pair: [old.minFields, now.minFields] }, place);
  addMost({ subject: 'field-count', words: 'greatest number of fields', pair: [old.maxFields, now.maxFields] }, place);
  diffNames(old, now, place);
  diffPatterns(old, now, place);
  diffOthers(old, now, place);
  for (const name of new Set([...old.fields, ...now.fields].map((field) => field.name))) {
    diffField(findField(old, name), findField(now, name), { ...place, at: `${place.at}.${name}` });
  }
}

function findField({ fields, additional, names }: ObjectShape, wanted: string): Parameters<typeof diffField>[0] {
  const field = fields.find(({ name }) => name === wanted);
  if (field !== undefined) return { presence: field.isRequired ? 'required' : 'optional', shape: field.shape() };
  const others = additional?.();
  const isRefused = others?.kind === 'never' || (names !== undefined && !accepts(names(), wanted));
  if (isRefused) return { presence: 'refused' };
  return others === undefined || others.kind === 'any'
    ? { presence: 'absent' }
    : { presence: 'optional', shape: others };
}

function diffNames(old: ObjectShape, now: ObjectShape, place: ContractPlace): void {
  const [a, b] = [findNames(old), findNames(now)];
  if (a !== undefined && b !== undefined) return place.compare(a, b, { ...place, at: `${place.at}{name}` });
  const effect = a === undefined ? 'narrower' : 'wider';
  addLimit(
    { subject: 'field-names', words: 'names of fields', old: a && toText(a), now: b && toText(b), effect },
    place,
  );
}

/** The pattern of names that fit; undefined where it is any text. */
function findNames({ names }: ObjectShape): Shape | undefined {
  const shape = names?.();
  return shape === undefined || toText(shape) === 'string' || shape.kind === 'any' ? undefined : shape;
}

function toText(shape: Shape): string {
  return [toTypeText(shape), ...toConstraints(shape)].join(', ');
}

function diffPatterns(old: ObjectShape, now: ObjectShape, place: ContractPlace): void {
  for (const pattern of new Set([...old.patterns, ...now.patterns].map((each) => each.pattern))) {
    const [a, b] = [old, now].map((object) => object.patterns.find((each) => each.pattern === pattern)?.shape());
    const limit = { subject: 'unknown-fields', words: `type of the fields that match /${pattern}/` } as const;
    if (a !== undefined && b !== undefined) place.compare(a, b, { ...place, at: `${place.at}{/${pattern}/}` });
    else if (a !== undefined) addLimit({ ...limit, old: toText(a), now: undefined, effect: 'wider' }, place);
    else if (b !== undefined) addLimit({ ...limit, old: undefined, now: toText(b), effect: 'narrower' }, place);
  }
}

/** Fields that are not named: where both sides let them pass, their types are compared. */
function diffOthers(old: ObjectShape, now: ObjectShape, place: ContractPlace): void {
  const [a, b] = [old.additional?.(), now.additional?.()];
  if (a !== undefined && b !== undefined && a.kind !== 'never' && b.kind !== 'never')
    return place.compare(a, b, { ...place, at: `${place.at}{}` });
  const [before, after] = [toOthersText(a), toOthersText(b)];
  const effect = before === undefined || after === 'refused' ? 'narrower' : 'wider';
  addLimit({ subject: 'unknown-fields', words: 'unknown fields', old: before, now: after, effect }, place);
}

function toOthersText(others: Shape | undefined): string | undefined {
  if (others === undefined || others.kind === 'any') return undefined;
  return others.kind === 'never' ? 'refused' : toText(others);
}
