import { unflatten } from 'devalue';
import type { ClientOptions } from './call.ts';
import type { ClientOf, TreeOf } from './client-of.ts';
import { createCall } from './create-call.ts';

/**
 * Makes a client whose types are those of the capabilities, without generating anything: `Api` is the type of a server,
 * or of groups of capabilities. The server must take calls by their keys: `restTransport({calls: true})`.
 */
export function createClient<Api extends object>(options: ClientOptions): ClientOf<TreeOf<Api>> {
  return toNode(options, '') as never;
}

/** The names that JavaScript looks for in what is awaited, printed or sent. The types refuse them as names. */
const notKeys: ReadonlySet<string> = new Set(['safe', 'then', 'toJSON', 'toString', 'valueOf', 'constructor']);

/** The value at a key: a group and a call in one, since only the types know which it is. */
function toNode(options: ClientOptions, key: string): object {
  const route = ['POST', `/_call/${key}`, { isByKey: true }] as const;
  return new Proxy(createCall(key, { options, route, dataField: 'data', revive: parseValue }), {
    get: (call, name) =>
      typeof name === 'symbol' || notKeys.has(name)
        ? (Reflect.get(call, name) as unknown)
        : toNode(options, key === '' ? name : `${key}.${name}`),
  });
}

/** The value that the JSON of a response stands for. A response of something else than the server stays as it is. */
function parseValue(json: unknown): unknown {
  // A negative number is what devalue writes for `undefined` and `NaN`.
  return Array.isArray(json) || Number(json) < 0 ? (unflatten(json as unknown[] | number) ?? null) : json;
}
