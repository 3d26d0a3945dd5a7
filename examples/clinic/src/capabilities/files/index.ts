export { addFile } from './add-file.js';
export { getFile } from './get-file.js';
