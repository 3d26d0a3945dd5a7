/** The places of dates and big integers in a value: `'#User'` are those of a shared schema, null has none. */
export type Kinds = 'date' | 'bigint' | `#${string}` | InnerKinds;

export interface InnerKinds {
  /** The kinds of the items of a list, after those in `first`. */
  readonly items?: Kinds | undefined;
  readonly first?: readonly (Kinds | null)[] | undefined;
  readonly fields?: Readonly<Record<string, Kinds | null>> | undefined;
  readonly others?: Kinds | undefined;
  /**
   * A choice of several kinds of object. An object has the first kind of which it has every field, each with one of the
   * listed values.
   */
  readonly choices?:
    | readonly (readonly [
        signs: Readonly<Record<string, readonly unknown[] | null>>,
        Kinds | null,
      ])[]
    | undefined;
  readonly all?: readonly Kinds[] | undefined;
}

export type SharedKinds = Readonly<Record<string, Kinds>>;

/** Makes dates and big integers of the texts in a value, in place. */
export function revive(
  value: unknown,
  kinds: Kinds | null | undefined,
  shared: SharedKinds,
): unknown {
  if (!kinds) return value;
  if (typeof kinds !== 'string') return reviveInside(value, kinds, shared);
  if (kinds.startsWith('#')) return revive(value, shared[kinds.slice(1)], shared);
  if (typeof value !== 'string') return value;
  if (kinds === 'date') return DATE_TEXT.test(value) ? new Date(value) : value;
  return /^-?\d+$/.test(value) ? BigInt(value) : value;
}

function reviveInside(json: unknown, kinds: InnerKinds, shared: SharedKinds): unknown {
  const { all = [], first = [], items, fields = {}, others, choices = [] } = kinds;
  const value = all.reduce((result, each) => revive(result, each, shared), json);
  if (Array.isArray(value))
    return value.map((each, index) =>
      revive(each, index < first.length ? first[index] : items, shared),
    );
  if (typeof value !== 'object' || value === null) return value;
  const holder = value as Record<string, unknown>;
  const choice = choices.find(([signs]) =>
    Object.entries(signs).every(
      ([name, values]) => name in holder && (values?.includes(holder[name]) ?? true),
    ),
  );
  for (const name in holder)
    holder[name] = revive(
      holder[name],
      Object.hasOwn(fields, name) ? fields[name] : others,
      shared,
    );
  return revive(holder, choice?.[1], shared);
}

const DATE_TEXT = /^([+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
