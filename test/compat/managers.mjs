/**
 * `npm run compat:managers`: what a user does with a new project, by each package manager: `capix new`, install again, check, test, dev with a
 * reload, build, start and `capix diff HEAD`, with the packed package, and with each template by one of them. Writes the table of
 * docs/compatibility.md. Words choose among the managers: `npm run compat:managers -- pnpm`.
 */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-managers');
const page = join(root, 'docs', 'compatibility.md');
const run = promisify(execFile);

const pnpm12 = { package: 'npm:pnpm@12', program: 'pnpm', file: 'bin/pnpm.mjs', node: 'node-24' };

/** Their packages and programs. Those that do not run on the oldest Node get a newer one. */
const managers = {
  npm: {},
  'pnpm 10': { package: 'npm:pnpm@10', program: 'pnpm', file: 'bin/pnpm.cjs' },
  'pnpm 11': { package: 'npm:pnpm@11', program: 'pnpm', file: 'bin/pnpm.mjs', node: 'node-24' },
  'pnpm 12': pnpm12,
  'pnpm 12, template minimal': { ...pnpm12, template: 'minimal' },
  'pnpm 12, template product': { ...pnpm12, template: 'product' },
  'yarn 1': { package: 'npm:yarn@1', program: 'yarn', file: 'bin/yarn.js' },
  'yarn 4, node-modules': {
    package: 'npm:@yarnpkg/cli-dist@4',
    program: 'yarn',
    file: 'bin/yarn.js',
  },
  "yarn 4, Plug'n'Play": {
    package: 'npm:@yarnpkg/cli-dist@4',
    program: 'yarn',
    file: 'bin/yarn.js',
    linker: 'pnp',
  },
  bun: { package: '1', program: 'bun', file: 'bin/bun.exe', isBinary: true },
};
/**
 * What each template answers at a path, an edit that changes the answer to one with `saved`, and an edit after which an answer lacks a
 * field; `more` is what `start` needs in production.
 */
const templates = {
  items: {
    path: '/items',
    answer: '{"data":[]}',
    save: {
      file: 'src/capabilities/items/list.ts',
      from: 'itemStore.list()',
      to: "[{ id: 'saved', name: 'Tea' }]",
    },
    lose: {
      file: 'src/capabilities/items/list.ts',
      from: 'z.array(itemSchema)',
      to: 'z.array(itemSchema.omit({ name: true }))',
    },
  },
  minimal: {
    path: '/hello',
    answer: '{"data":{"greeting":"Hello, world!"}}',
    save: { file: 'src/capabilities.ts', from: '`Hello, ${name}!`', to: '`saved ${name}`' },
    lose: {
      file: 'src/capabilities.ts',
      from: 'z.object({ greeting: z.string() })',
      to: 'z.object({})',
    },
  },
  product: {
    path: '/clinics',
    answer: '{"error":"Unauthorized","message":"Sign in first."}',
    save: { file: 'src/context.ts', from: 'Sign in first.', to: 'It is saved.' },
    lose: {
      file: 'src/capabilities/clinics/list-clinics.ts',
      from: 'z.array(Clinic)',
      to: 'z.array(Clinic.omit({ name: true }))',
    },
    more: {
      words: ['--workers', '1'],
      env: {
        AUTH_SECRET: 'a secret of thirty-two letters or more',
        LAB_SECRET: 'a secret of the laboratory',
      },
    },
  },
};

const steps = ['new', 'check', 'test', 'dev with a reload', 'build', 'start', 'diff'];

function toAlias(name) {
  return name.split(',')[0].replace(' ', '-');
}

async function install() {
  await mkdir(cache, { recursive: true });
  const named = Object.entries(managers).filter(([, { package: from }]) => from !== undefined);
  const dependencies = Object.fromEntries(
    named.map(([name, { package: from }]) => [toAlias(name), from]),
  );
  const text = JSON.stringify({
    private: true,
    dependencies: { ...dependencies, 'node-24': 'npm:node@24' },
  });
  await writeFile(join(cache, 'package.json'), text);
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: cache });
}

