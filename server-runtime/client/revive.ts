import type { Kinds } from '../schema/sent/find-kinds.ts';

/** The texts by which JSON has them. In production nobody holds a handler to its schema, so that another text may have come. */
const forms = { date: /^([+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, bigint: /^-?\d+$/ };
const makers = { date: (text: string) => new Date(text), bigint: BigInt };

/** Makes dates and big integers of the texts in a value that JSON gave, in place. */
export function revive(value: unknown, kinds: Kinds | undefined): unknown {
  if (kinds === undefined || value === null) return value;
  if (typeof value === 'string')
    return typeof kinds === 'string' && forms[kinds].test(value) ? makers[kinds](value) : value;
  if (typeof value !== 'object' || typeof kinds !== 'object') return value;
  const fields = value as Record<string, unknown>;
  const every = Array.isArray(kinds) ? (kinds[0] as Kinds) : undefined;
  for (const name of Object.keys(every === undefined ? kinds : fields))
    if (Object.hasOwn(fields, name))
      fields[name] = revive(fields[name], every ?? (kinds as Readonly<Record<string, Kinds>>)[name]);
  return value;
}
