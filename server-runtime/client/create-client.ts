import { unflatten } from 'devalue';
import type { ClientOptions } from './call.ts';
import type { ClientOf, TreeOf } from './client-of.ts';
import { type AnyCall, createCall } from './create-call.ts';

/**
 * Makes a client whose types are those of the capabilities, without generating anything: `Api` is the type of a server,
 * or of groups of capabilities, in the same repository. The server must take calls by their keys:
 * `restTransport({calls: true})`.
 *
 * @example
 * ```ts
 * import { createClient } from 'capix/client';
 * import type * as capabilities from './capabilities/index.js';
 *
 * const api = createClient<typeof capabilities>({ baseUrl: 'http://localhost:3000' });
 * const { name } = await api.items.getItem({ id: '7' });
 * const result = await api.items.getItem.safe({ id: '8' });
 * if (!result.ok) console.log(result.error.name, result.status);
 * ```
 */
export function createClient<Api extends object>(options: ClientOptions): ClientOf<TreeOf<Api>> {
  return toNode(options, '') as never;
}

/** The names that JavaScript looks for in what is awaited, printed or sent. The types refuse them as names. */
const notKeys: ReadonlySet<string> = new Set(['safe', 'then', 'toJSON', 'toString', 'valueOf', 'constructor']);

/** The value at a key: a group and a call in one, since only the types know which it is. */
function toNode(options: ClientOptions, key: string): object {
  const call = createCall(key, {
    options,
    route: ['POST', `/_call/${key}`, { isByKey: true }],
    dataPath: ['data'],
    revive: parseValue,
  });
  const get = (target: AnyCall, name: string | symbol): unknown => {
    if (typeof name === 'symbol' || notKeys.has(name)) return Reflect.get(target, name);
    return toNode(options, key === '' ? name : `${key}.${name}`);
  };
  return new Proxy(call, { get });
}

/** The value that the JSON of a response stands for. A response of something else than the server stays as it is. */
function parseValue(json: unknown): unknown {
  // A negative number is what devalue writes for `undefined` and `NaN`.
  return Array.isArray(json) || Number(json) < 0 ? (unflatten(json as unknown[] | number) ?? null) : json;
}
