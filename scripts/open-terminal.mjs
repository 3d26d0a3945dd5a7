import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { background } from './draw-screen.mjs';
import { root } from './import-source.mjs';

const TIMEOUT_MS = 60_000;

/** Runs the built command in a pseudo-terminal; `press` rejects where the screen does not show a text within a minute. */
export function openTerminal(words, { cwd, columns = 90, rows = 24 }) {
  const window = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const { CI: _ci, NO_COLOR: _noColor, PORT: _port, ...environment } = process.env;
  // Paths are shown from the home folder on.
  const env = {
    ...environment,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    PORT: '1',
    HOME: dirname(cwd),
  };
  const child = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words], {
    cols: columns,
    rows,
    cwd,
    env,
  });
  let isOver = false;
  const ended = new Promise((resolve) => child.onExit(resolve)).then(() => (isOver = true));
  child.onData((data) => window.write(data));
  window.onData((reply) => !isOver && child.write(reply));
  window.parser.registerOscHandler(11, () => {
    child.write(`\u001B]11;rgb:${background.match(/[\da-f]{2}/g).join('/')}\u001B\\`);
    return true;
  });
  const read = () => {
    const { active } = window.buffer;
    const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.viewportY + row));
    return lines.map((line) => line?.translateToString(true)).join('\n');
  };
  return {
    window,
    press: async (keys, text) => {
      child.write(keys);
      const until = Date.now() + TIMEOUT_MS;
      while (!text.test(read())) {
        if (Date.now() > until)
          throw new Error(`The screen never showed ${text}. It shows:\n${read()}`);
        await sleep(50);
      }
    },
    close: async () => {
      if (!isOver) child.kill('SIGTERM');
      await ended;
      window.dispose();
    },
  };
}
