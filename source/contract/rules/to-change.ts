import type { ContractChange } from '../contract-change.ts';
import { contractRules, type RuleId } from './contract-rules.ts';

/** The place and the words of a finding. */
export type FoundChange = Pick<ContractChange, 'at' | 'message' | 'before' | 'after'>;

/** A change, with what its rule says of class, reason and audience. */
export function toChange(rule: RuleId, { at, message, before, after }: FoundChange): ContractChange {
  const { class: changeClass, reason, audience } = contractRules[rule];
  return { rule, class: changeClass, at, message, reason, audience, before, after };
}
