import { type Audience, type ChangeClass, everybody } from '../contract-change.ts';

/** A kind of change: what it does to those who call, and why. */
export interface ContractRule {
  /** The change in a clause, for the table of rules: `an optional field is required now`. */
  readonly when: string;
  readonly class: ChangeClass;
  /** Why it has its class: `callers that leave it out are refused`. */
  readonly reason: string;
  readonly audience: readonly Audience[];
}

/** A rule in a line of a table. */
export function toRule(
  changeClass: ChangeClass,
  when: string,
  [reason, audience = everybody]: readonly [reason: string, audience?: readonly Audience[]],
): ContractRule {
  return { when, class: changeClass, reason, audience };
}
