/**
 * Marks in package-lock.json the packages that declare Node 22 but run on Node 20, so that `npm install` does not warn about them.
 *
 * Each line is one version that was tried: Ink's own test suite passes on Node 20, and ours runs on it. Those are bundled into the
 * command-line tool, so nobody who installs capix sees their engines. The last belongs to a suite that only tests run, on Node 20, too.
 * Run this after upgrading one, once the tests pass on Node 20.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const triedOnNode20 = [
  'ink@7.1.1',
  'cli-truncate@6.2.0',
  'slice-ansi@9.0.1',
  'slice-ansi@10.0.1',
  'ansi-styles@7.0.0',
  'content-type@3.1.1',
];

const lockUrl = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(lockUrl, 'utf8'));
for (const [path, entry] of Object.entries(lock.packages)) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (triedOnNode20.includes(`${name}@${entry.version}`)) entry.engines = { node: '>=20' };
}
writeFileSync(lockUrl, `${JSON.stringify(lock, undefined, 2)}\n`);
