import { agents, jobs, requests, responses, server } from './caller-rules.ts';
import { type Audience, type ChangeClass, type ContractChange, everybody, type Row } from './contract-change.ts';
import { inputs, outputs } from './schema-rules.ts';

/** A kind of change: what it does to those who call, and why. */
interface Rule {
  /** The part of the page of rules: `requests`. */
  readonly group: string;
  readonly class: ChangeClass;
  /** The change in a clause, for the table of rules: `an optional field is required now`. */
  readonly when: string;
  /** Why it has its class: `callers that leave it out are refused`. */
  readonly reason: string;
  readonly audience: readonly Audience[];
}

const groups = { requests, responses, agents, server, jobs, inputs, outputs };

/** The permanent id of a rule: `input-field-required`. */
export type RuleId = { readonly [Name in keyof typeof groups]: keyof (typeof groups)[Name] }[keyof typeof groups];

/** Every kind of change that is told apart. */
export const rules = Object.fromEntries(
  Object.entries(groups).flatMap(([group, rows]) =>
    Object.entries<Row>(rows).map(([id, [changeClass, when, reason, audience = everybody]]) => [
      id,
      { group, class: changeClass, when, reason, audience },
    ]),
  ),
) as Readonly<Record<RuleId, Rule>>;

/** A change as it was found; its rule says the rest. */
export type FoundChange = Pick<ContractChange, 'at' | 'message' | 'before' | 'after'> &
  Partial<Pick<ContractChange, 'audience'>>;

export function toChange(id: RuleId, found: FoundChange): ContractChange {
  const { class: changeClass, reason, audience } = rules[id];
  return { rule: id, class: changeClass, reason, audience, ...found };
}
