/** `npm run bench -- --size`: whether what a project of 10, 100, 1,000 and 5,000 capabilities costs grows linearly. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCommand } from '../command-cpu.mjs';
import { median } from '../measure.mjs';
import { toText } from '../table.mjs';

const here = import.meta.dirname;
const root = join(here, '..', '..', '..');
const cli = join(root, 'dist', 'cli.cjs');
const isQuick = process.argv.includes('--quick');
const sizes = isQuick ? [10, 1000, 2000] : [10, 100, 1000, 5000];
const ROUNDS = isQuick ? 1 : 3;
/** The cost of a capability more may grow by so much from the second largest size to the largest, before that counts as more than linear. */
const TOLERANCE = 1.5;

const commands = {
  'capix list': ['list', '--json'],
  'capix check': ['check', '--json'],
  'capix openapi': ['openapi'],
  'capix client': ['client'],
  'capix ai-context': ['ai-context'],
  'capix lock': ['lock', '--json'],
  'capix diff': ['diff', 'capix.lock.json', '--json'],
};

const rows = new Map();
const note = (name, size, value) => rows.set(name, { ...rows.get(name), [size]: value });
function repeat(measure) {
  return Array.from({ length: ROUNDS }, measure);
}

function readPhases(size) {
  const args = [join(here, 'phases.mjs'), String(size), join(root, 'dist')];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** A project with five capabilities in each file. */
function writeProject(size) {
  const folder = mkdtempSync(join(tmpdir(), 'capix-size-'));
  mkdirSync(join(folder, 'src', 'groups'), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'capix'), 'junction');
  for (const name of ['zod', 'esbuild'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"name":"size","type":"module"}');
  const groups = Array.from({ length: size / 5 }, (_, index) => `group${index}`);
  for (const name of groups)
    writeFileSync(join(folder, 'src', 'groups', `${name}.ts`), groupSource);
  const imports = groups.map((name) => `import * as ${name} from './groups/${name}.ts';`);
  const source = `${imports.join('\n')}\nexport const capabilities = { ${groups.join(', ')} };\n`;
  writeFileSync(join(folder, 'src', 'capabilities.ts'), source);
  return folder;
}

const groupSource = `import { capability } from 'capix';
import * as z from 'zod';
const item = z.object({ id: z.string().min(1), name: z.string(), price: z.number().positive() });
export const getItem = capability(z.object({ id: z.string() }), () => ({}));
export const listItems = capability(z.object({ limit: z.number().int().max(100).default(20) }), () => []).output(z.array(item));
export const createItem = capability(item, (given) => given).output(item);
export const updateItem = capability(item, (given) => given);
export const deleteItem = capability(z.object({ id: z.string() }), () => null);
`;

function print() {
  const [before, last] = sizes.slice(-2);
  const toLine = ([name, cost]) => {
    const growth = (cost[last] - cost[10]) / last / ((cost[before] - cost[10]) / before);
    return [
      name,
      ...sizes.map((size) => toFigure(cost[size])),
      toVerdict(growth, cost[last] - cost[10]),
    ];
  };
  const head = [
    'CPU, ms',
    ...sizes.map((size) => size.toLocaleString('en')),
    `one more, ${last} against ${before}`,
  ];
  console.log(toText(head, [...rows].map(toLine)));
}

function toFigure(value) {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}

function toVerdict(growth, difference) {
  if (difference < 1) return 'the same';
  return `× ${growth.toFixed(2)}${growth > TOLERANCE ? ', more than linear' : ''}`;
}

for (const size of sizes) {
  const phases = repeat(() => readPhases(size));
  for (const name of Object.keys(phases[0].ms))
    note(name, size, median(phases.map(({ ms }) => ms[name])));
  note('memory of the server, MiB', size, median(phases.map(({ rssMiB }) => rssMiB)));
  const folder = writeProject(size);
  for (const [name, words] of Object.entries(commands))
    note(
      name,
      size,
      median(repeat(() => measureCommand(folder, [process.execPath, cli, ...words]))),
    );
  rmSync(folder, { recursive: true, force: true });
}
print();
