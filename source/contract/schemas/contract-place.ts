import type { Shape } from '../../shape/shape.ts';
import type { ContractChange } from '../contract-change.ts';
import type { RuleId } from '../rules/contract-rules.ts';
import { type FoundChange, toChange } from '../rules/to-change.ts';

/** Callers send the input, so that it may come to admit more; they read the output, so that it may come to promise more. */
export type Direction = 'input' | 'output';

/** The place of a comparison of two schemas. */
export interface ContractPlace {
  /** `input.address.city` */
  readonly at: string;
  readonly direction: Direction;
  /** The pairs that this one is inside of. */
  readonly above: readonly (readonly [Shape, Shape])[];
  /** The changes that were found. */
  readonly changes: ContractChange[];
  /** Compares what is inside of two values, at a place inside of theirs. */
  readonly compare: (before: Shape, after: Shape, place: ContractPlace) => void;
}

/** `address.city` of `input.address.city`; the whole is `input`. */
export function toFieldName({ at, direction }: Pick<ContractPlace, 'at' | 'direction'>): string {
  return at.split('.').slice(1).join('.') || direction;
}

/** Adds a change at a place, said of its field: `became required` becomes ``` `email` became required```. */
export function addFound(rule: RuleId, found: Omit<FoundChange, 'at'>, place: ContractPlace): void {
  place.changes.push(toChange(rule, { ...found, at: place.at, message: `\`${toFieldName(place)}\` ${found.message}` }));
}
