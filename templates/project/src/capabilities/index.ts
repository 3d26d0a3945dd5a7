export * as items from './items/index.js';
