/**
 * The effect of a change on those who call: `breaking` refuses or misleads a call that worked, `risky` may, `safe` does
 * not.
 */
export type ChangeClass = 'breaking' | 'risky' | 'safe';

/** Who notices: callers over HTTP, users of a generated client, AI agents, the code that adds jobs. */
export type Audience = 'http' | 'client' | 'agents' | 'jobs';

/** One difference in the contract of a capability. */
export interface ContractChange {
  /** The permanent id of its rule: `input-field-required`. */
  readonly rule: string;
  readonly class: ChangeClass;
  /** The place of the change: `route`, `timeout`, `input.address.city`, `output.items[].id`. */
  readonly at: string;
  /** ``"`email` became required"`` */
  readonly message: string;
  /** Why it has its class: `callers that leave it out are refused`. */
  readonly reason: string;
  readonly audience: readonly Audience[];
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A capability whose contract differs between two projects, or that only one of them has. */
export interface CapabilityChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly key: string;
  /** The worst of its changes. */
  readonly class: ChangeClass;
  /** `GET /users/:id`, as it is after the change; of a removed one as it was. `JOB emails.send` of a job. */
  readonly route: string;
  /** Worst first. */
  readonly changes: readonly ContractChange[];
}

/** The difference between two contracts, each list in the order of declaration. */
export interface ContractDiff {
  readonly added: readonly CapabilityChange[];
  readonly removed: readonly CapabilityChange[];
  readonly changed: readonly CapabilityChange[];
  /** The differences for all capabilities at once. */
  readonly server: readonly ContractChange[];
  /** The worst class of all; undefined where nothing differs. */
  readonly class: ChangeClass | undefined;
}

/** Everybody who calls. */
export const everybody: readonly Audience[] = ['http', 'client', 'agents'];

export const changeClasses = ['breaking', 'risky', 'safe'] as const satisfies readonly ChangeClass[];

/** Negative where `a` is worse than `b`. */
export function compareClasses(a: ChangeClass, b: ChangeClass): number {
  return changeClasses.indexOf(a) - changeClasses.indexOf(b);
}

/** The worst of several; undefined of none. */
export function worstClass(changes: readonly { readonly class: ChangeClass }[]): ChangeClass | undefined {
  return changeClasses.find((candidate) => changes.some((change) => change.class === candidate));
}
