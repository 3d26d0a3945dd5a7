import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { devProject, textFile } from '../dev-project.ts';
import { openGitProject } from '../git-project.ts';
import { openDevJson } from '../open-dev.ts';
import { openTestTerminal } from '../open-test-terminal.ts';
import { runCapix } from '../run-capix.ts';
import { writeTree } from '../scaffold.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { takeRun } from './read-coverage.ts';
import { buildTracedPackage } from './traced-package.ts';

/** The files of ours in which a function ran in a pass. */
export type Path = ReadonlySet<string>;

/** What runs now and then in a process that waits: it looks whether its parent is there. */
const ofIdleProcesses: Path = new Set(['source/system/parent-channel.ts']);

/** How often each pass is made once it is warm. */
const PASSES = 4;

const capabilities = `
  import { capability } from 'capix';
  import { z } from 'zod';
  export const users = { getUser: capability(z.object({ id: z.string() }), ({ id }) => ({ id })), listUsers: capability(() => []) };
`;
const server = `
  import { createServer, restTransport } from 'capix';
  import { get } from 'node:http';
  import { takeCoverage } from 'node:v8';
  import { users } from './capabilities.js';
  const [{ url }] = await createServer({ capabilities: { users }, transports: [restTransport({ port: 0 })] }).start();
  const ask = () => new Promise((resolve) => get(url + '/users/1', (response) => response.resume().on('end', resolve)));
  for (let request = 0; request < 20; request++) await ask();
  takeCoverage();
  await ask();
  takeCoverage();
  process.kill(process.pid, 'SIGKILL');
`;

/** Several warm passes of each path, by its name in the table. */
export type Paths = Readonly<Record<string, readonly Path[]>>;

export async function measurePaths(): Promise<Paths> {
  const { root, signalModule } = await buildTracedPackage();
  const coverage = await temporaryFolder();
  const entry = join(root, 'dist', 'cli.cjs');
  const env = { NODE_V8_COVERAGE: coverage };
  const signalled = { ...env, NODE_OPTIONS: `--import=${signalModule}` };
  const use = async (folder: string): Promise<string> => {
    await rm(join(folder, 'node_modules', 'capix'));
    await symlink(root, join(folder, 'node_modules', 'capix'), 'junction');
    return folder;
  };
  const project = async (): Promise<string> =>
    use(
      await devProject({
        'src/capabilities.ts': capabilities,
        'node_modules/.package-lock.json': '{}',
      }),
    );

  /** Processes of the package that listen to the signal. Another program may have the id of one that has ended. */
  const findListening = async (): Promise<readonly number[]> => {
    const { stdout } = await execa('ps', ['-eo', 'pid=,args=', '-ww']);
    const listening = await readdir(coverage);
    const own = stdout.split('\n').filter((line) => line.includes(root));
    return own
      .map((line) => Number.parseInt(line, 10))
      .filter((pid) => listening.includes(`runs-${pid}`));
  };

  /** What every process that is there has run since it was asked before. */
  const take = async (): Promise<Path> => {
    const asked = await findListening();
    for (const pid of asked) kill(pid, 'SIGUSR2');
    const isTold = async (pid: number): Promise<boolean> =>
      (await readdir(coverage)).includes(`told-${pid}`) || !(await findListening()).includes(pid);
    for (const pid of asked) {
      await expect.poll(() => isTold(pid)).toBe(true);
      await rm(join(coverage, `told-${pid}`), { force: true });
    }
    return takeRun(coverage);
  };

  async function runCommand(cwd: string, args: readonly string[]): Promise<Path> {
    await takeRun(coverage);
    const { exitCode, stderr } = await runCapix(args, { cwd, entry, env });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return takeRun(coverage);
  }

  async function request(): Promise<Path> {
    const folder = await project();
    await writeTree(folder, { 'src/capabilities.js': capabilities, 'src/serve.js': server });
    await execa(process.execPath, ['src/serve.js'], { cwd: folder, env, reject: false });
    // What ran until it was warm.
    const [warming = ''] = (await readdir(coverage)).toSorted();
    await rm(join(coverage, warming));
    return takeRun(coverage);
  }

  async function key(): Promise<readonly Path[]> {
    const terminal = openTestTerminal(['list'], { cwd: await project(), entry, env: signalled });
    await terminal.waitFor('getUser');
    const keys = { down: '\u001B[B', up: '\u001B[A' };
    const press = async (key: string): Promise<void> => {
      const before = terminal.screen();
      terminal.type(key);
      await terminal.waitFor((screen) => screen !== before);
    };
    const pressOnce = async (): Promise<Path> => {
      await take();
      await press(keys.down);
      const path = await take();
      await press(keys.up);
      return path;
    };
    const wait = async (): Promise<Path> => {
      let path: Path = new Set();
      await expect.poll(async () => (path = await take()).size).toBeGreaterThan(0);
      return path;
    };
    await pressOnce();
    await take();
    // What runs again and again without a key: the screen looks whether the settings have changed.
    const [once, again] = [await wait(), await wait()];
    const paths = await passes(pressOnce);
    await terminal.close();
    return paths.map(
      (path) => new Set([...path].filter((file) => !once.has(file) || !again.has(file))),
    );
  }

  async function save(): Promise<readonly Path[]> {
    const folder = await project();
    const dev = openDevJson(folder, [], signalled, entry);
    await dev.url();
    // Until nothing runs, in the command, in its server and in the process that waits for the next save.
    const takeAll = async (): Promise<Path> => {
      const all = new Set<string>();
      for (let quiet = 0; quiet < 3; ) {
        const path = await take();
        const isQuiet = [...path].every((file) => ofIdleProcesses.has(file));
        quiet = isQuiet && (await findListening()).length === 3 ? quiet + 1 : 0;
        for (const file of path) all.add(file);
      }
      return all;
    };
    let saves = 0;
    const saveAgain = async (): Promise<Path> => {
      await writeFile(join(folder, 'src/text.ts'), textFile(`save ${++saves}`));
      await dev.waitFor('ready');
      return takeAll();
    };
    await takeAll();
    await saveAgain();
    const paths = await passes(saveAgain);
    dev.kill('SIGINT');
    await dev.ended;
    return paths;
  }

  async function diff(): Promise<readonly Path[]> {
    const { root: folder, commit } = await openGitProject({ 'src/capabilities.ts': capabilities });
    await use(folder);
    await commit({
      'src/capabilities.ts': capabilities.replace('z.string()', 'z.string().min(2)'),
    });
    const run = (): Promise<Path> => runCommand(folder, ['diff', 'HEAD~1', 'HEAD']);
    await run();
    return passes(run);
  }

  async function list(): Promise<readonly Path[]> {
    const folder = await project();
    await runCommand(folder, ['list', '--json']);
    return passes(() => runCommand(folder, ['list', '--json']));
  }

  return {
    'one request': await passes(request),
    'one command': await list(),
    'one key press': await key(),
    'one save': await save(),
    'one comparison': await diff(),
  };
}

async function passes(pass: () => Promise<Path>): Promise<readonly Path[]> {
  const paths: Path[] = [];
  while (paths.length < PASSES) paths.push(await pass());
  return paths;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
