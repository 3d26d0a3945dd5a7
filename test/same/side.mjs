/** A build and the folder in which it runs: projects that have it as their `capix`, workers and commands. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { batches, ownProjects } from './commands.mjs';

const root = join(import.meta.dirname, '..', '..');
const linked = [
  'zod',
  'node-sqlite3-wasm',
  'typescript',
  '@types',
  '@typescript',
  'undici-types',
  '@modelcontextprotocol',
];

/** Prepares `folder` for the build in `build`; `texts` are the random projects by name, `inputs` what the tests have, bundled. */
export function createSide({ folder, build, texts, inputs }) {
  install(folder, build);
  const projects = join(folder, 'projects');
  write(
    projects,
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.mjs`, text])),
  );
  cpSync(join(import.meta.dirname, 'worker.mjs'), join(folder, 'worker.mjs'));
  write(folder, { 'inputs.mjs': inputs, 'package.json': '{ "type": "module" }' });
  const open = (name) => {
    const place = join(folder, 'commands', name);
    install(place, build);
    write(place, { 'package.json': '{ "name": "demo", "type": "module" }' });
    return place;
  };
  for (const [name, files] of Object.entries(ownProjects)) write(open(name), files);
  for (const name of ['flawed', 'features', 'bookshop'])
    cpSync(join(root, 'test/fixtures', name), open(name), { recursive: true });
  symlinkSync('../shared', join(folder, 'commands/features/node_modules/features-shared'));
  cpSync(join(root, 'examples/realworld'), open('realworld'), { recursive: true });
  openShop(open('shop'), build);
  return {
    folder,
    build,
    open,
    run: (job) => runCommand({ folder, build, job }),
    work: (task) => runWorker({ folder, build, task }),
  };
}

/** Projects of the inputs, which must be imported to know how many there are. */
export async function addInputs({ open }, { serverEdits, toPrograms }, texts) {
  const edits = open('edits');
  const toSide = (side) =>
    `import { toGroups } from './inputs.mjs';\nexport const capabilities = toGroups(${side});\n`;
  const toEdit = (index, side) =>
    `import { serverEdits } from './inputs.mjs';\nconst { sides, restOptions: both } = serverEdits[${index}];\n` +
    `export const capabilities = { items: sides[${side}] };\nexport const restOptions = both[${side}];\n`;
  cpSync(join(dirname(dirname(edits)), 'inputs.mjs'), join(edits, 'inputs.mjs'));
  write(edits, { 'before.mjs': toSide(0), 'after.mjs': toSide(1) });
  for (const index of serverEdits.keys())
    write(edits, {
      [`before${index}.mjs`]: toEdit(index, 0),
      [`after${index}.mjs`]: toEdit(index, 1),
    });
  const programs = toPrograms(60);
  const loads = programs.map(({ entry }) => `() => import('../${entry}')`);
  write(open('programs'), {
    ...Object.assign({}, ...programs.map(({ files }) => files)),
    'src/capabilities.ts': `export const capabilities = {};
      for (const load of [${loads.join(', ')}] as const) {
        const made: any = Object.assign(globalThis, { trace: [], later: [] });
        try { await load(); await Promise.all(made.later); } catch (error: any) { made.trace.push(error.name); }
        console.error(JSON.stringify(made.trace));
      }`,
  });
  for (const [index, batch] of batches.entries()) {
    const names = Object.keys(texts).filter((_, number) => number % batches.length === index);
    const place = open(batch);
    write(place, Object.fromEntries(names.map((name) => [`src/${name}.mjs`, texts[name]])));
    write(place, { 'src/capabilities.ts': toBatch(names) });
  }
}

function toBatch(names) {
  const imports = names.map((name) => `import * as ${name} from './${name}.mjs';\n`).join('');
  const groups = names.map((name) => `${name}: ${name}.capabilities`).join(', ');
  return `${imports}export const capabilities = { ${groups} };\nexport const restOptions = ${names[0] ?? '{}'}.restOptions ?? {};\n`;
}

/** A scaffold of the build itself, with a history of two commits. */
function openShop(folder, build) {
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', CI: '' };
  rmSync(join(folder, 'package.json'));
  execFileSync(process.execPath, [cli(build), 'new', '.', '--no-install', '--no-git', '--force'], {
    cwd: folder,
    env: environment,
  });
  const date = '2026-01-01T00:00:00Z';
  const identity = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  for (const name of ['AUTHOR', 'COMMITTER'])
    Object.assign(identity, {
      [`GIT_${name}_NAME`]: 'Ann',
      [`GIT_${name}_EMAIL`]: 'ann@example.org',
    });
  const git = (...words) =>
    execFileSync('git', words, { cwd: folder, env: { ...environment, ...identity } });
  git('init', '--quiet', '--initial-branch=main');
  const file = join(folder, 'src/capabilities/items/get.ts');
  const now = readFileSync(file, 'utf8');
  writeFileSync(file, now.replace('id: true', 'id: true, name: true'));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  writeFileSync(file, now);
  git('commit', '--quiet', '--all', '--message', 'second');
}

function install(folder, build) {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(build, join(folder, 'node_modules', 'capix'));
  for (const name of linked.filter((each) => existsSync(join(build, 'node_modules', each))))
    symlinkSync(join(build, 'node_modules', name), join(folder, 'node_modules', name));
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function cli(build) {
  return join(build, 'dist', 'cli.cjs');
}

/** Gives what the worker answers a task with. */
async function runWorker({ folder, build, task }) {
  const [from, to] = ['task', 'results'].map((name) => join(folder, `${name}-${task.kind}.json`));
  writeFileSync(from, JSON.stringify(task));
  const { exitCode, stderr } = await run([join(folder, 'worker.mjs'), from, to], { cwd: folder });
  if (exitCode !== 0)
    throw new Error(`${task.kind} with ${build} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(toNeutral(readFileSync(to, 'utf8'), { folder, build }));
}

/** Runs a command in a fresh copy of its project: `{stdout, stderr, exitCode, files}`, the files being those that it has written. */
async function runCommand({ folder, build, job: { name, project, args, input } }) {
  const place = join(folder, 'runs', createHash('sha256').update(name).digest('hex').slice(0, 12));
  const source = join(folder, 'commands', project);
  mkdirSync(dirname(place), { recursive: true });
  cpSync(source, place, { recursive: true, verbatimSymlinks: true });
  const neutral = (text) => toNeutral(text, { folder, build, place });
  const result = await run([cli(build), ...args], { cwd: place, input });
  const [before, after] = [readFiles(source), readFiles(place)];
  const files = Object.fromEntries(
    Object.entries(after).flatMap(([path, text]) =>
      before[path] === text ? [] : [[path, neutral(text)]],
    ),
  );
  rmSync(place, { recursive: true, force: true });
  return {
    exitCode: result.exitCode,
    stdout: neutral(result.stdout),
    stderr: neutral(result.stderr),
    files,
  };
}

function readFiles(folder) {
  const own = findPaths(folder).toSorted();
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Not by `recursive`, which follows links on some versions of Node. */
function findPaths(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !/^(node_modules|\.git)$/.test(path)
      ? findPaths(folder, path)
      : [];
  });
}

