import type { Shape } from '../../shape/shape.ts';
import type { RuleId } from '../rules/contract-rules.ts';
import { addFound, type ContractPlace } from './contract-place.ts';

/** A field of an object by its name. */
export interface FieldSide {
  /** `absent` where nothing is said of it, `refused` where it is an error. */
  readonly presence: 'absent' | 'refused' | 'optional' | 'required';
  readonly shape?: Shape;
}

/** Compares a field: whether it is there, its default, and what it holds. */
export function diffField(old: FieldSide, now: FieldSide, place: ContractPlace): void {
  addPresenceChange(old, now, place);
  if (old.shape === undefined || now.shape === undefined) return;
  const couldBeLeftOut = old.presence === 'optional' && now.presence === 'optional';
  if (place.direction === 'input' && couldBeLeftOut) addDefaultChange(old.shape, now.shape, place);
  if (now.shape.isDeprecated && !old.shape.isDeprecated)
    addFound(`${place.direction}-field-deprecated`, { message: 'became deprecated' }, place);
  place.compare(old.shape, now.shape, place);
}

function addPresenceChange(
  { presence: before }: FieldSide,
  { presence: after }: FieldSide,
  place: ContractPlace,
): void {
  const [old, now] = [toWord(before), toWord(after)];
  if (old === now) return;
  const rule = place.direction === 'input' ? toInputRule(old, after) : toOutputRule(old, now);
  const verb = old === 'absent' ? `was added, ${now}` : now === 'absent' ? 'was removed' : `became ${now}`;
  addFound(rule, { message: verb, before: old, after: now }, place);
}

function toWord(presence: FieldSide['presence']): string {
  return presence === 'refused' ? 'absent' : presence;
}

function toInputRule(old: string, now: FieldSide['presence']): RuleId {
  switch (now) {
    case 'required':
      return old === 'absent' ? 'input-field-added-required' : 'input-field-became-required';
    case 'optional':
      return old === 'absent' ? 'input-field-added-optional' : 'input-field-became-optional';
    case 'refused':
      return 'input-field-refused';
    case 'absent':
      return 'input-field-removed';
  }
}

function toOutputRule(old: string, now: string): RuleId {
  if (now === 'absent') return 'output-field-removed';
  if (now === 'optional' && old === 'required') return 'output-field-became-optional';
  return old === 'absent' ? 'output-field-added' : 'output-field-became-required';
}

function addDefaultChange(old: Shape, now: Shape, place: ContractPlace): void {
  const [before, after] = [toText(old.default), toText(now.default)];
  if (before === after) return;
  const [rule, message] =
    before === undefined
      ? (['input-default-added', `has the default ${after}, it had none`] as const)
      : after === undefined
        ? (['input-default-removed', `has no default any more, it was ${before}`] as const)
        : (['input-default-changed', `has the default ${after}, it was ${before}`] as const);
  addFound(rule, { message, before: before ?? 'none', after: after ?? 'none' }, place);
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
