import { isSameJson } from '../document/fits-branch.ts';
import {
  type ContractChange,
  type FoundChange,
  type RuleId,
  toChange,
} from './changes/contract-change.ts';
import type { ChangeClass } from './changes/rule.ts';

/**
 * The value of a fact. Lists of numbers are compared number by number, and sets of words without an order. Undefined
 * where nothing is set.
 */
type FactValue = string | number | boolean | readonly number[] | ReadonlySet<string> | undefined;

/** How a value changed. Two words differ, and neither is more than the other. */
type Trend = 'less' | 'more' | 'other';

/** Something that callers notice beside the values that they send and read. */
export interface Fact {
  /** Finds the same fact on the other side; it is in no message. */
  readonly id: string;
  readonly rule: RuleId;
  readonly at: string;
  /** The words for it in a message: `timeout`. */
  readonly label: string;
  readonly value: FactValue;
  /** The classes of changes that have another class than the rule. */
  readonly classes?: Readonly<Partial<Record<Trend, ChangeClass>>>;
  /** The value as people read it. @default the value, or `none` */
  readonly text?: string | undefined;
}

/** The classes of a fact of which more is better for callers. */
export const safeIfMore = { more: 'safe' } as const;

/** Gives the changes of the facts that both sides have: what only one of them says has not changed. */
export function compareFacts(
  older: readonly Fact[],
  newer: readonly Fact[],
): readonly ContractChange[] {
  const byId = new Map(older.map((fact) => [fact.id, fact]));
  return newer.flatMap((now): readonly ContractChange[] => {
    const old = byId.get(now.id);
    if (old === undefined || isSameJson(old.value, now.value)) return [];
    const { rule, at, label, classes } = now;
    const before = toText(old);
    const after = toText(now);
    const message = `${label} is ${after}, it was ${before}`;
    const found = classes?.[toTrend(old.value, now.value)];
    return [toChange(rule, { at, message, before, after, class: found })];
  });
}

function toTrend(old: FactValue, now: FactValue): Trend {
  if (old instanceof Set && now instanceof Set) return toSetTrend(old, now);
  const older = toNumbers(old);
  const newer = toNumbers(now);
  if (older === undefined || newer === undefined) return 'other';
  // One limit more lets callers do less, as a lower one does.
  const isLower = newer.some((each, index) => each < (older[index] ?? each));
  return newer.length > older.length || isLower ? 'less' : 'more';
}

function toSetTrend(old: ReadonlySet<unknown>, now: ReadonlySet<unknown>): Trend {
  if (isSubset(old, now)) return 'more';
  return isSubset(now, old) ? 'less' : 'other';
}

/** `*` stands for every word. */
function isSubset(some: ReadonlySet<unknown>, all: ReadonlySet<unknown>): boolean {
  return all.has('*') || [...some].every((word) => all.has(word));
}

/** The numbers of a value, of which a flag is one; undefined where it is not a number. */
function toNumbers(value: FactValue): readonly number[] | undefined {
  if (typeof value === 'boolean') return [Number(value)];
  if (typeof value === 'number') return [value];
  return Array.isArray(value) ? (value as readonly number[]) : undefined;
}

function toText({ value, text }: Fact): string {
  if (text !== undefined) return text || 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return (value instanceof Set ? [...value] : [value]).join(', ') || 'none';
}

type MemberOptions = Omit<FoundChange, 'message'> & {
  readonly added: RuleId;
  readonly removed: RuleId;
};

/** Gives the changes of the members that only one of two lists has, each by its name: ``route `GET /a` was added``. */
export function compareMembers(
  older: readonly string[],
  newer: readonly string[],
  { added, removed, ...found }: MemberOptions,
): readonly ContractChange[] {
  const toChanges = (rule: RuleId, names: readonly string[], verb: string) =>
    names.map((name) => toChange(rule, { ...found, message: `${name} was ${verb}` }));
  const isNew = (name: string): boolean => !older.includes(name);
  const isLost = (name: string): boolean => !newer.includes(name);
  return [
    ...toChanges(added, newer.filter(isNew), 'added'),
    ...toChanges(removed, older.filter(isLost), 'removed'),
  ];
}
