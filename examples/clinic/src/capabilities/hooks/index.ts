export { setHook } from './set-hook.js';
