import DataLoader from 'dataloader';
import { type CallRequest, findCallRequest } from '../capability/context.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';

/** Loads values of one request together. */
export interface Loader<in Key, out Value> {
  /** The value of a key; undefined where there is none. */
  load(key: Key): Promise<Value | undefined>;
}

type AnyLoader = DataLoader<unknown, unknown>;

/** The loaders of a request, by their names. */
const loaders = new WeakMap<object, Map<string, AnyLoader>>();

/**
 * Loads by many keys at once what the calls of one request need one by one: `load` gets the different keys of calls
 * that run at the same time, and gives the values by their keys. Calls of one request are the fields of an operation of
 * GraphQL; a call of REST has its own. Nothing is remembered: a later call loads anew, and sees what has changed.
 */
export function loader<Key, Value>(
  ctx: object,
  name: string,
  load: (keys: readonly Key[]) => MaybePromise<ReadonlyMap<Key, Value>>,
): Loader<Key, Value> {
  const request = findCallRequest(ctx) as (CallRequest & { readonly parent?: object }) | undefined;
  const owner = request?.parent ?? request?.group ?? request ?? ctx;
  const named = loaders.get(owner) ?? new Map<string, AnyLoader>();
  loaders.set(owner, named);
  const made = named.get(name) ?? createLoader(load as Parameters<typeof createLoader>[0]);
  named.set(name, made);
  return made as Loader<Key, Value>;
}

function createLoader(
  load: (keys: readonly unknown[]) => MaybePromise<ReadonlyMap<unknown, unknown>>,
): AnyLoader {
  const loadAll = async (keys: readonly unknown[]): Promise<unknown[]> => {
    const values = await load([...new Set(keys)]);
    return keys.map((key) => values.get(key));
  };
  return new DataLoader(loadAll, { cache: false });
}
