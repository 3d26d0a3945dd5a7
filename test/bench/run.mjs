/** `npm run bench -- --help` tells what it does. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

const help = `Measures capix against its peers: CPU time per request, requests per second, p99.

  npm run bench                                 every server and scenario
  npm run bench -- --quick                      fewer and shorter rounds
  npm run bench -- --only hello,create --servers capix,fastify
  npm run bench -- --node 20                    the servers run on that version of Node.js, or on each of several: 20,24,26
  npm run bench -- --compare main --only hello  this tree beside the build of a commit, with a confidence interval
  npm run bench -- --check                      fails where capix is below 0.7 of its committed ratio to node:http (6 s of CPU)
  npm run bench -- --size                       whether what 10, 100, 1,000 and 5,000 capabilities cost grows linearly
  npm run bench -- --memory | --start-up        memory over a million requests | start to first answer
  npm run bench -- --starts                     commands of the packed and installed package, as ratios of an empty Node, and the first frame
  npm run bench -- --dev                        reloads of capix dev against tsx watch, node --watch and wrangler dev, and its screen under load
  npm run bench -- --sharing                    what each enhancer costs alone and with Redis, jobs, and 1, 2 and 4 processes behind one port
  npm run bench -- --engines                    node:http beside the servers of Bun and Deno, by the fetch handler
  npm run bench -- --types                      what the compiler and the editor pay at 100, 500 and 1,000 capabilities, against peers
  npm run bench -- --rows                       streams, tools, jobs, uploads, short answers, starts and clients, beside what one would write by hand
  npm run bench -- --rows --write               the same, into the table of docs/internals/performance.md
  npm run bench -- --routers                    routers alone, among 5, 50, 500 and 5,000 routes
  npm run bench -- --all                        every scenario, --rows, --routers, --start-up and --sharing, one after the other
  npm run bench -- --terminal                   first frame, keys and saves on the screen of 5,000 capabilities

  --only <names>      scenarios: hello params auth create list declared invalid invalid-one routes
  --servers <names>   capix node:http fastify fastify-timeout fastify-zod hono orpc trpc elysia express
  --processes <n>     times that each server is started (4; quick: 2)
  --rounds <n>        rounds in each of its processes (5; quick: 3)
  --requests <n>      requests a round (10000; quick: 5000)
  --node <versions>   versions (by npx) or paths, with commas between them (24,26; with --compare and --check the Node that runs the bench)
  --out <file>        where the JSON goes (test/bench/results/<date>-<kind>.json)
  --server <file>     with --check: another server of the same routes in place of capix
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
    compare: { type: 'string' },
    check: { type: 'boolean', default: false },
    size: { type: 'boolean', default: false },
    out: { type: 'string' },
    server: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    'start-up': { type: 'boolean', default: false },
    starts: { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
    sharing: { type: 'boolean', default: false },
    engines: { type: 'boolean', default: false },
    terminal: { type: 'boolean', default: false },
    rows: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    routers: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (options.help) process.stdout.write(help);
else if (options.dev) runDev();
else if (options.types) runSuite('types');
else if (options.size) runSuite('size');
else if (options.engines) runSuite('engines');
else if (options.all) await runAll();
else if (options.rows) runRows();
else if (options.routers) runRouters();
else if (options.sharing)
  runSuite('sharing', options.only === undefined ? [] : ['--only', options.only]);
else if (options.terminal)
  execFileSync(process.execPath, [join(here, 'terminal', 'run.mjs')], { stdio: 'inherit' });
else if (options.compare !== undefined) await runCompare();
else if (options.check) await runCheck();
else if (options.starts) await runStarts();
else await run();

/** What a server and a client do. What the commands do is in `--starts`, `--dev`, `--terminal`, `--types` and `--size`. */
async function runAll() {
  await run();
  runRows();
  runRouters();
  options['start-up'] = true;
  await run();
  runSuite('sharing');
}

function runRows() {
  const { only, node, write } = options;
  runSuite('rows', [
    ...(only === undefined ? [] : ['--only', only]),
    ...(node === undefined ? [] : ['--node', node]),
    ...(write ? ['--write'] : []),
  ]);
}

function runRouters() {
  prepare();
  execFileSync(process.execPath, [join(here, 'routers.mjs')], { stdio: 'inherit' });
}

function runDev() {
  prepare();
  const [saves, seconds, rounds] = options.quick ? ['5', '2', '5'] : ['15', '4', '7'];
  runScript('reload.mjs', ['--rounds', saves]);
  runScript('load.mjs', ['--seconds', seconds, '--rounds', rounds]);
}

function runSuite(name, args = []) {
  prepare();
  const words = [join(here, name, 'run.mjs'), ...(options.quick ? ['--quick'] : []), ...args];
  execFileSync(process.execPath, words, { stdio: 'inherit' });
}

function runScript(file, args) {
  execFileSync(process.execPath, [join(here, 'dev', file), ...args], { stdio: 'inherit' });
}

async function run() {
  prepare();
  const { pinLoad } = await import('./server-process.mjs');
  const plan = await toPlan();
  pinLoad();
  await writeResults(plan.kind, await measure(plan), plan.nodes);
}

