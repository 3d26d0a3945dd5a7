/**
 * `npm run documents -- typespec`: has TypeSpec, of pinned versions in a folder of the system's temp, write the API of
 * `typespec/main.tsp` in the words of each version of OpenAPI. `typespec.test.ts` holds that they are one contract.
 * TypeSpec needs Node 22.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = join(dirname(fileURLToPath(import.meta.url)), 'typespec');
const versions = ['3.0.0', '3.1.0', '3.2.0'];
const dependencies = {
  '@typespec/compiler': '1.16.0',
  '@typespec/http': '1.16.0',
  '@typespec/openapi': '1.16.0',
  '@typespec/openapi3': '1.16.0',
  '@typespec/events': '0.86.0',
  '@typespec/sse': '0.86.0',
  '@typespec/streams': '0.86.0',
};

export async function writeTypeSpec() {
  const cwd = join(tmpdir(), 'capix-typespec');
  await mkdir(cwd, { recursive: true });
  await writeFile(
    join(cwd, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  for (const file of ['main.tsp', 'tspconfig.yaml'])
    await copyFile(join(here, file), join(cwd, file));
  const run = promisify(execFile);
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  await run('npm', words, { cwd, shell: process.platform === 'win32' });
  const compiler = join(cwd, 'node_modules/@typespec/compiler/cmd/tsp.js');
  await run(process.execPath, [compiler, 'compile', '.'], { cwd });
  for (const version of versions)
    await copyFile(join(cwd, 'out', version, 'openapi.yaml'), join(here, `${version}.yaml`));
}
