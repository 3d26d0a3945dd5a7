/**
 * `npm run compat:graphql`: the tests of GraphQL with version 17 of its library. That version asks for Node 22, so
 * this package does not install it: it lies in `node_modules/.cache/capix-graphql`.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(root, 'node_modules', '.cache', 'capix-graphql');

function run(command, cwd) {
  const { status } = spawnSync(command, { cwd, shell: true, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

await mkdir(cache, { recursive: true });
const dependencies = { graphql: '17.1.0' };
await writeFile(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies }));
run('npm install --no-audit --no-fund --prefer-offline', cache);
run('npx vitest run --project graphql-17', root);
