export { getItem } from './get.ts';
export { listItems } from './list.ts';
export { createItem } from './create.ts';
