export { authCap, cap } from './context.js';
/** For calls with a header from the screen of `capix call`. */
export { context } from './context.js';
export * as capabilities from './capabilities/index.js';

/**
 * `urlCase` and `overrides` of the routes, for the server and every capix command, so that a route is the same everywhere.
 *
 * @type {import('capix').RestOptions<import('capix').KeyOf<typeof import('./capabilities/index.js')>>}
 */
export const restOptions = {};
