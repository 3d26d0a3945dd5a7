import {
  type ContractChange,
  type ContractDiff,
  changeClasses,
  compareClasses,
  editChanges,
  toAllChanges,
} from '../contract/changes/contract-change.ts';
import type { ChangeClass } from '../contract/changes/rule.ts';
import { type ChangeGroup, groupChanges } from '../contract/summary/group-changes.ts';
import type { DiffValues } from '../flags/diff-flags.ts';
import { toFirstNames } from '../values/count.ts';

/** How many changes there are of each class; one of a component counts once, whatever it reaches. */
export function countClasses(diff: ContractDiff): Readonly<Record<ChangeClass, number>> {
  const counts = { breaking: 0, risky: 0, safe: 0 };
  for (const { change } of groupChanges(diff)) counts[change.class] += 1;
  return counts;
}

export function toTotalsText(diff: ContractDiff): string {
  const counts = countClasses(diff);
  return changeClasses.map((type) => `${counts[type]} ${type}`).join(', ');
}

/** Whether a comparison fails for one of the reasons that `--fail-on` names. */
export function failsFor(
  diff: ContractDiff,
  failOn: DiffValues['failOn'],
  unreadCount: number,
): boolean {
  return failOn.some((reason) => {
    switch (reason) {
      case 'open':
        return toAllChanges(diff).some(isOpening);
      case 'unread':
        return unreadCount > 0;
      case 'breaking':
      case 'risky':
        return diff.class !== undefined && compareClasses(diff.class, reason) <= 0;
    }
  });
}

/**
 * Whether more callers may pass than before, as far as the documents show it: a guard was removed or replaced, or fewer
 * credentials are enough. The class of the rule says what callers lose, which is nothing.
 */
function isOpening({ rule, class: type }: ContractChange): boolean {
  if (rule === 'credential-changed') return type === 'safe';
  return rule === 'guard-removed' || rule === 'guard-changed';
}

/**
 * The step by which the version of an API must go up: major where callers break; minor where they may, or where they
 * can do or rely on more than before; patch for the rest: a response that says less often what callers are ready for,
 * and what is only announced.
 */
export function toSemver(diff: ContractDiff): 'major' | 'minor' | 'patch' | 'none' {
  const changes = toAllChanges(diff);
  if (diff.class === 'breaking') return 'major';
  if (diff.class === 'risky' || changes.some(({ rule }) => !little.test(rule))) return 'minor';
  return changes.length > 0 ? 'patch' : 'none';
}

/** The rules of safe changes by which callers can do no more than before. */
const little = /^(deprecation|error-removed|job-settings|response-|sunset)|^output-.*-narrower$/;

/** A difference in which each change stands once. */
interface SeparatedDiff {
  /** The changes of components that several capabilities have, the worst first. */
  readonly shared: readonly ChangeGroup[];
  /** All others, where they are. */
  readonly own: ContractDiff;
}

/** Tells what several capabilities share apart: the change of one component may reach hundreds of them. */
export function separateShared(diff: ContractDiff): SeparatedDiff {
  const shared = groupChanges(diff).filter(isShared);
  const places = new Set(
    shared.flatMap((group) => group.places.map((place) => toId(group.change, place))),
  );
  const own = editChanges(diff, (changes, capability) =>
    changes.filter(
      (change) => !places.has(toId(change, { key: undefined, ...capability, at: change.at })),
    ),
  );
  return { shared, own };
}

/** Whether more than one capability has the change. */
export function isShared({ change, places }: ChangeGroup): boolean {
  return change.component !== undefined && new Set(places.map(toOwner)).size > 1;
}

/** The capabilities that a change reaches, each once. */
export function toReached({ places }: ChangeGroup): readonly string[] {
  return [...new Set(places.map(({ key = 'server' }) => key))];
}

/** The most capabilities that are named where a change reaches many. */
const MAX_NAMES = 3;

/** `users.getUser, users.listUsers, teams.getTeam and 196 more` */
export function toReachedText(group: ChangeGroup, toName = (key: string): string => key): string {
  return toFirstNames(toReached(group).map(toName), MAX_NAMES);
}

interface Placed {
  readonly key: string | undefined;
  readonly route?: string | undefined;
  readonly at: string;
}

function toOwner({ key, route }: Placed): string {
  return `${key} ${route}`;
}

function toId({ rule, class: type, message, component }: ContractChange, place: Placed): string {
  return JSON.stringify([rule, type, component?.message ?? message, toOwner(place), place.at]);
}
