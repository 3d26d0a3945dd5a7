/**
 * `npm start`: builds capix, makes the demo project in `demo/` with it, and becomes `capix dev` there. A demo that is
 * there stays, with what was written into it; words after `npm start --` go to `capix dev`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { root } from './import-source.mjs';

const demo = join(root, 'demo');
const cli = join(root, 'dist', 'cli.cjs');

try {
  say('Building capix');
  runNode(join(root, 'scripts', 'build.mjs'));
  if (!existsSync(join(demo, 'package.json'))) {
    say('Creating the project demo/');
    runNode(cli, 'new', 'demo', '--no-git', '--no-install', '--json');
  }
  if (!existsSync(join(demo, 'node_modules', '.package-lock.json'))) {
    say('Installing demo/');
    runNpm('install', '--include=dev', '--no-audit', '--no-fund');
  }
} catch (error) {
  // The program that failed has reported what is wrong.
  process.exit(error.status ?? 1);
}

say('Running `capix dev` in demo/');
process.chdir(demo);
process.argv = [process.execPath, cli, 'dev', ...process.argv.slice(2)];
endWithParent();
await import(pathToFileURL(cli).href);

/** npm passes a signal to the shell between it and us, which ends and does not pass it on. */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}

function say(what) {
  process.stderr.write(`[start] ${what}\n`);
}

function runNode(...args) {
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function runNpm(...args) {
  // npm is a .cmd file on Windows, which only a shell runs.
  execFileSync('npm', args, {
    cwd: demo,
    stdio: ['ignore', 2, 'inherit'],
    shell: process.platform === 'win32',
  });
}
