import type { ApiSchema } from '../../document/branch.ts';
import type { FoundChange, RuleId } from '../changes/contract-change.ts';
import type { HeldPair } from './compare-restrictions.ts';
import type { LimitChange } from './limits.ts';

/**
 * Callers send the input, so it may admit more than before. They read the output, so it may promise more than before.
 */
export type Direction = 'input' | 'output';

/** A change of two schemas themselves, or a pair of schemas inside of them that may differ. */
export type Finding = FoundPart | InnerPair | HeldPair;

/** A change, without the words for its place: `became required`. */
export interface FoundPart extends Omit<FoundChange, 'at' | 'component'> {
  readonly kind: 'change';
  readonly rule: RuleId;
  /** The place in the schema: `.email`; empty for the schema itself. */
  readonly part: string;
}

export interface InnerPair {
  readonly kind: 'inner';
  readonly part: string;
  readonly before: ApiSchema;
  readonly after: ApiSchema;
}

/** Another type in the generated client, although the sent value may be the same. */
export function toValueChange(before: string, after: string): Finding {
  const message = `is a ${after} to the client, it was a ${before}`;
  return toFinding('client-type-changed', { message, before, after });
}

/** A change of unions whose choices are not known. */
export const unclear: LimitChange = {
  message: 'has choices that are too many to compare, or none',
  effect: 'unclear',
};

export function toLimitFinding({ effect, ...found }: LimitChange, direction: Direction): FoundPart {
  if (effect === 'unclear') return toFinding(`${direction}-unclear`, found);
  const worst = direction === 'input' ? 'narrower' : 'wider';
  return toFinding(`${direction}-limit-${effect === 'other' ? worst : effect}`, found);
}

export function toFinding(rule: RuleId, found: Omit<FoundChange, 'at'>, part = ''): FoundPart {
  return { kind: 'change', rule, part, ...found };
}

export function toInner(part: string, before: ApiSchema, after: ApiSchema): InnerPair {
  return { kind: 'inner', part, before, after };
}
