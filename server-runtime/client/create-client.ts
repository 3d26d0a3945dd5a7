import { unflatten } from 'devalue';
import type { ClientOptions } from './call.ts';
import type { ClientOf, TreeOf } from './client-of.ts';
import { type AnyCall, createCall, type Route } from './create-call.ts';
import { revive, type SharedKinds } from './revive.ts';

/**
 * Makes a client whose types are those of the capabilities, without generating anything: `Api` is the type of a server,
 * or of groups of capabilities, in the same repository. The server must take calls by their keys:
 * `restTransport({calls: true})`.
 *
 * @example
 * ```ts
 * import { createClient } from 'capix/client';
 *
 * const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));
 * const server = createServer({ capabilities: { users: { getUser } }, transports: [restTransport({ calls: true })] });
 *
 * // In the browser, of the server only its type: import type { server } from '../server/src/server.js';
 * const api = createClient<typeof server>({ baseUrl: 'http://localhost:3000' });
 * const { name } = await api.users.getUser({ id: '7' });
 * const result = await api.users.getUser.safe({ id: '8' });
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

/** The operations of an API by their keys. */
export type Routes = Readonly<Record<string, Route>>;

/** The facts that all responses of an API share. */
export interface ApiFacts {
  /** The fields around the data of a response, the outermost first. @default ['data'] */
  readonly dataPath?: readonly string[] | undefined;
  /** The places of dates and big integers in schemas that others refer to. */
  readonly kinds?: SharedKinds | undefined;
}

/**
 * Makes the client of an API from its routes, as the file that `capix client` writes does. `Api` has the types of its
 * calls under their groups.
 *
 * @example
 * ```ts
 * import { type Call, createClientOf } from 'capix/client';
 *
 * interface Api {
 *   readonly users: { readonly getUser: Call<{ readonly id: string }, { 200: { readonly name: string } }> };
 * }
 * const createApi = createClientOf<Api>({ 'users.getUser': ['GET', '/users/{id}'] });
 *
 * const api = createApi({ baseUrl: 'https://api.example.org' });
 * ```
 */
export function createClientOf<Api>(routes: Routes, { dataPath = ['data'], kinds: shared = {} }: ApiFacts = {}) {
  return (options: ClientOptions): Api => {
    const api: Group = {};
    for (const [key, route] of Object.entries(routes)) {
      const groups = key.split('.');
      const name = groups.pop() ?? '';
      const group = groups.reduce<Group>((at, each) => {
        if (!Object.hasOwn(at, each)) at[each] = {};
        return at[each] as Group;
      }, api);
      group[name] = createCall(key, {
        options,
        route,
        dataPath,
        revive: (value, place) => revive(value, route[2]?.kinds?.[place], shared),
      });
    }
    return api as Api;
  };
}

interface Group {
  [name: string]: object;
}
