import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..', '..');

/** The facts that figures are read with: `{node, cpu, date, commit, packages: {capix: '0.1.0', fastify: '5.6.1', …}}`. */
export function readVersions(nodeVersion) {
  const {
    version,
    devDependencies = {},
    peerDependencies = {},
  } = readPackage(join(root, 'package.json'));
  const { dependencies } = readPackage(join(here, 'package.json'));
  const peers = Object.keys(dependencies).map((name) => [name, findInstalled(name)]);
  const zod = devDependencies.zod ?? peerDependencies.zod;
  return {
    node: nodeVersion,
    cpu: cpus()[0]?.model,
    date: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
    }).trim(),
    packages: { capix: version, zod, ...Object.fromEntries(peers) },
  };
}

function findInstalled(name) {
  try {
    return readPackage(join(here, 'node_modules', name, 'package.json')).version;
  } catch {
    return undefined;
  }
}

function readPackage(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
