// Written by `capix client` for TanStack Query. Write it again when the client moves; do not edit it.
import type { Call } from '{{client}}';

type Parameter<Args extends readonly unknown[]> = undefined extends Args[0] ? [input?: Args[0]] : [input: Args[0]];

/** The options of a query: `useQuery(toQuery(api.users.getUser, { id }))`. Its key begins with the name of the operation. */
export function toQuery<Args extends readonly unknown[], Output, Name extends string, Metas>(
  call: Call<Args, Output, Name, Metas>,
  ...[input]: Parameter<Args>
) {
  return {
    queryKey: input === undefined ? ([call.key] as const) : ([call.key, input] as const),
    queryFn: ({ signal }: { readonly signal?: AbortSignal }): Promise<Output> => call(...([input, { signal }] as unknown as Args)),
  };
}

/** The options of a mutation: `useMutation(toMutation(api.users.createUser))`. */
export function toMutation<Args extends readonly unknown[], Output, Name extends string, Metas>(call: Call<Args, Output, Name, Metas>) {
  return {
    mutationKey: [call.key] as const,
    mutationFn: (...[input]: Parameter<Args>): Promise<Output> => call(...([input] as unknown as Args)),
  };
}

/** The key of every query of an operation: `queryClient.invalidateQueries({ queryKey: toQueryKey(api.users.listUsers) })`. */
export function toQueryKey({ key }: { readonly key: string }) {
  return [key] as const;
}
