import {
  type ContractChange,
  type ContractDiff,
  editChanges,
} from '../contract/changes/contract-change.ts';
import { type ChangeGroup, groupChanges } from '../contract/summary/group-changes.ts';

/** A difference in which each change stands once. */
export interface SeparatedDiff {
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
  const keys = toReached(group);
  const names = keys.slice(0, MAX_NAMES).map(toName).join(', ');
  return keys.length > MAX_NAMES ? `${names} and ${keys.length - MAX_NAMES} more` : names;
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
