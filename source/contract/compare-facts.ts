import { isSameJson } from '../document/accepts.ts';
import type { ContractChange } from './contract-change.ts';
import { type RuleId, toChange } from './rules.ts';

/** Something that callers notice beside the values that they send and read. */
export interface Fact {
  readonly at: string;
  /** The name by which it is found on the other side, too: `timeout`. */
  readonly name: string;
  /** Each of several numbers counts. Undefined where nothing is set. */
  readonly value: string | number | boolean | readonly number[] | ReadonlySet<string> | undefined;
  /** As people read it. @default the value, or `none` */
  readonly text?: string | undefined;
  /** The rule of any other value, or those of less, of more, and of what is neither: a missing one is no change. */
  readonly rule: RuleId | Readonly<Partial<Record<Trend, RuleId>>>;
}

type Trend = 'less' | 'more' | 'other';

/** The changes of the facts that both sides tell: what only one of them says has not changed. */
export function compareFacts(olds: readonly Fact[], news: readonly Fact[]): readonly ContractChange[] {
  const known = new Map(olds.map((fact) => [fact.name, fact]));
  return news.flatMap((now): readonly ContractChange[] => {
    const old = known.get(now.name);
    if (old === undefined || isSameJson(old.value, now.value)) return [];
    const rule = typeof now.rule === 'string' ? now.rule : now.rule[toTrend(old.value, now.value)];
    if (rule === undefined) return [];
    const [before, after] = [toText(old), toText(now)];
    return [toChange(rule, { at: now.at, message: `${now.name} is ${after}, it was ${before}`, before, after })];
  });
}

/** The same of one fact. */
export function compareFact(
  about: Pick<Fact, 'at' | 'name' | 'rule'>,
  old: Fact['value'],
  now: Fact['value'],
): readonly ContractChange[] {
  return compareFacts([{ ...about, value: old }], [{ ...about, value: now }]);
}

function toTrend(old: Fact['value'], now: Fact['value']): Trend {
  if (old instanceof Set && now instanceof Set) {
    const isWithin = (some: ReadonlySet<unknown>, all: ReadonlySet<unknown>): boolean =>
      all.has('*') || [...some].every((word) => all.has(word));
    return isWithin(old, now) ? 'more' : isWithin(now, old) ? 'less' : 'other';
  }
  const [olds, news] = [[old].flat(), [now].flat()];
  if ([...olds, ...news].some((each) => typeof each !== 'number' && typeof each !== 'boolean')) return 'other';
  return olds.some((each, index) => Number(news[index]) < Number(each)) ? 'less' : 'more';
}

function toText({ value, text }: Fact): string {
  return (text ?? (value instanceof Set ? [...value] : [value]).join(', ')) || 'none';
}

/** The place where the members of a list are told, and their rules. */
export interface MemberRules extends Pick<ContractChange, 'at' | 'before' | 'after'> {
  readonly added: RuleId;
  readonly removed: RuleId;
}

/** The members that only one of two lists has, each by its name: ``error `404 NotFound` was added``. */
export function compareMembers(
  olds: readonly string[],
  news: readonly string[],
  { added, removed, ...texts }: MemberRules,
): readonly ContractChange[] {
  const come = news.filter((each) => !olds.includes(each));
  const gone = olds.filter((each) => !news.includes(each));
  return [
    ...come.map((each) => toChange(added, { ...texts, message: `${each} was added` })),
    ...gone.map((each) => toChange(removed, { ...texts, message: `${each} was removed` })),
  ];
}
