import type { ContractDiff } from '../../contract/contract-change.ts';
import type { IgnoredChange } from '../../contract/rules/apply-settings.ts';
import type { ContractSide } from '../../sides/load-side.ts';

/** Two sides and what they differ in, as the project judges it. */
export interface Compared {
  readonly before: ContractSide;
  readonly after: ContractSide;
  readonly diff: ContractDiff;
  readonly ignored: readonly IgnoredChange[];
}
