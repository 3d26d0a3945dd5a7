export * as capabilities from './capabilities/index.js';
export { context } from './context.js';
export { queue as jobs } from './queue.js';
