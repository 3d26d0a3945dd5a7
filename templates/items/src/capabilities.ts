import type { KeyOf, RestOptions } from 'capix';
import type * as all from './capabilities/index.ts';

export { authCap, cap } from './context.ts';
/** For calls with a header from the screen of `capix call`. */
export { context } from './context.ts';
export * as capabilities from './capabilities/index.ts';

/** The options of routes, such as `urlCase` and `overrides`: the server and every capix command read them here. */
export const restOptions = {} satisfies RestOptions<KeyOf<typeof all>>;
