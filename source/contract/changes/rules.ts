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
 * All rules, grouped by the headings of docs/diff-rules.md. A change may have a better class than its rule, as a longer
 * timeout has. The comparison of the fact finds that, and the clause of the rule mentions it.
 */
const groups = { ...callRules, ...serverRules, ...valueRules };

export type RuleId = {
  readonly [Name in keyof typeof groups]: keyof (typeof groups)[Name];
}[keyof typeof groups];

/** `group` is its heading in docs/diff-rules.md. */
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

/** What a comparison finds of a change. `toChange` adds class, reason and audience from the rule. */
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
