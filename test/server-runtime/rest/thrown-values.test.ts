import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  capability,
  defineContext,
  defineGuard,
  defineInputGuard,
  defineMiddleware,
} from '../../../server-runtime/index.ts';
import { describeThroughEveryDoor } from '../../helpers/every-door.ts';
import { type StartRestOptions } from '../../helpers/start-rest.ts';

const trap = (): never => {
  throw new Error('asked too much');
};
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** What code may throw besides errors. */
const values: readonly (readonly [string, () => unknown])[] = [
  ['nothing', () => undefined],
  ['null', () => null],
  ['a text', () => 'secret'],
  ['a number', () => 404],
  ['a symbol', () => Symbol('secret')],
  ['a function', () => () => 'secret'],
  ['a promise', () => Promise.resolve('secret')],
  ['an object without a prototype', () => Object.create(null)],
  [
    'an object that looks like an error of the framework',
    () => ({ status: 404, name: 'NotFound', message: 'secret' }),
  ],
  ['an error with a status', () => Object.assign(new Error('secret'), { status: 404 })],
  ['a frozen error', () => Object.freeze(new Error('secret'))],
  [
    'an error whose message throws',
    () => Object.defineProperty(new Error('x'), 'message', { get: trap }),
  ],
  ['a Response', () => new Response('secret', { status: 404 })],
  [
    'a proxy that does not answer',
    () => new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap }),
  ],
  ['a proxy that is revoked', revoked],
];

/** Where it is thrown. */
const places: readonly (readonly [string, (boom: () => never) => StartRestOptions])[] = [
  ['the handler', (boom) => of(capability(boom))],
  ['the handler, later', (boom) => of(capability(async () => boom()))],
  [
    'the handler, as a rejection of its own',
    (boom) => of(capability(() => new Promise(() => boom()))),
  ],
  ['a guard', (boom) => of(capability(() => 1).guard(defineGuard(boom)))],
  [
    'a guard, later',
    (boom) => of(capability(() => 1).guard(defineGuard<unknown>(async () => boom()))),
  ],
  ['an input guard', (boom) => of(capability(() => 1).inputGuard(defineInputGuard(boom)))],
  ['a middleware', (boom) => of(capability(() => 1).use(defineMiddleware(boom)))],
  [
    'a refinement of the schema',
    (boom) => of(capability(z.object({ a: z.unknown().refine(boom) }), () => 1)),
  ],
  [
    'an async iterable before its first item',
    (boom) =>
      of(
        capability(async function* () {
          yield* [];
          boom();
        }),
      ),
  ],
  ['the context builder', (boom) => ({ ...of(capability(() => 1)), context: defineContext(boom) })],
  [
    'the context builder, later',
    (boom) => ({ ...of(capability(() => 1)), context: defineContext(async () => boom()) }),
  ],
];

function of(getJob: object): StartRestOptions {
  return { capabilities: { jobs: { getJob, createJob: capability(() => 'fine') } as never } };
}

describeThroughEveryDoor('whatever is thrown', (start) => {
  it.each(places)('by %s is 500, tells nothing, and is logged once', async (_place, toOptions) => {
    let toThrown = (): unknown => undefined;
    const { request, log } = await start(
      toOptions(() => {
        throw toThrown();
      }),
    );
    for (const [at, [name, toValue]] of values.entries()) {
      toThrown = toValue;
      const response = await request('/jobs?a=1');
      expect([name, response.status, await response.text()]).toEqual([
        name,
        500,
        '{"error":"Internal","message":"Internal server error"}',
      ]);
      expect([name, log.errors.length]).toEqual([name, at + 1]);
    }
  });
});
