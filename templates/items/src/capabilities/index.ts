export * as items from './items/index.ts';
