import { callRules } from './call-rules.ts';
import {
  type Audience,
  type ChangeClass,
  type ContractChange,
  everybody,
  type Rule,
} from './contract-change.ts';
import { serverRules } from './server-rules.ts';
import { valueRules } from './value-rules.ts';

/**
 * Every kind of change that has a name, by the part of the page of rules. Where one change of a fact is better than
 * another, as a longer timeout, that is found with the fact, and the clause says so.
 */
const groups = { ...callRules, ...serverRules, ...valueRules };

export type RuleId = {
  readonly [Name in keyof typeof groups]: keyof (typeof groups)[Name];
}[keyof typeof groups];

/** `group` is the part of the page of rules. */
interface GroupedRule extends Required<Rule> {
  readonly group: string;
}

export const rules = Object.fromEntries(
  Object.entries(groups).flatMap(([group, ofGroup]) =>
    Object.entries<Rule>(ofGroup).map(([id, rule]) => [
      id,
      { audience: everybody, ...rule, group },
    ]),
  ),
) as Readonly<Record<RuleId, GroupedRule>>;

export function isRule(id: string): id is RuleId {
  return Object.hasOwn(rules, id);
}

/** A change as it was found; its rule says the rest. */
export interface FoundChange
  extends Pick<ContractChange, 'at' | 'message' | 'before' | 'after' | 'component'> {
  readonly audience?: readonly Audience[];
  /** @default the class of its rule */
  readonly class?: ChangeClass | undefined;
}

export function toChange(id: RuleId, { class: found, ...change }: FoundChange): ContractChange {
  const { class: usual, reason, audience } = rules[id];
  const isBetter = found === 'safe' && usual !== 'safe';
  return {
    rule: id,
    class: found ?? usual,
    reason: isBetter ? 'calls work as before' : reason,
    audience,
    ...change,
  };
}
