/**
 * The process of `ask-capix.ts`: it runs command after command as `cli.cjs` runs one. What they share is Node, the code
 * of the tool and that of packages. Its descriptors 1 and 2 are stderr, and stdout is `DATA`, as where a command keeps
 * stdout for its data.
 */
import { createRequire } from 'node:module';
import process from 'node:process';
import { Readable } from 'node:stream';
import { followTurns } from './fresh-modules.mjs';

const DATA = '4';

const { runCli, currentRun, keepStdout, ownsStdout } = await import(
  '../../dist/source/cli/run-cli.js'
);
const { cache } = createRequire(import.meta.url);
const own = { argv: process.argv, exit: process.exit };
const nextTurn = followTurns();
process.env.CAPIX_STDOUT = DATA;
keepStdout();

process.on('message', (question) => void run(question).then((exitCode) => process.send(exitCode)));
process.send(0);

async function run({ args, cwd, env, input }) {
  const argv = [...own.argv.slice(0, 2), ...args];
  const takeListeners = rememberListeners();
  nextTurn();
  process.chdir(cwd);
  setEnvironment(ownsStdout(argv) ? { ...env, CAPIX_STDOUT: DATA } : env);
  process.argv = argv;
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { configurable: true, value: stdin });
  currentRun.finished = undefined;
  const exitCode = await new Promise((resolve) => {
    process.exit = (code = process.exitCode ?? 0) => {
      for (const listener of takeListeners('exit')) listener(code);
      resolve(process.exitCode ?? code);
    };
    void runCli(argv);
  });
  Object.assign(process, own, { exitCode: undefined });
  process.chdir('/');
  takeListeners();
  for (const file of Object.keys(cache)) if (!file.includes('node_modules')) delete cache[file];
  // The hooks of the tool remember what package.json and tsconfig.json say.
  globalThis[Symbol.for('capix.hooks')]?.take({ isAnew: true, files: [] });
  return exitCode;
}

function setEnvironment(environment) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** Gives a function that removes the listeners (of one event, or all) that have come since, and gives them. */
function rememberListeners() {
  const emitters = [process, process.stdout, process.stderr];
  const find = (emitter, name) => emitter.rawListeners(name);
  const before = emitters.map(
    (emitter) => new Map(emitter.eventNames().map((name) => [name, find(emitter, name)])),
  );
  return (event) =>
    emitters.flatMap((emitter, index) => {
      const names = event === undefined ? emitter.eventNames() : [event];
      return names.flatMap((name) => {
        const known = before[index].get(name) ?? [];
        const added = find(emitter, name).filter((listener) => !known.includes(listener));
        for (const listener of added) emitter.off(name, listener);
        return added;
      });
    });
}
