import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SERVER_CORE = '0';
const LOAD_CORE = '1';

/**
 * Starts a server in its own process on the first core, or with `isSpread` on all: `{name, port, readUsage(), readMemory(), end()}`.
 *
 * @param {{server: {name: string, file?: string, path?: string, args?: string[], isSpread?: boolean}, app: string, node: string, nodeArgs?: string[]}} options
 */
export async function startServer({ server, app, node, nodeArgs = [] }) {
  const file = server.path ?? fileURLToPath(new URL(`servers/${server.file}`, import.meta.url));
  const command = [node, ...nodeArgs, file, app, ...(server.args ?? [])];
  const [program, ...args] =
    canPin() && server.isSpread !== true ? ['taskset', '-c', SERVER_CORE, ...command] : command;
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(program, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...env, NODE_ENV: 'production' },
  });
  const { port } = await nextMessage(child, 'ready', server.name);
  const ask = (question, kind) => {
    const answer = nextMessage(child, kind, server.name);
    child.send(question);
    return answer;
  };
  return {
    name: server.name,
    style: server.style,
    port,
    readUsage: () => ask('usage', 'usage'),
    readMemory: () => ask('memory', 'memory'),
    end: async () => {
      const exited = once(child, 'exit');
      child.send('end');
      await exited;
    },
  };
}

/** Keeps this process, which makes the load, off the servers' core. */
export function pinLoad() {
  if (canPin()) pin(process.pid, LOAD_CORE);
  else
    console.error('No taskset here: servers and load share all cores, so the figures are rougher.');
}

/** Gives a process that runs already the servers' core. */
export function pinToServerCore(pid) {
  if (canPin()) pin(pid, SERVER_CORE);
}

function pin(pid, core) {
  execFileSync('taskset', ['-a', '-c', '-p', core, String(pid)], { stdio: 'ignore' });
}

function canPin() {
  if (process.platform !== 'linux') return false;
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function nextMessage(child, kind, name) {
  return new Promise((resolve, reject) => {
    const onMessage = (message) => {
      if (message.kind !== kind) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message);
    };
    const onExit = (code) =>
      reject(new Error(`The server ${name} ended (exit code ${code}) before it said '${kind}'.`));
    child.on('message', onMessage);
    child.once('exit', onExit);
  });
}
