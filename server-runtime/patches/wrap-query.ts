import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** Ends a query that has begun; `failed`: with an error. */
type EndQuery = (failed: boolean) => void;
type Method = (this: unknown, ...args: unknown[]) => unknown;
type Callback = (error?: unknown, ...more: unknown[]) => unknown;
type Methods = Record<string, Method | undefined>;
interface Patched {
  readonly prototype?: Methods;
}

const { cache } = createRequire(import.meta.url);
const patched = new WeakSet<object>();
let moduleCount = 0;

/**
 * Has `begin` called with the text of each query of `pg`, which publishes none. Called now and then: it looks whether
 * that package has been loaded meanwhile. A pool gives a client to whoever waits in the turn of the one who had it; the
 * query is that of the one who waited.
 */
export function wrapQuery(begin: (text: unknown) => EndQuery | undefined): void {
  const files = Object.keys(cache);
  if (files.length === moduleCount) return;
  moduleCount = files.length;
  for (const file of files) {
    const name = /[\\/]node_modules[\\/](pg[\\/]lib[\\/]client|pg-pool[\\/]index)\.js$/.exec(file);
    if (name === null) continue;
    const { prototype } = Object(cache[file]?.exports) as Patched;
    if (prototype === undefined || patched.has(prototype)) continue;
    patched.add(prototype);
    if (name[1]?.startsWith('pg-pool')) wrapPool(prototype);
    else wrapClient(prototype, begin);
  }
}

function wrapPool(prototype: Methods): void {
  const { connect } = prototype;
  if (connect === undefined) return;
  prototype['connect'] = function (this: unknown, callback, ...more) {
    const bound =
      typeof callback === 'function' ? AsyncResource.bind(callback as Callback) : callback;
    return connect.call(this, bound, ...more);
  } satisfies Method;
}

function wrapClient(prototype: Methods, begin: (text: unknown) => EndQuery | undefined): void {
  const { query } = prototype;
  if (query === undefined) return;
  prototype['query'] = function (this: unknown, ...args) {
    const [what] = args;
    const end = begin(typeof what === 'string' ? what : Object(what).text);
    if (end === undefined) return query.apply(this, args);
    const at = args.findLastIndex((each) => typeof each === 'function');
    const callback = args[at] as Callback | undefined;
    if (callback === undefined) return awaitEnd(query.apply(this, args), end);
    const taken: Callback = (...results) => {
      end(results[0] !== undefined && results[0] !== null);
      return callback(...results);
    };
    return query.apply(this, args.with(at, taken));
  } satisfies Method;
}

/** What the code iterates, such as a cursor, has begun to run, and says nothing of its end. */
function awaitEnd(result: unknown, end: EndQuery): unknown {
  if (result instanceof Promise)
    result.then(
      () => end(false),
      () => end(true),
    );
  else end(false);
  return result;
}
