import type { ChangeClass, ContractDiff } from '../contract/contract-change.ts';

/** The number of changes of each class. */
export function countClasses({ added, removed, changed, server }: ContractDiff): Readonly<Record<ChangeClass, number>> {
  const all = [...server, ...[...removed, ...changed, ...added].flatMap(({ changes }) => changes)].map(
    (change) => change.class,
  );
  const count = (type: ChangeClass): number => all.filter((one) => one === type).length;
  return { breaking: count('breaking'), risky: count('risky'), safe: count('safe') };
}
