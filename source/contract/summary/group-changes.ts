import { remember } from '../../values/once.ts';
import {
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  compareClasses,
} from '../changes/contract-change.ts';

/** One change, and all that it reaches: each capability that refers to a component has the changes of it. */
export interface ChangeGroup {
  /** As it stands at the first of its places. */
  readonly change: ContractChange;
  /** The change in words that hold at all of its places: ``"`User.email` became required"``. */
  readonly message: string;
  readonly places: readonly ChangePlace[];
}

/** A capability that a change reaches. */
interface ChangePlace {
  readonly kind: CapabilityChange['kind'] | 'server';
  /** Undefined of what differs for all capabilities. */
  readonly key: string | undefined;
  readonly route: string | undefined;
  /** The place of the change in the capability: `output.items[].email`. */
  readonly at: string;
}

/**
 * The changes of a difference, each once: the worst first, and of one class those that reach most. A change of a
 * component is one, whatever refers to it; requests and responses are separate, since it does other things to them.
 */
export function groupChanges(diff: ContractDiff): readonly ChangeGroup[] {
  const groups = new Map<string, Group>();
  for (const { kind, key, route, changes } of [...diff.removed, ...diff.changed, ...diff.added])
    for (const change of changes) addChange(groups, change, { kind, key, route, at: change.at });
  for (const change of diff.server)
    addChange(groups, change, { kind: 'server', key: undefined, route: undefined, at: change.at });
  return [...groups.values()].toSorted(
    (one, other) =>
      compareClasses(one.change.class, other.change.class) ||
      other.places.length - one.places.length,
  );
}

interface Group extends ChangeGroup {
  readonly places: ChangePlace[];
}

function addChange(groups: Map<string, Group>, change: ContractChange, place: ChangePlace): void {
  const { component, rule, class: type, audience, before, after } = change;
  const message = component?.message ?? change.message;
  const words = [rule, type, audience.join(), message, before, after];
  // A change outside of components has the place where it was found.
  const owner = component === undefined ? [place.key, place.route, change.at] : [component.name];
  const id = JSON.stringify([...words, ...owner]);
  remember(groups, id, () => ({ change, message, places: [] })).places.push(place);
}
