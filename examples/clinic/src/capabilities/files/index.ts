export { addFile } from './add-file.ts';
export { getFile } from './get-file.ts';