function run(words, { cwd, input = '' }) {
  const foreign =
    /^(CI|NO_COLOR|FORCE_COLOR|COLORTERM|NODE_ENV|NODE_OPTIONS|PORT|VITEST.*|CAPIX_.*|npm_.*|GITHUB_.*)$/;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !foreign.test(name)),
  );
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...env, TOKEN_SECRET: 'secret', TZ: 'UTC' },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  child.stdin.on('error', () => {}).end(input);
  // Far beyond what anything takes: whatever hangs says so.
  const timer = setTimeout(() => child.kill('SIGKILL'), 600_000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ ...output, exitCode: code ?? signal });
    });
  });
}

/** A text without what differs at each run: places, ids, ports and times. */
export function toNeutral(text, { folder, build, place = folder }) {
  return text
    .replaceAll(/file:(?:\.\.\/)+[^"\\]*/g, 'file:<capix>')
    .replaceAll(place, '<project>')
    .replaceAll(folder, '<folder>')
    .replaceAll(/<(?:folder|project)>\/node_modules\/capix\b/g, '<capix>')
    .replaceAll(build, '<capix>')
    .replaceAll(/(<capix>\/dist\/)[\w./-]+(?::\d+)*/g, '$1…')
    .replaceAll(/((?:x-request-id|requestId)\\?":\s?\\?")[\w-]+/gi, '$1<request>')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<uuid>')
    .replaceAll(/\.capix\/\d+-<uuid>\/([\w.]+)-[\da-f]{16}/g, '.capix/…/$1')
    .replaceAll(/(127\.0\.0\.1|localhost|\[::1\]):\d{4,5}/g, '$1:<port>')
    .replaceAll(
      new RegExp(`${new Date().getFullYear()}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z`, 'g'),
      '<now>',
    )
    .replaceAll(/\b\d+(\.\d+)? ?(ms|s)\b/g, '<time>')
    .replaceAll(/((?:retry-after|ratelimit-reset|age)\\?":\\?")\d+/g, '$1<s>')
    .replaceAll(/;([rt])=\d+(?=[";,\\])/g, (found, name) => (name === 't' ? ';t=<s>' : found));
}
