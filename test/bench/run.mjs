/** `npm run bench -- --help` tells what it does. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

const help = `Measures capix against its peers: CPU time per request, requests per second, p99.

  npm run bench                                 every server and scenario
  npm run bench -- --quick                      fewer and shorter rounds
  npm run bench -- --only hello,create --servers capix,fastify
  npm run bench -- --node 26                    the servers run on that version of Node.js
  npm run bench -- --memory | --start-up        memory over a million requests | start to first answer
  npm run bench -- --dev                        reloads of capix dev against tsx watch, node --watch and wrangler dev, and its screen under load
  npm run bench -- --sharing                    what each enhancer costs alone and with Redis, jobs, and 1, 2 and 4 processes behind one port
  npm run bench -- --types                      what the compiler and the editor pay at 100, 500 and 1,000 capabilities, against peers
  npm run bench -- --terminal                   first frame, keys and saves on the screen of 5,000 capabilities

  --only <names>      scenarios: hello params auth create list invalid invalid-one routes
  --servers <names>   capix node:http fastify fastify-timeout fastify-zod hono orpc trpc elysia express
  --processes <n>     times that each server is started (4; quick: 2)
  --rounds <n>        rounds in each of its processes (5; quick: 3)
  --requests <n>      requests a round (10000; quick: 5000)
  --node <version>    a version (by npx) or a path
  --out <file>        where the JSON goes (test/bench/results/<date>-node<version>.json)
  --no-build          measures dist/ as it is
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    servers: { type: 'string' },
    processes: { type: 'string' },
    rounds: { type: 'string' },
    requests: { type: 'string' },
    node: { type: 'string' },
    out: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    'start-up': { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
    sharing: { type: 'boolean', default: false },
    terminal: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (options.help) process.stdout.write(help);
else if (options.dev) runDev();
else if (options.types) runTypes();
else if (options.sharing) runSharing();
else if (options.terminal) execFileSync(process.execPath, [join(here, 'terminal', 'run.mjs')], { stdio: 'inherit' });
else await run();

function runDev() {
  prepare();
  const [saves, seconds, rounds] = options.quick ? ['5', '2', '5'] : ['15', '4', '7'];
  runScript('reload.mjs', ['--rounds', saves]);
  runScript('load.mjs', ['--seconds', seconds, '--rounds', rounds]);
}

function runTypes() {
  prepare();
  const args = [join(here, 'types', 'run.mjs'), ...(options.quick ? ['--quick'] : [])];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}

function runSharing() {
  prepare();
  const args = [...(options.quick ? ['--quick'] : []), ...(options.only === undefined ? [] : ['--only', options.only])];
  execFileSync(process.execPath, [join(here, 'sharing', 'run.mjs'), ...args], { stdio: 'inherit' });
}

function runScript(file, args) {
  execFileSync(process.execPath, [join(here, 'dev', file), ...args], { stdio: 'inherit' });
}

async function run() {
  prepare();
  const { pinLoad } = await import('./server-process.mjs');
  const plan = await toPlan();
  pinLoad();
  const figures = await measure(plan);
  const file =
    options.out ??
    join(here, 'results', `${new Date().toISOString().slice(0, 10)}-${plan.kind}-node${plan.version}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    `${JSON.stringify({ kind: plan.kind, node: plan.version, cpu: cpus()[0]?.model, date: new Date().toISOString(), figures }, undefined, 2)}\n`,
  );
  console.log(`\nWritten to ${file}`);
}

/** Installs the peers where they are missing, and builds capix. */
function prepare() {
  const show = { stdio: 'inherit' };
  if (!isInstalled()) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, ...show });
  if (!options['no-build'])
    execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: root, ...show });
}

/** Whether what is installed is what the lockfile names. */
function isInstalled() {
  const installed = statSync(join(here, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs;
}

async function toPlan() {
  const { scenarios } = await import('./scenarios.mjs');
  const { servers } = await import('./servers.mjs');
  const node = options.node === undefined ? process.execPath : findNode(options.node);
  return {
    kind: options.memory ? 'memory' : options['start-up'] ? 'start-up' : 'load',
    scenarios: choose(scenarios, options.only, 'scenario'),
    servers: choose(servers, options.servers, 'server'),
    node,
    version: execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(),
    processes: Number(options.processes ?? (options.quick ? 2 : 4)),
    rounds: Number(options.rounds ?? (options.quick ? 3 : 5)),
    requestsPerRound: Number(options.requests ?? (options.quick ? 5000 : 10_000)),
    warmUp: options.quick ? 8000 : 20_000,
  };
}

function findNode(versionOrPath) {
  if (existsSync(versionOrPath)) return versionOrPath;
  return execFileSync('npx', ['-y', `node@${versionOrPath}`, '-p', 'process.execPath'], { encoding: 'utf8' }).trim();
}

function choose(all, names, noun) {
  if (names === undefined) return all;
  return names.split(',').map((name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined)
      throw new Error(`There is no ${noun} '${name}'; there are ${all.map((each) => each.name).join(', ')}.`);
    return found;
  });
}

async function measure(plan) {
  switch (plan.kind) {
    case 'load':
      return measureLoad(plan);
    case 'memory':
      return measureMemories(plan);
    case 'start-up':
      return measureStart(plan);
  }
}

async function measureLoad({ scenarios, ...plan }) {
  const { measureScenario } = await import('./measure.mjs');
  const { toRows, toScenarioText } = await import('./table.mjs');
  const figures = [];
  for (const scenario of scenarios) {
    const rows = toRows(scenario, await measureScenario({ scenario, ...plan }));
    console.log(`\n${toScenarioText(scenario.title, rows)}`);
    figures.push(...rows);
  }
  return figures;
}

async function measureMemories({ scenarios, servers, node }) {
  const { measureMemory, toMemoryText } = await import('./memory.mjs');
  const figures = [];
  for (const server of options.servers === undefined ? servers.slice(0, 1) : servers) {
    const small = scenarios.filter(({ app }) => app === 'small');
    const steps = await measureMemory({ server, scenarios: small, node, total: options.quick ? 100_000 : 1_000_000 });
    console.log(`\n${toMemoryText(steps)}`);
    figures.push(...steps);
  }
  return figures;
}

async function measureStart({ servers, node, rounds }) {
  const { scenarios } = await import('./scenarios.mjs');
  const { measureStartUp, toStartUpText } = await import('./start-up.mjs');
  const rows = await measureStartUp({
    servers,
    scenario: scenarios.find(({ name }) => name === 'routes'),
    node,
    rounds,
  });
  console.log(`\n${toStartUpText(rows)}`);
  return rows;
}
