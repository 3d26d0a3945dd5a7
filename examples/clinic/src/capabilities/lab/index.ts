export { receiveResult } from './receive-result.ts';
