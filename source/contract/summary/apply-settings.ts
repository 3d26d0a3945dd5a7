import { findDecision, type RuleSettings } from '../../manifest/rule-settings.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareClasses,
  editChanges,
  type RuleId,
  rules,
  toAllChanges,
  worstClass,
} from '../changes/contract-change.ts';
import type { ChangeClass } from '../changes/rule.ts';

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
  const judge = (changes: readonly ContractChange[], key?: string): readonly ContractChange[] => {
    const judged = changes.flatMap((change): readonly ContractChange[] => {
      const { rule, at, class: found } = change;
      const { severity, reason } = findDecision(
        { rule, at, keys: key === undefined ? [] : [key] },
        settings,
      );
      if (reason !== undefined) ignored.push({ key, change, reason });
      // A change that is better or worse than its rule, as a longer timeout, stays what it is.
      const isUsual = found === rules[rule as RuleId].class;
      return reason === undefined
        ? [{ ...change, class: isUsual ? ((severity ?? found) as ChangeClass) : found }]
        : [];
    });
    return judged.toSorted((a, b) => compareClasses(a.class, b.class));
  };
  const judged = editChanges(diff, (changes, capability) => judge(changes, capability?.key));
  const withClass = (capability: CapabilityChange): CapabilityChange => ({
    ...capability,
    class: worstClass(capability.changes) ?? 'safe',
  });
  return {
    diff: {
      added: judged.added.map(withClass),
      removed: judged.removed.map(withClass),
      changed: judged.changed.map(withClass),
      server: judged.server,
      class: worstClass(toAllChanges(judged)),
    },
    ignored,
  };
}
