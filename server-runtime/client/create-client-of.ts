import type { ClientOptions } from './call.ts';
import { createCall, type Route } from './create-call.ts';
import { revive, type SharedKinds } from './revive.ts';

/** The operations of an API by their keys: `{ 'users.getUser': ['GET', '/users/{id}'] }`. */
export type Routes = Readonly<Record<string, Route>>;

/** The facts that all responses of an API share. */
export interface ApiFacts {
  /** The field of a response that holds its data; `false` where it is bare. @default 'data' */
  readonly dataField?: string | false | undefined;
  /** The places of dates and big integers in schemas that others refer to. */
  readonly kinds?: SharedKinds | undefined;
}

/** Makes the client of an API from its routes, as the file that `capix client` writes does. */
export function createClientOf<Api>(routes: Routes, { dataField = 'data', kinds = {} }: ApiFacts = {}) {
  return (options: ClientOptions): Api => {
    const api: Group = {};
    for (const [key, route] of Object.entries(routes)) {
      const groups = key.split('.');
      const name = groups.pop() ?? '';
      let group = api;
      for (const each of groups) group = (group[each] = (Object.hasOwn(group, each) && group[each]) || {}) as Group;
      const toValue = (json: unknown, place: number | string) => revive(json, route[2]?.kinds?.[place], kinds);
      group[name] = createCall(key, { options, route, dataField, revive: toValue });
    }
    return api as Api;
  };
}

interface Group {
  [name: string]: object;
}
