import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { findTypeErrors } from './find-type-errors.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, '..', 'fixtures', 'kinds');
const minutes = 60_000;

/**
 * Runs one program of the table on a document: its code is generated, its types are checked, and each operation is called in a process of its own.
 * Gives a record for each call, or one record with `fatal` where none could be made.
 *
 * @param {object} program - an entry of `programs.mjs`
 * @param {{ folder: string, node: string, server: object, operations: readonly string[], document: object }} task
 */
export async function runProgram(program, task) {
  const project = join(task.folder, 'project');
  await rm(project, { recursive: true, force: true });
  await mkdir(project, { recursive: true });
  try {
    await prepare(program, task, project);
    const typeErrors = isTyped(program) ? await findTypeErrors(project) : new Map();
    const records = await drive(program, task, project);
    return records.map((record) => {
      const typeError = typeErrors.get(record.operation);
      return typeError === undefined ? record : { ...record, error: `types: ${typeError}` };
    });
  } catch (error) {
    const said = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim();
    return [{ fatal: said === '' ? error.message : said }];
  }
}

/** The document, the program's own files, and the code that it writes. */
async function prepare(program, { folder, node, server, document }, project) {
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'document.json'), JSON.stringify(document));
  for (const [name, text] of Object.entries(program.files ?? {}))
    await writeFile(join(project, name), text);
  for (const name of ['cases.mjs', 'drive.mjs']) await cp(join(here, name), join(project, name));
  if (!isTyped(program)) {
    await cp(join(fixtures, `${program.name}.mjs`), join(project, 'check.mjs'));
    return;
  }
  await cp(join(fixtures, `${program.name}.ts`), join(project, 'check.ts'));
  await cp(join(fixtures, 'calls.ts'), join(project, 'calls.ts'));
  const literal = `export default ${JSON.stringify(document)} as const;`;
  await writeFile(join(project, 'document.ts'), literal);
  if (program.generate !== undefined) await generate(program, { folder, node, server }, project);
  await build({
    entryPoints: [join(project, 'check.ts')],
    outfile: join(project, 'check.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
}

async function generate(program, { folder, node, server }, project) {
  const [command, ...words] = program.generate.split(' ');
  const bin = await findBin(folder, { ...program.packages, ...program.besides }, command);
  const env = { ...process.env, SERVER: server.url, CI: 'true', NO_COLOR: '1' };
  await run(node, [bin, ...words], { cwd: project, env, timeout: 3 * minutes });
}

/** Whether users call it in TypeScript, by types that are made of the document. */
const isTyped = (program) => program.isTyped === true || program.generate !== undefined;

/** The file of a command, which is run by the Node that the program asks for. */
async function findBin(folder, packages, command) {
  for (const name of Object.keys(packages)) {
    const home = join(folder, 'node_modules', ...name.split('/'));
    const { bin } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
    const bins = typeof bin === 'string' ? { [name.split('/').at(-1)]: bin } : (bin ?? {});
    if (bins[command] !== undefined) return join(home, bins[command]);
  }
  throw new Error(`No package has the command ${command}`);
}

async function drive(program, { node, server, operations, folder }, project) {
  const instructions = {
    module: join(project, 'check.mjs'),
    operations,
    control: server.control,
    withInvalid: program.role === 'validator',
    url: server.url,
    node,
    project,
    folder,
  };
  const file = join(project, 'instructions.json');
  await writeFile(file, JSON.stringify(instructions));
  const env = { ...process.env, SERVER: server.url, CI: 'true', NO_COLOR: '1' };
  const options = { cwd: project, env, timeout: 5 * minutes, maxBuffer: 50_000_000 };
  const records = readRecords(
    await readUntilEnd(run(node, [join(project, 'drive.mjs'), file], options)),
  );
  if (records.pop()?.isEnd !== true) throw new Error('The process ended before its last call');
  return records;
}

/** What the process prints until it says that it has called everything; it is ended then. */
async function readUntilEnd(running) {
  let text = '';
  running.child.stdout.on('data', (chunk) => {
    text += chunk;
    if (text.includes('@@{"isEnd":true}\n')) running.child.kill();
  });
  await running.catch((error) => {
    if (!text.includes('@@{')) throw error;
  });
  return text;
}

const readRecords = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('@@'))
    .map((line) => JSON.parse(line.slice(2)));
