export { getItem } from './get.js';
export { listItems } from './list.js';
export { createItem } from './create.js';
