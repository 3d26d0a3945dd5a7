export { receiveResult } from './receive-result.js';
