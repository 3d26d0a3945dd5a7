import type { KeyBinding } from './key-binding.ts';
import type { KeyName } from './key-name.ts';

/** The keys that the user has given to actions, by their names: `{'capability.call': ['f']}`. */
export type KeyChoices = Readonly<Record<string, readonly KeyName[]>>;

/** Puts the keys of the user into the tables of the screens. */
export interface OwnKeys {
  /** The same table for the same one. A key that the user has given to an action is no longer that of another one of its table. */
  readonly toBindings: (scope: string, bindings: readonly KeyBinding[]) => readonly KeyBinding[];
}

export function createOwnKeys(choices: KeyChoices): OwnKeys {
  const known = new WeakMap<readonly KeyBinding[], readonly KeyBinding[]>();
  return {
    toBindings: (scope, bindings) => {
      const made = known.get(bindings) ?? toChosen(bindings, (action) => choices[toActionName(scope, action)]);
      known.set(bindings, made);
      return made;
    },
  };
}

/** `'go-to.run'`, `'log.next-match'`: how the file of the user names an action. `scope`: the title of its table. */
export function toActionName(scope: string, action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${scope.toLowerCase().replace(/[^a-z]+/g, '-')}.${words}`;
}

function toChosen(
  bindings: readonly KeyBinding[],
  findKeys: (action: string) => readonly KeyName[] | undefined,
): readonly KeyBinding[] {
  const chosen = new Set(bindings.flatMap(({ action }) => findKeys(action) ?? []));
  if (chosen.size === 0) return bindings;
  return bindings.flatMap(({ shown, ...binding }) => {
    const own = findKeys(binding.action);
    if (own !== undefined) return [{ ...binding, keys: own }];
    const keys = binding.keys.filter((key) => !chosen.has(key));
    if (keys.length === 0) return [];
    return [{ ...binding, keys, ...(shown === undefined ? {} : { shown }) }];
  });
}
