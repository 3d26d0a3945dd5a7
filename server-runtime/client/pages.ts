import type { CallOptions } from './call.ts';

/** The items of all pages of a list, one after another, read page after page: `pages(api.users.listUsers, {})`. */
export async function* pages<Input, Item>(
  list: (
    input: Input,
    options?: CallOptions,
  ) => Promise<{ readonly items: readonly Item[]; readonly nextCursor?: string | null | undefined }>,
  input: NonNullable<Input>,
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const page = await list(cursor === undefined ? input : { ...input, cursor }, options);
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined && cursor !== null);
}
