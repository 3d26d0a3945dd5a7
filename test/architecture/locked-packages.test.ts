import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

await init;

interface LockEntry {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly resolved?: string;
}

it('npm install warns nobody on Node 20: no locked package asks for a newer one alone', async () => {
  const asking = (await lockedPackages()).filter(([, { engines }]) => asksForNewer(engines?.node));
  expect(asking.map(([path, { version }]) => `${path}@${version}`)).toEqual([]);
});

it('packages come from a registry, none from a repository or a folder', async () => {
  const fixed = (await lockedPackages()).filter(
    ([, { resolved }]) => resolved && !/^https:.*\.tgz$/.test(resolved),
  );
  expect(fixed).toEqual([]);
});

it('our own versions are exact, so that every Node gets the same; those that users install are ranges', async () => {
  const { dependencies = {}, devDependencies } = JSON.parse(
    await readFile(join(packageRoot, 'package.json'), 'utf8'),
  );
  const isExact = (range: string): boolean =>
    /^(npm:(@[a-z-]+\/)?[a-z-]+@)?\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(range);
  expect(Object.entries<string>(devDependencies).filter(([, range]) => !isExact(range))).toEqual(
    [],
  );
  expect(
    Object.entries<string>(dependencies).filter(([, range]) => !/^\^\d+\.\d+\.\d+$/.test(range)),
  ).toEqual([]);
});

it('the built library imports only what users install with it, or are told to', async () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    await readFile(join(packageRoot, 'package.json'), 'utf8'),
  );
  const listed = new Set(
    Object.keys({ ...dependencies, ...peerDependencies, ...peerDependenciesMeta }),
  );
  const folder = join(packageRoot, 'dist', 'server-runtime');
  const modules = (await readdir(folder, { recursive: true })).filter((file) =>
    file.endsWith('.js'),
  );
  const imported = await Promise.all(
    modules.map(async (file) => {
      const [imports] = parse(await readFile(join(folder, file), 'utf8'));
      return imports.flatMap(({ n: name }) => name ?? []);
    }),
  );
  const names = imported.flat().map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  expect(names.filter((name) => !/^(\.|node:)/.test(name) && !listed.has(name))).toEqual([]);
});

/** Every alternative of the range starts above Node 20: `'>=22'` does, `'^20.19.0 || >=22.12.0'` does not. */
function asksForNewer(range = '*'): boolean {
  return range
    .split('||')
    .every((alternative) => /^\s*[>=^~]*\s*v?(2[1-9]|[3-9]\d)\b/.test(alternative));
}

async function lockedPackages(): Promise<readonly (readonly [string, LockEntry])[]> {
  const { packages } = JSON.parse(await readFile(join(packageRoot, 'package-lock.json'), 'utf8'));
  return Object.entries(packages as Record<string, LockEntry>);
}
