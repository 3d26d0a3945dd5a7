/**
 * `npm run compat:tutorial`: follows docs/tutorial.md in an empty folder with the packed package. It writes each file, makes each
 * edit, runs each command and compares what it prints, and compares the folder at the end with examples/clinic. With words, such as
 * `npm run compat:tutorial -- 4`, it ends with that chapter.
 */
import { execFile, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findRedisServer } from '../../scripts/find-redis-server.mjs';
import { applyEdit, isShown, readSteps } from './tutorial-steps.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const run = promisify(execFile);
const lastChapter = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);
const home = await mkdtemp(join(tmpdir(), 'capix-tutorial-'));
const folder = join(home, 'clinic');
const started = new Set();
const print = (line) => process.stdout.write(`${line}\n`);

const findPort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts a program in a group of its own, and waits until what it prints holds `sign`. */
async function start(command, args, { sign, ...options }) {
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  child.printed = '';
  await new Promise((resolve, reject) => {
    const hear = (chunk) => {
      child.printed += chunk;
      if (sign.test(child.printed)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${command} ended:\n${child.printed}`)));
    setTimeout(
      () => reject(new Error(`${command} did not start:\n${child.printed}`)),
      240_000,
    ).unref();
  });
  return child;
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const { pid } of started) process.kill(-pid, 'SIGTERM');
    process.exit(1);
  });

async function end(child) {
  started.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 30_000);
  await ended;
  clearTimeout(late);
}

/** The PostgreSQL of this machine with a database `clinic`, as whoever may start it; `undefined` where there is none. */
async function startPostgres() {
  const { stdout } = await run('bash', [
    '-c',
    'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1',
  ]).catch(() => ({ stdout: '' }));
  const bin = stdout.trim();
  if (bin === '') return undefined;
  const data = join(home, 'postgres');
  await mkdir(data);
  const { stdout: id } = await run('id', ['-u', 'postgres']);
  const isRoot = process.getuid() === 0;
  const as = isRoot ? { uid: Number(id), gid: Number(id) } : {};
  if (isRoot) {
    await run('chmod', ['755', home]);
    await chown(data, as.uid, as.gid);
  }
  await run(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'clinic', '--no-sync'], {
    ...as,
    cwd: data,
  });
  const port = await findPort();
  const args = ['-D', data, '-p', `${port}`, '-k', data, '-c', 'fsync=off'];
  await start(join(bin, 'postgres'), args, { ...as, cwd: data, sign: /ready to accept/ });
  const server = `postgres://clinic@127.0.0.1:${port}`;
  await run(join(bin, 'createdb'), ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'clinic', 'clinic']);
  return server;
}

async function startRedis() {
  const program = findRedisServer();
  if (program === undefined) return undefined;
  const port = await findPort();
  await start(program, ['--port', `${port}`, '--save', ''], { cwd: home, sign: /Ready to accept/ });
  return `redis://127.0.0.1:${port}`;
}

async function pack() {
  const { stdout } = await run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', home],
    { cwd: root },
  );
  return join(home, JSON.parse(stdout)[0].filename);
}

/** What stands here for what the text says: the package, ports, and the servers that run here. */
async function findPlaces() {
  const [tarball, postgres, redis] = await Promise.all([pack(), startPostgres(), startRedis()]);
  const places = [
    ['"capix": "0.1.0"', `"capix": "file:${tarball}"`],
    ['localhost:3000', `localhost:${await findPort()}`],
    ['listen 8080', `listen ${await findPort()}`],
  ];
  const port = places[1][1].split(':')[1];
  const proxy = places[2][1].split(' ')[1];
  return {
    needs: { PostgreSQL: postgres, Redis: redis },
    places: [
      ...places,
      ['localhost:8080', `localhost:${proxy}`],
      ['127.0.0.1:3000', `127.0.0.1:${port}`],
      ['default(3000)', `default(${port})`],
      ['postgres://localhost', postgres ?? 'postgres://nobody'],
      ['redis://localhost', redis ?? 'redis://nobody'],
    ],
  };
}

const { places, needs } = await findPlaces();
const toHere = (text) => places.reduce((here, [from, to]) => here.replaceAll(from, to), text);
const toText = (text) => places.reduce((there, [to, from]) => there.replaceAll(from, to), text);
const read = async (path) => readFile(join(folder, path), 'utf8');

async function write(path, text) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), toHere(text));
}

