import {
  type Audience,
  type CapabilityChange,
  type ContractChange,
  type ContractDiff,
  changeClasses,
  everybody,
  worstClass,
} from '../contract/contract-change.ts';

/** A difference without what was not asked for: `only` names classes, audiences, and keys of capabilities (`users`, `users.*`). All count where none is named. */
export function filterDiff(diff: ContractDiff, only: readonly string[]): ContractDiff {
  if (only.length === 0) return diff;
  const classes = changeClasses.filter((each) => only.includes(each));
  const audiences = everybody.filter((each) => only.includes(each));
  const keys = only.filter((each) => !isWord(each));
  const isWanted = (change: Pick<ContractChange, 'class' | 'audience'>): boolean =>
    (classes.length === 0 || classes.includes(change.class)) &&
    (audiences.length === 0 || audiences.some((each) => change.audience.includes(each)));
  const isNamed = (key: string): boolean => keys.length === 0 || keys.some((wanted) => isKeyOf(wanted, key));
  const filter = (capabilities: readonly CapabilityChange[]): readonly CapabilityChange[] =>
    capabilities.flatMap((capability) => {
      const changes = capability.changes.filter(isWanted);
      if (!isNamed(capability.key) || changes.length === 0) return [];
      return [{ ...capability, changes, class: worstClass(changes) ?? 'safe' }];
    });
  const added = diff.added.filter(({ key }) => isNamed(key) && isWanted({ class: 'safe', audience: everybody }));
  const [removed, changed] = [filter(diff.removed), filter(diff.changed)];
  const server = keys.length === 0 ? diff.server.filter(isWanted) : [];
  return { added, removed, changed, server, class: worstClass([...added, ...removed, ...changed, ...server]) };
}

function isWord(text: string): text is Audience {
  return [...changeClasses, ...everybody].some((word) => word === text);
}

/** `users` and `users.*` are a group, `users.getUser` a capability. */
function isKeyOf(wanted: string, key: string): boolean {
  return key === wanted || key.startsWith(`${wanted.replace(/\.?\*$/, '')}.`);
}
