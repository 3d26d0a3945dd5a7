import { isSameJson } from '../../document/fits-branch.ts';
import { callRules } from './call-rules.ts';
import { type Audience, type ChangeClass, everybody, type Rule } from './rule.ts';
import { serverRules } from './server-rules.ts';
import { valueRules } from './value-rules.ts';

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
  /** The component whose change this is; undefined where it is one of the capability itself. */
  readonly component?: ChangedComponent | undefined;
}

/** A part of a document that others refer to by its name: all of them have its changes. */
export interface ChangedComponent {
  /** `User` of a schema, `parameter Limit` of what is none. */
  readonly name: string;
  /** The change, as a sentence about the component: ``"`User.address.city` became required"``. */
  readonly message: string;
}

export interface CapabilityChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly key: string;
  /** The worst of its changes. */
  readonly class: ChangeClass;
  /** `GET /users/:id`, as it is after the change; of a removed one as it was. `JOB emails.send` of a job. */
  readonly route: string;
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

/** The changes of a difference, as often as capabilities have them. */
export function toAllChanges({
  added,
  removed,
  changed,
  server,
}: ContractDiff): readonly ContractChange[] {
  return [...[...removed, ...changed, ...added].flatMap(({ changes }) => changes), ...server];
}

/** A difference with other changes in place of those that it has, without the capabilities that have none left. */
export function editChanges(
  diff: ContractDiff,
  edit: (
    changes: readonly ContractChange[],
    capability?: CapabilityChange,
  ) => readonly ContractChange[],
): ContractDiff {
  const editAll = (capabilities: readonly CapabilityChange[]): readonly CapabilityChange[] =>
    capabilities
      .map((capability) => ({ ...capability, changes: edit(capability.changes, capability) }))
      .filter(({ changes }) => changes.length > 0);
  const { removed, changed, added, server } = diff;
  return {
    ...diff,
    removed: editAll(removed),
    changed: editAll(changed),
    added: editAll(added),
    server: edit(server),
  };
}

export const changeClasses = [
  'breaking',
  'risky',
  'safe',
] as const satisfies readonly ChangeClass[];

/** Negative where `a` is worse than `b`. */
export function compareClasses(a: ChangeClass, b: ChangeClass): number {
  return changeClasses.indexOf(a) - changeClasses.indexOf(b);
}

export function worstClass(
  changes: readonly { readonly class: ChangeClass }[],
): ChangeClass | undefined {
  return changeClasses.find((candidate) => changes.some((change) => change.class === candidate));
}

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
