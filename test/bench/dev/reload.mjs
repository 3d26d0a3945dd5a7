/**
 * From a save to the first answer of the new code, asked every 2 ms: `capix dev` against `tsx watch` and `node --watch --import tsx`, on a
 * project of 3 and one of 100 capability files, interleaved.
 *
 *     node test/bench/dev/reload.mjs [--rounds 15]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const tsx = 'tsx@4.23.15';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
// Node 20 reads the file of certificates at every start: it is no part of what is measured.
delete process.env.NODE_EXTRA_CA_CERTS;

const tools = await installTools();
for (const fileCount of [3, 100]) {
  const rows = [];
  const runners = [];
  for (const [name, command] of Object.entries(toCommands(tools))) {
    const folder = await createProject(fileCount, tools);
    const port = await findFreePort();
    const child = spawn(process.execPath, [...command, 'src/server.ts'], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, PORT: String(port) },
      detached: true,
    });
    const { pid } = child;
    if (pid === undefined) throw new Error(`${name} did not start.`);
    const runner = { name, folder, port, child, pid, reloadsMs: [], failed: 0, polls: 0, refusedMs: [] };
    runner.startMs = (await waitForAnswer(runner, 'round 0')).durationMs;
    runners.push(runner);
  }
  for (let round = 1; round <= Number(options.rounds); round++) {
    for (const runner of runners) await measureReload(runner, round);
  }
  for (const { name, child, pid, folder, startMs, reloadsMs, failed, polls, refusedMs } of runners) {
    process.kill(-pid, 'SIGKILL');
    await once(child, 'exit');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    rows.push({
      tool: name,
      'start ms': Math.round(startMs),
      'reload ms': Math.round(median(reloadsMs)),
      'min ms': Math.round(Math.min(...reloadsMs)),
      'max ms': Math.round(Math.max(...reloadsMs)),
      'failed requests': `${failed} of ${polls}`,
      'refusing ms': Math.round(median(refusedMs)),
    });
  }
  process.stdout.write(`${fileCount} capability files, ${options.rounds} saves, Node ${process.version}\n`);
  console.table(rows);
}
await rm(tools, { recursive: true, force: true });

function toCommands(folder) {
  const entry = join(folder, 'node_modules', 'tsx', 'dist');
  return {
    'capix dev': [join(root, 'dist', 'cli.js'), 'dev', '--plain', '--no-requests'],
    'tsx watch': [join(entry, 'cli.mjs'), 'watch', '--clear-screen=false'],
    'node --watch': ['--watch', '--import', 'tsx'],
  };
}

async function installTools() {
  const folder = await mkdtemp(join(tmpdir(), 'capix-bench-'));
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '-E', tsx], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [exitCode] = await once(npm, 'exit');
  if (exitCode !== 0) throw new Error(`npm could not install ${tsx}.`);
  return folder;
}

/** Capabilities in a file each, and `GET /marks` whose answer says which save it is of. */
async function createProject(fileCount, toolFolder) {
  const folder = await mkdtemp(join(tmpdir(), 'capix-bench-'));
  await mkdir(join(folder, 'src', 'capabilities'), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'capix'));
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
  await symlink(join(toolFolder, 'node_modules', 'tsx'), join(folder, 'node_modules', 'tsx'));
  await writeFile(join(folder, 'package.json'), '{"name": "bench", "type": "module"}');
  const names = Array.from({ length: fileCount - 1 }, (_, index) => `getThing${index}`);
  for (const name of names) {
    await writeFile(
      join(folder, 'src', 'capabilities', `${name}.ts`),
      `import { capability } from 'capix';\nimport * as z from 'zod';\nexport const ${name} = capability(z.object({ id: z.string(), count: z.number().optional() }), ({ id }) => ({ id, name: '${name}' }));\n`,
    );
  }
  await writeMark(folder, 0);
  const imports = [...names, 'listMarks'].map((name) => `export { ${name} } from './${name}.ts';\n`);
  await writeFile(join(folder, 'src', 'capabilities', 'index.ts'), imports.join(''));
  await writeFile(
    join(folder, 'src', 'server.ts'),
    `import { createServer, restTransport } from 'capix';\nimport * as all from './capabilities/index.ts';\nconst { listMarks, ...things } = all;\nawait createServer({ capabilities: { things, marks: { listMarks } }, transports: [restTransport({ port: Number(process.env.PORT), overrides: Object.fromEntries(Object.keys(things).map((name) => ['things.' + name, { method: 'GET', path: '/' + name }])) })] }).start();\n`,
  );
  return folder;
}

function writeMark(folder, round) {
  return writeFile(
    join(folder, 'src', 'capabilities', 'listMarks.ts'),
    `import { capability } from 'capix';\nexport const listMarks = capability(() => 'round ${round}');\n`,
  );
}

async function measureReload(runner, round) {
  await sleep(400);
  await writeMark(runner.folder, round);
  const { durationMs, failed, polls, refusedMs } = await waitForAnswer(runner, `round ${round}`);
  runner.reloadsMs.push(durationMs);
  runner.refusedMs.push(refusedMs);
  runner.failed += failed;
  runner.polls += polls;
}

async function waitForAnswer({ name, port }, mark) {
  const startedAt = performance.now();
  let [failed, polls, firstFailure, lastFailure] = [0, 0, 0, 0];
  for (;;) {
    const body = await ask(port);
    polls++;
    const now = performance.now();
    if (body?.includes(`"${mark}"`))
      return { durationMs: now - startedAt, failed, polls, refusedMs: lastFailure - firstFailure };
    if (body === undefined) {
      failed++;
      firstFailure ||= now;
      lastFailure = now;
    }
    if (now - startedAt > 30_000) throw new Error(`${name} never answered with ${mark}.`);
    await sleep(2);
  }
}

function ask(port) {
  return new Promise((resolve) => {
    const outgoing = request({ port, path: '/marks', agent: false }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve(text));
      response.on('error', () => resolve(undefined));
    });
    outgoing.on('error', () => resolve(undefined)).end();
  });
}

async function findFreePort() {
  const server = createServer().listen(0);
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
