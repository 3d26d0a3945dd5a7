import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

const builtCli = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** Runs the built command, or that of `cli`, in a pseudo-terminal of 120 x 40 and reads its window. */
export function openWindow(words, { cwd, cli = builtCli, node = process.execPath }) {
  const startedAt = performance.now();
  const window = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true });
  const { CI, NODE_EXTRA_CA_CERTS, ...env } = process.env;
  const child = spawn(node, [cli, ...words], {
    cols: 120,
    rows: 40,
    cwd,
    env: { ...env, TERM: 'xterm-256color' },
  });
  const watchers = new Set();
  let lastAt = startedAt;
  let endedAt;
  let frame = '';
  child.onData((data) =>
    window.write(data, () => {
      lastAt = performance.now();
      // Half a frame is none.
      if (window.modes.synchronizedOutputMode) return;
      frame = readScreen(window);
      for (const look of watchers) look();
    }),
  );
  window.onData((reply) => child.write(reply));
  const screen = () => frame;
  const changed = (isReached, timeoutMs) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => end(reject, new Error(`The window never got there:\n${screen()}`)),
        timeoutMs,
      );
      const look = () => isReached() && end(resolve, performance.now());
      const end = (settle, value) => {
        clearTimeout(timer);
        watchers.delete(look);
        settle(value);
      };
      watchers.add(look);
      look();
    });
  return {
    type: (keys) => child.write(keys),
    ended: new Promise((resolve) =>
      child.onExit(() => {
        endedAt = performance.now();
        resolve();
      }),
    ),
    /** Milliseconds from the start of the process to its end, or to now. */
    sinceStart: () => (endedAt ?? performance.now()) - startedAt,
    waitFor: (condition) => changed(() => condition(screen()), 60_000),
    /** Until nothing was drawn for this long, milliseconds. */
    settled: async (quietMs) => {
      while (performance.now() - lastAt < quietMs)
        await new Promise((resolve) => setTimeout(resolve, quietMs / 10));
    },
    /** Milliseconds from a key to the frame in which what `read` finds on the screen is another; undefined where the key changes nothing. */
    timeKey: async (key, read = (text) => text) => {
      const before = read(screen());
      const pressedAt = performance.now();
      child.write(key);
      try {
        return (await changed(() => read(screen()) !== before, 2000)) - pressedAt;
      } catch {
        return undefined;
      }
    },
    /** CPU time of the process so far, without those that it has started, milliseconds; undefined where the system does not say. */
    cpuMs: () => {
      try {
        return readCpuMs(child.pid);
      } catch {
        return undefined;
      }
    },
    /** CPU time of the process and of all that it has started, also of what has ended, milliseconds in steps of 10; undefined where the system does not say. */
    sessionCpuMs: () => {
      try {
        return readSessionCpuMs(child.pid);
      } catch {
        return undefined;
      }
    },
    /** Resident memory, MiB; undefined where the system does not say. */
    memory: () => {
      try {
        return (
          Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) /
          1024
        );
      } catch {
        return undefined;
      }
    },
  };
}

function readScreen({ rows, buffer: { active } }) {
  return Array.from(
    { length: rows },
    (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
  ).join('\n');
}

const NS_PER_MS = 1e6;

function readCpuMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}/schedstat`);
  return (
    threads.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]), 0) /
    NS_PER_MS
  );
}

/** A process that the terminal started leads a session. */
function readSessionCpuMs(session) {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return (
    ids.map((id) => readTicks(id, session)).reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK
  );
}

const MS_PER_TICK = 10;

function readTicks(id, session) {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[3]) === session
      ? fields
          .slice(11, 15)
          .map(Number)
          .reduce((sum, ticks) => sum + ticks)
      : 0;
  } catch {
    return 0; // It has ended.
  }
}
