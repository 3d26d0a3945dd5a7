export { setHook } from './set-hook.ts';
