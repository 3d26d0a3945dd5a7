/** Servers that start again and again, each time in a process of their own. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('start.mjs', import.meta.url));

/** A peer that starts so many times, and of which one figure is taken. */
export const starting = (peer, times, figure) => () => {
  const startOnce = () =>
    JSON.parse(execFileSync(process.execPath, [file, peer], { encoding: 'utf8' }))[figure];
  return {
    work: () => Array.from({ length: times }, startOnce).reduce((sum, each) => sum + each, 0),
  };
};
