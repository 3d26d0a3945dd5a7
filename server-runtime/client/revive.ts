import type { Kinds } from '../schema/sent/find-kinds.ts';

/** Makes dates and big integers of the texts in a value that JSON gave, in place. In production another text may have come, which stays. */
export function revive(value: unknown, kinds: Kinds | undefined): unknown {
  if (kinds === 'date' || kinds === 'bigint') {
    if (typeof value !== 'string') return value;
    if (kinds === 'date') return /^\S+T\S+Z$/.test(value) ? new Date(value) : value;
    return /^-?\d+$/.test(value) ? BigInt(value) : value;
  }
  if (Object(value) === value && kinds !== undefined) {
    const fields = value as Record<string, unknown>;
    const { length } = kinds as { readonly length?: unknown };
    for (const name of Object.keys(length === 1 ? fields : kinds))
      if (Object.hasOwn(fields, name))
        fields[name] = revive(fields[name], (kinds as Readonly<Record<string, Kinds>>)[length === 1 ? 0 : name]);
  }
  return value;
}
