/** The most entries that one response lists. */
const PAGE_SIZE = 200;

/** A page of a list such as `{ tools: […] }`: the entries behind the cursor with which the page before ended. */
export function toListPage<List extends Readonly<Record<string, readonly unknown[]>>>(
  list: List,
  cursor: string | undefined,
  toInvalid: (message: string) => Error,
): { -readonly [Name in keyof List]: List[Name][number][] } & { nextCursor?: string } {
  const start = Number(cursor ?? 0);
  const [[name, entries]] = Object.entries(list) as [[string, readonly unknown[]]];
  if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= entries.length))
    throw toInvalid(`There is no page '${cursor}' of this list. Ask for the list from its start.`);
  const end = start + PAGE_SIZE;
  const page = { [name]: entries.slice(start, end), ...(end < entries.length && { nextCursor: String(end) }) };
  return page as ReturnType<typeof toListPage<List>>;
}
