import { describe, expect, it } from 'vitest';
import { type ProjectFilesOptions, readProjectFiles } from '../../../source/new/project-files.ts';

const place = { folder: '/no/such/folder', path: 'shop', packageName: 'shop' };
const plain = { place, template: 'items', language: 'typescript', capix: '0.1.0' } as const;

async function read(
  options: Pick<ProjectFilesOptions, 'packageManager'> & Partial<ProjectFilesOptions>,
) {
  const files = await readProjectFiles({ ...plain, ...options });
  const byPath = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  return {
    byPath,
    paths: Object.keys(byPath),
    packageJson: JSON.parse(byPath['package.json'] ?? ''),
  };
}

describe('a project for', () => {
  it('npm lets swc do without its script in the words of npm', async () => {
    const { packageJson, paths } = await read({ packageManager: 'npm' });
    expect(packageJson).toHaveProperty('allowScripts');
    expect(paths).not.toContain('pnpm-workspace.yaml');
  });

  it('pnpm says that swc needs no script', async () => {
    const { byPath, packageJson } = await read({ packageManager: 'pnpm' });
    expect(packageJson).not.toHaveProperty('allowScripts');
    expect(byPath['pnpm-workspace.yaml']).toBe(
      '# These packages work without their install scripts.\nallowBuilds:\n  "@swc/core": false\n',
    );
  });

  it.each([
    ['file:../tool/node_modules/capix', 'npm', true],
    ['file:../capix', 'npm', false],
    ['0.1.0', 'npm', false],
    ['file:../tool/node_modules/capix', 'pnpm', false],
  ] as const)('%s and %s has .npmrc: %s', async (capix, packageManager, has) => {
    const { byPath } = await read({ capix, packageManager });
    expect(byPath['.npmrc']?.endsWith('install-links=true\n') ?? false).toBe(has);
  });

  it('yarn installs into node_modules, where the compiler finds types', async () => {
    const { byPath, packageJson } = await read({ packageManager: 'yarn' });
    expect(byPath['.yarnrc.yml']).toMatch(/^nodeLinker: node-modules$/m);
    expect(byPath['.gitignore']).toMatch(/^\.yarn\/install-state\.gz$/m);
    expect(packageJson).toMatchObject({ dependenciesMeta: { '@swc/core': { built: false } } });
    expect(packageJson).not.toHaveProperty('allowScripts');
  });

  it('bun has no settings of other package managers', async () => {
    const { paths, packageJson } = await read({ packageManager: 'bun' });
    expect(packageJson).not.toHaveProperty('allowScripts');
    expect(paths.filter((path) => /\.ya?ml$/.test(path) && !path.startsWith('.github/'))).toEqual(
      [],
    );
  });
});

it('has its files in the order of their paths', async () => {
  const { paths } = await read({ packageManager: 'yarn' });
  expect(paths).toEqual(paths.toSorted());
});
