import type { Shape } from '../shape/shape.ts';
import { type ChangeClass, everybody } from './contract-change.ts';
import { type ContractPlace, toFieldName } from './contract-place.ts';

/** A field of an object by its name. */
export interface FieldSide {
  /** `absent` where nothing is said of it, `refused` where it is an error. */
  readonly presence: 'absent' | 'refused' | 'optional' | 'required';
  readonly shape?: Shape;
}

/** How a field differs: whether it is there, its default, and what it holds. */
export function diffField(old: FieldSide, now: FieldSide, place: ContractPlace): void {
  addPresenceChange(old, now, place);
  if (old.shape === undefined || now.shape === undefined) return;
  addDefaultChange(old.shape, now.shape, place);
  place.compare(old.shape, now.shape, place);
}

function addPresenceChange(
  { presence: before }: FieldSide,
  { presence: after }: FieldSide,
  place: ContractPlace,
): void {
  const [old, now] = [toWord(before), toWord(after)];
  if (old === now) return;
  const { at, direction, changes } = place;
  const [type, reason] = direction === 'input' ? judgeInput(old, after) : judgeOutput(old, now);
  const verb = old === 'absent' ? `was added, ${now}` : now === 'absent' ? 'was removed' : `became ${now}`;
  changes.push({
    class: type,
    at,
    message: `\`${toFieldName(place)}\` ${verb}`,
    reason,
    audience: everybody,
    before: old,
    after: now,
  });
}

function toWord(presence: FieldSide['presence']): string {
  return presence === 'refused' ? 'absent' : presence;
}

function judgeInput(old: string, now: FieldSide['presence']): readonly [ChangeClass, string] {
  switch (now) {
    case 'required':
      return ['breaking', 'callers that leave it out are refused'];
    case 'optional':
      return ['safe', old === 'absent' ? 'callers may leave it out' : 'callers that send it are answered as before'];
    case 'refused':
      return ['breaking', 'callers that send it are refused'];
    case 'absent':
      return ['risky', 'it is ignored where it is sent, and code that sends it does not compile with a new client'];
  }
}

function judgeOutput(old: string, now: string): readonly [ChangeClass, string] {
  if (now === 'absent') return ['breaking', 'readers miss it'];
  if (now === 'optional' && old === 'required') return ['breaking', 'readers count on it'];
  return ['safe', old === 'absent' ? 'readers pass over what they do not know' : 'readers were ready for less'];
}

function addDefaultChange(old: Shape, now: Shape, place: ContractPlace): void {
  const { at, direction, changes } = place;
  if (direction === 'output' || old.default === undefined || now.default === undefined) return;
  const [before, after] = [JSON.stringify(old.default), JSON.stringify(now.default)];
  if (before === after) return;
  changes.push({
    class: 'risky',
    at,
    message: `\`${toFieldName(place)}\` has the default ${after}, it was ${before}`,
    reason: 'callers that leave it out get another answer',
    audience: everybody,
    before,
    after,
  });
}