const serverCommand = /(?:^|\s)(?:npm run dev|npx capix (?:dev|start))(?:\s|$)|^nginx /;
const state = join(home, 'state');
await writeFile(state, '');

/** Runs a command as one shell would that all commands of the text share: variables stay. */
async function runCommand(command) {
  const script = `set -a; . "$STATE"; cd "$FOLDER"; eval "$COMMAND"; code=$?; declare -px | grep -v ' \\(PWD\\|OLDPWD\\|SHLVL\\|_\\|COMMAND\\)=' > "$STATE"; exit $code`;
  const env = {
    ...process.env,
    STATE: state,
    FOLDER: folder,
    COMMAND: toHere(command),
    NO_COLOR: '1',
    npm_config_prefer_offline: 'true',
    ...(needs.PostgreSQL !== undefined && { TEST_POSTGRES: `${needs.PostgreSQL}/postgres` }),
  };
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`It ended with ${code}:\n${printed}`);
  return toText(printed);
}

const servers = [];
/** Starts what runs on until the chapter ends: `capix` says where it listens, and nginx that it has workers. */
async function startServer(command) {
  const script = `set -a; . "${state}"; exec env ${toHere(command)}`;
  servers.push(
    await start('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
      sign: /http:\/\/localhost|start worker process/,
    }),
  );
}

async function follow(step) {
  if (step.kind === 'file') return write(step.path, step.text);
  if (step.kind === 'edit') return write(step.path, applyEdit(toText(await read(step.path)), step));
  for (const { command, output } of step.commands) {
    if (serverCommand.test(command)) await startServer(command);
    else {
      const printed = await runCommand(command);
      if (output !== undefined && !isShown(output, printed))
        throw new Error(`${command}\nshould print\n${output}\nand printed\n${printed}`);
    }
  }
}

/** Files that commands make, which no text shows. */
const made =
  /^(?:node_modules|dist|files|pgdata|nginx\.pid|package-lock\.json|public\/page\.js|migrations|.*\.log)(?:$|\/)/;

async function listFiles(place) {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length + 1))
    .filter((path) => !made.test(path))
    .toSorted();
}

async function compare() {
  const example = join(root, 'examples', 'clinic');
  const paths = new Set([...(await listFiles(folder)), ...(await listFiles(example))]);
  for (const path of [...paths, 'migrations/0000_start.sql']) {
    const mine = await read(path).then(toText, () => undefined);
    const theirs = await readFile(join(example, path), 'utf8').catch(() => undefined);
    if (mine !== theirs) throw new Error(`${path} of the text is not that of examples/clinic.`);
  }
  return paths.size;
}

try {
  await mkdir(folder);
  const page = await readFile(join(root, 'docs', 'tutorial.md'), 'utf8');
  const [, ...chapters] = page.split(/^(?=## \d)/m);
  let line = page.indexOf(chapters[0]);
  line = page.slice(0, line).split('\n').length - 1;
  for (const chapter of chapters.slice(0, lastChapter)) {
    const title = chapter.slice(3, chapter.indexOf('\n'));
    const missing = Object.keys(needs).filter(
      (name) => needs[name] === undefined && chapter.includes(`${name.toLowerCase()}://`),
    );
    const began = performance.now();
    for (const step of readSteps(chapter)) {
      if (missing.length > 0 && step.kind === 'commands') continue;
      await follow(step).catch((error) => {
        throw new Error(
          `docs/tutorial.md, line ${line + step.line}: ${error.message}\n${servers.map(({ printed }) => printed.slice(-3000)).join('\n')}`,
        );
      });
    }
    for (const server of servers.splice(0).toReversed()) await end(server);
    const seconds = Math.round((performance.now() - began) / 1000);
    print(
      missing.length > 0
        ? `not run, without ${missing.join(', ')}: ${title}`
        : `${title}: ${seconds} s`,
    );
    line += chapter.split('\n').length - 1;
  }
  if (lastChapter >= chapters.length)
    print(`The same as examples/clinic: ${await compare()} files`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  for (const child of started) await end(child);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
