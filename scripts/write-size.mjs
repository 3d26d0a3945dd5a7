/**
 * `npm run size`: writes what is smaller now into the tables of `docs/internals/architecture.md`. With words, which are
 * the reason, it writes what is larger, too.
 */
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { strikeClean } from './lint/excused.mjs';

for (const struck of await strikeClean()) process.stdout.write(`legible now: ${struck}\n`);

const env = { ...process.env, CAPIX_SIZE: process.argv.slice(2).join(' ') };
const { status } = spawnSync('npx', ['vitest', 'run', 'test/architecture/size.test.ts'], {
  stdio: 'inherit',
  env,
});
process.exitCode = status ?? 1;
