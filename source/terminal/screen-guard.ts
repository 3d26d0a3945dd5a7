import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Waits for the end of this process, and gives the terminal back where nobody else could: after `kill -9`, or where
 * memory ran out. `in` and `out` say whether the window is filled. A shell takes the raw mode back itself after it, but
 * one that started a package manager does not: its mark is that Ctrl-C is not a signal.
 */
const SCRIPT = `
exec 3<&1
while read -r line; do state=$line; done
[ "$state" = in ] || exit 0
printf '\\033[?2026l\\033[?2004l\\033[?1007r\\033[?7h\\033[?25h\\r\\n\\033[?1049l\\033[0m'
case $(stty -a <&3) in *-isig*) stty sane <&3;; esac`;

/** To start it takes 1 to 5 ms, which no first frame waits for. */
const START_AFTER_MS = 300;

let orders: Writable | undefined;
let start: NodeJS.Timeout | undefined;

/** Has a process of a shell watch over the window for as long as it is filled. It outlives this one, and then ends. */
export function guardScreen(isFilled: boolean): void {
  if (process.platform === 'win32') return;
  clearTimeout(start);
  if (isFilled) start = setTimeout(tellGuard, START_AFTER_MS, 'in').unref();
  else if (orders !== undefined) tellGuard('out');
}

function tellGuard(state: 'in' | 'out'): void {
  orders ??= startGuard();
  orders.write(`${state}\n`);
}

function startGuard(): Writable {
  const guard = spawn('/bin/sh', ['-c', SCRIPT], {
    // A session of its own: neither Ctrl-C nor the end of the tool's group ends it.
    detached: true,
    stdio: ['pipe', 'inherit', 'ignore'],
    // Not the folder of the project, which could not be removed then.
    cwd: '/',
  });
  // A system without a shell has no guard, and one that has ended is no reason to end.
  for (const part of [guard, guard.stdin]) part.on('error', () => {});
  guard.unref();
  (guard.stdin as Writable & { unref(): void }).unref();
  return guard.stdin;
}
