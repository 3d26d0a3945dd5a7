export * as capabilities from './capabilities/index.ts';
export { context } from './context.ts';
export { queue as jobs } from './queue.ts';
