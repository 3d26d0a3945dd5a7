import { KEY } from './to-call.ts';

/**
 * The options of a query of TanStack Query: `useQuery(toQuery(api.users.getUser, { id }))`. Its key is the name of the operation and its input.
 *
 * @example
 * ```ts
 * import { createClient, toQuery } from 'capix/client';
 * import type * as capabilities from './capabilities/index.js';
 *
 * const api = createClient<typeof capabilities>({ baseUrl: 'http://localhost:3000' });
 * export const { queryKey, queryFn } = toQuery(api.items.getItem, { id: '7' });
 * ```
 */
export function toQuery<Args extends readonly unknown[], Data>(
  call: (...args: Args) => Promise<Data>,
  ...[input]: InputOnly<Args>
) {
  return {
    queryKey: input === undefined ? ([toKey(call)] as const) : ([toKey(call), input] as const),
    queryFn: ({ signal }: { readonly signal?: AbortSignal }): Promise<Data> =>
      call(...([input, { signal }] as unknown as Args)),
  };
}

/**
 * The options of a mutation: `useMutation(toMutation(api.users.createUser))`.
 *
 * @example
 * ```ts
 * import { createClient, toMutation } from 'capix/client';
 * import type * as capabilities from './capabilities/index.js';
 *
 * const api = createClient<typeof capabilities>({ baseUrl: 'http://localhost:3000' });
 * export const { mutationKey, mutationFn } = toMutation(api.items.createItem);
 * ```
 */
export function toMutation<Args extends readonly unknown[], Data>(call: (...args: Args) => Promise<Data>) {
  return {
    mutationKey: [toKey(call)] as const,
    mutationFn: (...[input]: InputOnly<Args>): Promise<Data> => call(...([input] as unknown as Args)),
  };
}

/**
 * The key of every query of an operation: `queryClient.invalidateQueries({ queryKey: toQueryKey(api.users.listUsers) })`.
 *
 * @example
 * ```ts
 * import { createClient, toQueryKey } from 'capix/client';
 * import type * as capabilities from './capabilities/index.js';
 *
 * const api = createClient<typeof capabilities>({ baseUrl: 'http://localhost:3000' });
 * export const queryKey = toQueryKey(api.items.listItems);
 * ```
 */
export function toQueryKey(call: (...args: never) => unknown) {
  return [toKey(call)] as const;
}

/** The arguments of a call without its options. */
export type InputOnly<Args extends readonly unknown[]> = undefined extends Args[0]
  ? [input?: Args[0]]
  : [input: Args[0]];

/** The name of an operation: `users.getUser`. */
function toKey(call: object): string {
  return (call as { readonly [KEY]: string })[KEY];
}