const folder = await mkdtemp(join(tmpdir(), 'capix-managers-'));
/** Processes that are still running when something fails. */
const running = new Set();

/** The packed package, installed as a tool. */
async function installTool() {
  const tool = join(folder, 'tool');
  await mkdir(tool);
  await writeFile(join(tool, 'package.json'), '{ "private": true }');
  const { stdout } = await run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    {
      cwd: root,
    },
  );
  const [{ filename }] = JSON.parse(stdout);
  await run(
    'npm',
    ['install', join(folder, filename), '--no-audit', '--no-fund', '--prefer-offline'],
    { cwd: tool },
  );
  return join(tool, 'node_modules', 'capix', 'dist', 'cli.cjs');
}

/** A folder in which the program is the manager, and `node` the one that it needs. */
async function makeBin(name, { program, file, node, isBinary }) {
  const bin = await mkdtemp(join(folder, 'bin-'));
  const nodeFile =
    node === undefined ? process.execPath : join(cache, 'node_modules', node, 'bin', 'node');
  const write = async (called, words) => {
    await writeFile(join(bin, called), `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(join(bin, called), 0o755);
  };
  await write('node', `"${nodeFile}"`);
  if (program !== undefined) {
    const script = join(cache, 'node_modules', toAlias(name), file);
    await write(program, isBinary ? `"${script}"` : `"${nodeFile}" "${script}"`);
  }
  return bin;
}

/** The environment of a shell, without what npm adds to it when it runs this script. */
function toEnvironment(bin) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_ENV$|NODE_OPTIONS$|CI$|INIT_CWD$)/.test(name),
  );
  const path = process.env.PATH.split(delimiter).filter((part) => !part.includes('node_modules'));
  return {
    ...Object.fromEntries(own),
    PATH: [bin, ...path].join(delimiter),
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_TELEMETRY: '0',
  };
}

async function findPort() {
  const server = createServer().listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a script until its server answers, and then `use`. */
async function whileServing({ program, script, cwd, env, template, more }, use) {
  const port = await findPort();
  const words = more?.words ?? [];
  // npm keeps options after a script for itself, and yarn 1 warns of dashes before them.
  const given = words.length > 0 && program === 'npm' ? ['--', ...words] : words;
  const child = spawn(program, ['run', script, ...given], {
    cwd,
    env: { ...env, ...more?.env, PORT: String(port), HOST: '127.0.0.1' },
    detached: true,
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = `http://127.0.0.1:${port}${template.path}`;
    await waitFor(
      url,
      (text) => text === template.answer,
      () => child.exitCode === null,
    );
    await use(url);
  } catch (error) {
    throw new Error(`${error.message}\n${output.slice(-2000)}`);
  } finally {
    running.delete(child);
    end(child);
    await ended;
  }
}

function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function waitFor(url, isWanted, goesOn = () => true) {
  const until = Date.now() + 120_000;
  for (;;) {
    const text = await fetch(url).then(
      (answer) => answer.text(),
      () => '',
    );
    if (isWanted(text)) return;
    if (!goesOn()) throw new Error('The server ended.');
    if (Date.now() > until) throw new Error(`No right answer from ${url}: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What each step did: true, or the reason why it failed. */
async function tryManager(name, manager, tool) {
  const { program = 'npm', linker, template: templateName = 'items' } = manager;
  const template = templates[templateName];
  const cwd = await mkdtemp(join(folder, 'projects-'));
  const env = toEnvironment(await makeBin(name, manager));
  const project = join(cwd, 'shop');
  const inProject = { program, cwd: project, env, template };
  const script = (word) => () => run(program, ['run', word], { cwd: project, env });
  const actions = {
    new: async () => {
      const words = [
        'new',
        'shop',
        '--package-manager',
        program,
        '--no-git',
        '--template',
        templateName,
        ...(linker ? ['--no-install'] : []),
      ];
      await run('node', [tool, ...words], { cwd, env });
      if (linker === undefined) return run(program, ['install'], { cwd: project, env });
      await writeFile(join(project, '.yarnrc.yml'), `nodeLinker: ${linker}\n`);
      // TypeScript 7 does not read yarn's archives; yarn patches the versions before it, so that they do.
      await run(program, ['add', '--dev', 'typescript@~5.9.3'], { cwd: project, env });
      await run(program, ['install'], { cwd: project, env });
    },
    check: script('check'),
    test: script('test'),
    'dev with a reload': () =>
      whileServing({ ...inProject, script: 'dev' }, async (url) => {
        const takeBack = await edit(project, template.save);
        await waitFor(url, (answer) => answer.includes('saved'));
        await takeBack();
      }),
    build: script('build'),
    start: () => whileServing({ ...inProject, script: 'start', more: template.more }, () => {}),
    diff: () => findChange({ ...inProject, project }),
  };
  const results = [];
  for (const step of steps) {
    const failed = await actions[step]().then(
      () => undefined,
      (error) => `${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`,
    );
    results.push(failed === undefined);
    process.stdout.write(
      `${name.padEnd(24)} ${step.padEnd(18)} ${failed === undefined ? 'yes' : 'no'}\n`,
    );
    if (failed !== undefined)
      process.stdout.write(`${failed.trim().split('\n').slice(-25).join('\n')}\n`);
    if (step === 'new' && failed !== undefined) break;
  }
  const { stdout } = await run(program, ['--version'], { cwd, env });
  return { version: stdout.trim(), results };
}

/** Replaces one place of a file, and gives what takes that back. */
async function edit(project, { file, from, to }) {
  const path = join(project, file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  return () => writeFile(path, text);
}

/** Commits the project, and has `capix diff HEAD` say nothing, and then one field that the code has no longer. */
async function findChange({ program, cwd, env, project, template }) {
  const git = (...words) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd, env });
  const word = program === 'npm' || program === 'pnpm' ? 'exec' : 'run';
  const diff = async () => {
    const words = [word, ...(program === 'npm' ? ['--'] : []), 'capix', 'diff', 'HEAD', '--json'];
    const { stdout } = await run(program, words, { cwd, env });
    // Some managers print lines of their own around it.
    const { data } = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1));
    return data.entries.map(({ rule }) => rule);
  };
  const expect = async (rules) => {
    const found = await diff();
    if (found.join() !== rules.join()) throw new Error(`diff found ${found.join() || 'nothing'}`);
  };
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Begin');
  await expect([]);
  await edit(project, template.lose);
  await expect(['output-field-removed']);
}

/** Puts the rows of this run in place of those that the page has. */
async function writeRows(rows) {
  const text = await readFile(page, 'utf8');
  const written = [...rows].reduce((before, [name, { version, results }]) => {
    const cells = steps.map((_, index) =>
      results[index] === undefined ? '–' : results[index] ? 'yes' : 'no',
    );
    const row = `| ${name} (${version}) | ${cells.join(' | ')} |`;
    const pattern = new RegExp(`^\\| ${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} \\(.*$`, 'm');
    if (pattern.test(before)) return before.replace(pattern, () => row);
    return before.replace(
      /^(\| Manager \|.*\n\|[-|]*\|\n(?:\|.*\n)*)/m,
      (table) => `${table}${row}\n`,
    );
  }, text);
  await writeFile(page, written);
}

try {
  await install();
  const tool = await installTool();
  const words = process.argv.slice(2);
  const rows = new Map();
  for (const [name, manager] of Object.entries(managers)) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const row = await tryManager(name, manager, tool);
    rows.set(name, row);
    if (row.results.includes(false)) process.exitCode = 1;
  }
  await writeRows(rows);
} finally {
  for (const child of running) end(child);
  await rm(folder, { recursive: true, force: true });
}
