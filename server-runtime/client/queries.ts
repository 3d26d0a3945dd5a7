import { KEY } from './create-call.ts';

/**
 * The options of a query of TanStack Query: `useQuery(toQuery(api.users.getUser, { id }))`.
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
): QueryOptions<Args, Data> {
  return {
    queryKey: input === undefined ? [toKey(call)] : [toKey(call), input],
    queryFn: ({ signal }) => call(...([input, { signal }] as unknown as Args)),
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
export function toMutation<Args extends readonly unknown[], Data>(
  call: (...args: Args) => Promise<Data>,
): MutationOptions<Args, Data> {
  return {
    mutationKey: [toKey(call)],
    mutationFn: (...[input]) => call(...([input] as unknown as Args)),
  };
}

/**
 * The key of every query of an operation, for `queryClient.invalidateQueries`.
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
export function toQueryKey(call: (...args: never) => unknown): readonly [key: string] {
  return [toKey(call)];
}

export interface QueryOptions<Args extends readonly unknown[], Data> {
  readonly queryKey: readonly [key: string] | readonly [key: string, input: Args[0]];
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => Promise<Data>;
}

export interface MutationOptions<Args extends readonly unknown[], Data> {
  readonly mutationKey: readonly [key: string];
  readonly mutationFn: (...input: InputOnly<Args>) => Promise<Data>;
}

export type InputOnly<Args extends readonly unknown[]> = undefined extends Args[0]
  ? [input?: Args[0]]
  : [input: Args[0]];

function toKey(call: object): string {
  return (call as { readonly [KEY]: string })[KEY];
}
