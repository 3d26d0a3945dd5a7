import type { CallOptions } from './call.ts';

/**
 * The items of all pages of a list, one after another, read page after page.
 *
 * @example
 * ```ts
 * import { type Call, createClientOf, pages } from 'capix/client';
 *
 * type UserPage = { readonly items: readonly string[]; readonly nextCursor?: string | null };
 * interface Api {
 *   readonly listUsers: Call<{ readonly cursor?: string }, { 200: UserPage }>;
 * }
 * const api = createClientOf<Api>({ listUsers: ['GET', '/users'] })({ baseUrl: 'https://api.example.org' });
 *
 * for await (const user of pages(api.listUsers, {})) console.log(user);
 * ```
 */
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
