/** The value of a map at a key: made when it is first read, and the same from then on. */
export function remember<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make(key);
  known.set(key, made);
  return made;
}

/** The same of an object each time, as long as that lives. */
export function onceFor<Whole extends object, Value>(
  make: (whole: Whole) => Value,
): (whole: Whole) => Value {
  const known = new WeakMap<Whole, Value>();
  return (whole) => remember(known, whole, make);
}

/** Made when it is first read, and the same from then on: a schema may contain itself. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The items by the names of their groups, both in the order in which they are found. */
export function groupBy<Item, Name>(
  items: readonly Item[],
  toName: (item: Item) => Name,
): ReadonlyMap<Name, readonly Item[]> {
  const groups = new Map<Name, Item[]>();
  for (const item of items) remember(groups, toName(item), () => []).push(item);
  return groups;
}
