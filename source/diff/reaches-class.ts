import { type ContractDiff, compareClasses } from '../contract/contract-change.ts';

/** Whether a difference is as bad as `--fail-on` says, or worse. */
export function reachesClass({ class: worst }: ContractDiff, failOn: 'breaking' | 'risky' | undefined): boolean {
  return worst !== undefined && failOn !== undefined && compareClasses(worst, failOn) <= 0;
}
