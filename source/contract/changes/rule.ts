/** The effect on callers: `breaking` refuses or misleads a call that worked, `risky` may, `safe` does not. */
export type ChangeClass = 'breaking' | 'risky' | 'safe';

/**
 * The groups that notice a change: callers over HTTP, users of a client, AI agents, code that adds jobs, callers of
 * GraphQL.
 */
export type Audience = 'http' | 'client' | 'agents' | 'jobs' | 'graphql';

export const everybody: readonly Audience[] = ['http', 'client', 'agents'];
export const overHttp = ['http', 'client'] as const;
export const byName = ['client', 'agents'] as const;

/** A kind of change: its class, the change in a clause, the reason of the class, and whom it concerns. */
export interface Rule {
  readonly class: ChangeClass;
  /** Why it has its class: `callers that leave it out are refused`. */
  readonly reason: string;
  readonly when: string;
  /** @default everybody */
  readonly audience?: readonly Audience[];
}

/** The rules, grouped by the headings of docs/diff-rules.md. */
export type RuleGroups = Readonly<Record<string, Readonly<Record<string, Rule>>>>;