async function runCompare() {
  prepare();
  const { compareBuilds, toComparedText } = await import('./compare.mjs');
  const { pinLoad } = await import('./server-process.mjs');
  const { nodes, ...plan } = await toPlan(process.execPath);
  pinLoad();
  const rows = await compareBuilds({ ...plan, ...nodes[0], ref: options.compare });
  console.log(`\n${toComparedText(rows, options.compare)}`);
  await writeResults('compare', rows, nodes);
}

/** It needs no peers. */
async function runCheck() {
  build();
  const { checkRatios, toCheckedText } = await import('./check.mjs');
  const { nodes } = await toPlan(process.execPath);
  const rows = await checkRatios({
    ...nodes[0],
    server: options.server && resolve(options.server),
    isQuick: options.quick,
  });
  console.log(toCheckedText(rows));
  if (rows.some(({ isLost }) => isLost)) process.exitCode = 1;
}

async function runStarts() {
  prepare();
  const { measureStarts, toStartsText } = await import('./starts/measure-starts.mjs');
  const { nodes } = await toPlan('20,26');
  const rows = await measureStarts({
    nodes,
    rounds: Number(options.rounds ?? (options.quick ? 5 : 15)),
  });
  console.log(`\n${toStartsText(rows)}`);
  await writeResults('starts', rows, nodes);
}

async function writeResults(kind, figures, nodes) {
  const { readVersions } = await import('./versions.mjs');
  const file =
    options.out ?? join(here, 'results', `${new Date().toISOString().slice(0, 10)}-${kind}.json`);
  await mkdir(dirname(file), { recursive: true });
  const versions = readVersions(nodes.map(({ version }) => version).join(', '));
  await writeFile(file, `${JSON.stringify({ kind, ...versions, figures }, undefined, 2)}\n`);
  console.log(`\nWritten to ${file}`);
}

/** Installs the peers where they are missing, and builds capix. */
function prepare() {
  if (!isInstalled())
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
  build();
}

function build() {
  if (options['no-build']) return;
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
}

/** Whether what is installed is what the lockfile names. */
function isInstalled() {
  const installed = statSync(join(here, 'node_modules', '.package-lock.json'), {
    throwIfNoEntry: false,
  });
  return (
    installed !== undefined &&
    installed.mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs
  );
}

/** The plan of a run, on the versions of Node that are asked for: `nodes` are `{node, version}`, the path and the number. */
async function toPlan(defaultNodes = '24,26') {
  const { scenarios } = await import('./scenarios.mjs');
  const { servers } = await import('./servers.mjs');
  const { findNodes } = await import('./nodes.mjs');
  const nodes = findNodes(options.node ?? defaultNodes);
  return {
    kind: options.memory ? 'memory' : options['start-up'] ? 'start-up' : 'load',
    scenarios: choose(scenarios, options.only, 'scenario'),
    servers: choose(servers, options.servers, 'server'),
    nodes,
    processes: Number(options.processes ?? (options.quick ? 2 : 4)),
    rounds: Number(options.rounds ?? (options.quick ? 3 : 5)),
    requestsPerRound: Number(options.requests ?? (options.quick ? 5000 : 10_000)),
    warmUp: options.quick ? 8000 : 20_000,
  };
}

function choose(all, names, noun) {
  if (names === undefined) return all;
  return names.split(',').map((name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined)
      throw new Error(
        `There is no ${noun} '${name}'; there are ${all.map((each) => each.name).join(', ')}.`,
      );
    return found;
  });
}

async function measure({ nodes, ...plan }) {
  if (plan.kind === 'load') return measureLoad(nodes, plan);
  const figures = [];
  for (const each of nodes) {
    console.log(`\nNode ${each.version}`);
    const measureKind = plan.kind === 'memory' ? measureMemories : measureStart;
    for (const row of await measureKind({ ...plan, ...each }))
      figures.push({ node: each.version, ...row });
  }
  return figures;
}

/** A scenario on one Node after the other, and their tables side by side. */
async function measureLoad(nodes, { scenarios, ...plan }) {
  const { measureScenario } = await import('./measure.mjs');
  const { toRows, toScenarioText, toSideBySide } = await import('./table.mjs');
  const figures = [];
  for (const scenario of scenarios) {
    const servers = plan.servers.filter(({ name }) => scenario.servers?.includes(name) ?? true);
    const tables = [];
    for (const { node, version } of nodes) {
      const rows = toRows(
        scenario,
        await measureScenario({ scenario, ...plan, servers, node }),
        version,
      );
      tables.push({ version, rows });
      figures.push(...rows.map((row) => ({ node: version, ...row })));
    }
    const [only] = tables;
    console.log(
      `\n${tables.length === 1 ? toScenarioText(scenario.title, only.rows) : toSideBySide(scenario.title, tables)}`,
    );
  }
  return figures;
}

async function measureMemories({ scenarios, servers, node }) {
  const { measureMemory, toMemoryText } = await import('./memory.mjs');
  const figures = [];
  for (const server of options.servers === undefined ? servers.slice(0, 1) : servers) {
    const small = scenarios.filter(
      ({ app, servers: some }) => app === 'small' && some === undefined,
    );
    const steps = await measureMemory({
      server,
      scenarios: small,
      node,
      total: options.quick ? 100_000 : 1_000_000,
    });
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
