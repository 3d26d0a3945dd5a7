/** What every capix command reads: the groups of capabilities, and the options of their routes. */
export { authCap, cap } from './context.js';
export * as capabilities from './capabilities/index.js';

/** Shared by the server and the commands, so that a route is the same everywhere: `urlCase`, `overrides`. */
export const restOptions = {};
