/**
 * `npm run same -- <ref>`: builds another commit, and holds this tree against it: the requests, documents, clients and tools of 300 random
 * projects, command lines, the pairs of `diff`, what is loaded, wrong calls of agents, and the public types. A difference that no line
 * of `accepted.md` accepts fails the command. In place of a ref, the folder of a build; `--projects <number>` takes fewer random ones, `--only
 * <text>` those kinds and command lines that have it in their name.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { commands } from './commands.mjs';
import { judge, parseAccepted, toDifferences, toReport } from './compare.mjs';
import { generateProject } from './projects.mjs';
import { generateRequests } from './requests.mjs';
import { addInputs, createSide } from './side.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-same');
const acceptedFile = join(import.meta.dirname, 'accepted.md');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    projects: { type: 'string', default: '300' },
    only: { type: 'string', multiple: true, default: [''] },
    accepted: { type: 'string', default: acceptedFile },
  },
});
const isWanted = (name) => values.only.some((text) => name.includes(text));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capix-same-')));
const remove = () => rmSync(folder, { recursive: true, force: true });
process.on('exit', remove);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const startedAt = performance.now();
if (positionals.length === 1)
  process.exitCode = report(await compareBuilds(openBuild(positionals[0]), root));
else {
  say('Usage: npm run same -- <ref> [--projects <number>] [--only <text>]');
  process.exitCode = 2;
}

/** The folder of a build: what is named, or the commit, built once and kept. */
function openBuild(ref) {
  if (existsSync(join(ref, 'dist', 'cli.cjs'))) return realpathSync(ref);
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`);
  const place = join(cache, commit);
  if (existsSync(join(place, 'dist', 'cli.cjs'))) return place;
  say(`building ${ref}`);
  rmSync(place, { recursive: true, force: true });
  git('worktree', 'prune');
  mkdirSync(cache, { recursive: true });
  git('worktree', 'add', '--force', '--detach', place, commit);
  const isLike = ['package-lock.json'].every(
    (file) => readFileSync(join(root, file), 'utf8') === readFileSync(join(place, file), 'utf8'),
  );
  if (isLike) symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  else
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  execFileSync(process.execPath, ['scripts/build.mjs'], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The files stay, and git need not know of them.
  rmSync(join(place, '.git'));
  git('worktree', 'prune');
  return place;
}

async function compareBuilds(...builds) {
  const names = Array.from({ length: Number(values.projects) }, (_, index) => `p${index}`);
  const texts = Object.fromEntries(names.map((name, index) => [name, generateProject(index)]));
  const inputs = await bundleInputs();
  const sides = builds.map((build, index) =>
    createSide({ folder: join(folder, 'ab'[index]), build, texts, inputs }),
  );
  const made = await import(pathToFileURL(join(sides[0].folder, 'inputs.mjs')).href);
  for (const side of sides) await addInputs(side, made, texts);
  const found = isWanted('types') ? compareTypes(builds) : [];
  if (isWanted('agents')) found.push(...(await compareTasks(sides, { kind: 'agents' })));
  if (isWanted('describe') || isWanted('ask')) found.push(...(await compareProjects(sides, names)));
  const edits = made.serverEdits.map((_, index) => {
    const args = ['diff', `before${index}.mjs`, `after${index}.mjs`];
    return { name: `command edits: ${args.join(' ')}`, project: 'edits', args };
  });
  const jobs = [...commands, ...edits].filter(({ name }) => isWanted(name));
  say(`${jobs.length} command lines`);
  await inParallel(jobs, async (job) => {
    const [before, after] = await Promise.all(sides.map((side) => side.run(job)));
    found.push(...toDifferences(job.name, before, after));
  });
  return found.toSorted((one, other) =>
    one.name < other.name ? -1 : Number(one.name > other.name),
  );
}

/** Documents and tools, and the same requests for both, made from the documents of the first. */
async function compareProjects(sides, projects) {
  say(`${projects.length} projects`);
  const described = await Promise.all(
    sides.map((side) => side.work({ kind: 'describe', projects })),
  );
  const requests = Object.fromEntries(
    projects.map((name, seed) => [
      name,
      generateRequests(described[0][name].document ?? {}, { seed, count: 20 }),
    ]),
  );
  const found = isWanted('describe') ? toDifferences('describe', ...described) : [];
  return isWanted('ask')
    ? [...found, ...(await compareTasks(sides, { kind: 'ask', requests }))]
    : found;
}

async function compareTasks(sides, task) {
  say(task.kind);
  return toDifferences(task.kind, ...(await Promise.all(sides.map((side) => side.work(task)))));
}

/** The reports of the public API that are committed; `npm test` holds them against the build. */
function compareTypes(builds) {
  const read = (build) => {
    const place = join(build, 'etc');
    const reports = readdirSync(place).filter((file) => file.endsWith('.api.md'));
    return Object.fromEntries(
      reports.map((file) => [file, toDeclarations(readFileSync(join(place, file), 'utf8'))]),
    );
  };
  return toDifferences('types', ...builds.map(read));
}

/** The declarations of a report by their names, so that a difference says whose it is. */
function toDeclarations(text) {
  const all = {};
  for (const declared of text.replaceAll('\r', '').split(/\n\n(?=\/\/ @)/)) {
    const [, name = 'imports'] =
      /^export (?:\w+ )*?(?:function|const|type|interface|class|enum) (\w+)/m.exec(declared) ?? [];
    all[name] = `${all[name] ?? ''}${declared}\n`;
  }
  return all;
}

/** What the tests have, as one module that imports the `capix` beside it. */
async function bundleInputs() {
  const toPackage = {
    name: 'capix',
    setup: (build) =>
      build.onResolve({ filter: /server-runtime\/index\.ts$/ }, () => ({
        path: 'capix',
        external: true,
      })),
  };
  const entryPoints = [join(import.meta.dirname, 'inputs.ts')];
  const options = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    external: ['zod'],
    plugins: [toPackage],
  };
  const { outputFiles } = await bundle({ entryPoints, ...options });
  return outputFiles[0].text;
}

async function inParallel(jobs, run) {
  const waiting = [...jobs];
  // Each runs a process of either build.
  const runners = Array.from(
    { length: Math.max(1, Math.floor(availableParallelism() / 2)) },
    async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await run(job);
    },
  );
  await Promise.all(runners);
}

/** Prints what was found, and gives the exit code. */
function report(found) {
  const { open, unused } = judge(found, parseAccepted(readFileSync(values.accepted, 'utf8')));
  for (const { line } of values.only.includes('') ? unused : [])
    say(`warning: a line of accepted.md accepts nothing: ${line}`);
  const kinds = toReport(open);
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'differences.json'), JSON.stringify(open, undefined, 1));
  process.stdout.write(`${kinds.slice(0, 100).join('\n')}\n`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(
    `${found.length} differences, ${found.length - open.length} of them accepted, in ${seconds} s`,
  );
  if (open.length === 0) return 0;
  say(
    `${open.length} differences of ${kinds.length} kinds are not accepted; all are in ${join(cache, 'differences.json')}.\n` +
      'Mend each, or accept it by a line of test/same/accepted.md that names the sentence which asks for it:\n' +
      '- `name of the difference*`: "the sentence"',
  );
  return 1;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
