import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** The first error of types in each operation of `check.ts`, which sends values of honest types through the generated code. */
export async function findTypeErrors(project) {
  const compilerOptions = {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    typeRoots: [join(root, 'node_modules', '@types')],
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
  };
  const config = JSON.stringify({ compilerOptions, files: ['check.ts'] });
  await writeFile(join(project, 'tsconfig.json'), config);
  const tsc = join(root, 'node_modules', 'typescript-5.9', 'bin', 'tsc');
  const words = [tsc, '-p', project, '--pretty', 'false'];
  const { stdout } = await run(process.execPath, words, { cwd: project }).catch((error) => error);
  const lines = (await readFile(join(project, 'check.ts'), 'utf8')).split('\n');
  const errors = new Map();
  for (const [, line, text] of stdout.matchAll(/^check\.ts\((\d+),\d+\): error TS\d+: (.+)$/gm)) {
    const operation = findOperation(lines, Number(line));
    if (!errors.has(operation)) errors.set(operation, text);
  }
  return errors;
}

/** The method in which a line stands: those of `calls` begin with four blanks and their name. */
function findOperation(lines, line) {
  for (const text of lines.slice(0, line).toReversed()) {
    const [, name] = /^ {4}(?:async )?(\w+)\(/.exec(text) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}
