import type { CallOptions } from './call.ts';
import { KEY } from './create-client-of.ts';

export type InputOnly<Args extends readonly unknown[]> = undefined extends Args[0]
  ? [input?: Args[0]]
  : [input: Args[0]];

/** The options of a query of TanStack Query: `useQuery(toQuery(api.users.getUser, { id }))`. */
export function toQuery<Args extends readonly unknown[], Data>(
  call: (...args: Args) => Promise<Data>,
  ...[input]: InputOnly<Args>
): {
  readonly queryKey: readonly [key: string, input?: Args[0]];
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => Promise<Data>;
} {
  const [key] = toQueryKey(call);
  return {
    queryKey: input === undefined ? [key] : [key, input],
    queryFn: ({ signal }) => call(...([input, { signal }] as unknown as Args)),
  };
}

/** The options of a mutation: `useMutation(toMutation(api.users.createUser))`. */
export function toMutation<Args extends readonly unknown[], Data>(
  call: (...args: Args) => Promise<Data>,
): {
  readonly mutationKey: readonly [key: string];
  readonly mutationFn: (...input: InputOnly<Args>) => Promise<Data>;
} {
  return {
    mutationKey: toQueryKey(call),
    mutationFn: (...[input]) => call(...([input] as unknown as Args)),
  };
}

/** The key of every query of an operation, for `queryClient.invalidateQueries`. */
export function toQueryKey(call: (...args: never) => unknown): readonly [key: string] {
  return [(call as unknown as { readonly [KEY]: string })[KEY]];
}

/** The items of all pages of a list, one after another, read page after page: `pages(api.users.listUsers, {})`. */
export async function* pages<Input, Item>(
  list: (
    input: Input,
    options?: CallOptions,
  ) => Promise<{
    readonly items: readonly Item[];
    readonly nextCursor?: string | null | undefined;
  }>,
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
