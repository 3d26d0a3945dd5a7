import { findDecision, type RuleSettings } from '../manifest/rule-settings.ts';
import {
  type CapabilityChange,
  type ChangeClass,
  type ContractChange,
  type ContractDiff,
  compareClasses,
  worstClass,
} from './contract-change.ts';

/** A change that is known and accepted. */
export interface IgnoredChange {
  /** Undefined of what differs for all capabilities. */
  readonly key: string | undefined;
  readonly change: ContractChange;
  readonly reason: string;
}

export interface JudgedDiff {
  readonly diff: ContractDiff;
  readonly ignored: readonly IgnoredChange[];
}

/** A difference as its project judges it: with the classes that it gives to rules, and without what it ignores. */
export function applySettings(diff: ContractDiff, settings: RuleSettings): JudgedDiff {
  const ignored: IgnoredChange[] = [];
  const judge = (change: ContractChange, key: string | undefined): readonly ContractChange[] => {
    const keys = key === undefined ? [] : [key];
    const { severity, reason } = findDecision({ rule: change.rule, keys, at: change.at }, settings);
    if (reason === undefined) return [severity === undefined ? change : { ...change, class: severity as ChangeClass }];
    ignored.push({ key, change, reason });
    return [];
  };
  const judgeAll = (capabilities: readonly CapabilityChange[]): readonly CapabilityChange[] =>
    capabilities.flatMap((capability) => {
      const changes = capability.changes
        .flatMap((change) => judge(change, capability.key))
        .toSorted((a, b) => compareClasses(a.class, b.class));
      return changes.length === 0 ? [] : [{ ...capability, changes, class: worstClass(changes) ?? 'safe' }];
    });
  const removed = judgeAll(diff.removed);
  const changed = judgeAll(diff.changed);
  const server = diff.server.flatMap((change) => judge(change, undefined));
  const added = judgeAll(diff.added);
  return {
    diff: { added, removed, changed, server, class: worstClass([...added, ...removed, ...changed, ...server]) },
    ignored,
  };
}
