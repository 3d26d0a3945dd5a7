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
  return { mutationKey: toQueryKey(call), mutationFn: (...[input]) => call(...([input] as unknown as Args)) };
}

/** The key of every query of an operation, for `queryClient.invalidateQueries`. */
export function toQueryKey(call: (...args: never) => unknown): readonly [key: string] {
  return [(call as unknown as { readonly [KEY]: string })[KEY]];
}
