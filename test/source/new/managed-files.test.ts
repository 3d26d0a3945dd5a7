import { describe, expect, it } from 'vitest';
import { toManagedFiles } from '../../../source/new/project/managed-files.ts';

const packageJson = '{\n  "name": "shop",\n  "allowScripts": {\n    "esbuild": true\n  }\n}\n';
const files = [
  { path: '.gitignore', text: 'dist/\n' },
  { path: 'package.json', text: packageJson },
];

function fitted(options: Omit<Parameters<typeof toManagedFiles>[1], 'folder'>): Readonly<Record<string, string>> {
  const made = toManagedFiles(files, { folder: '/no/such/folder', ...options });
  return Object.fromEntries(made.map(({ path, text }) => [path, text]));
}

describe('a project for', () => {
  it('npm is as it is', () => {
    expect(toManagedFiles(files, { packageManager: 'npm', folder: '/no/such/folder' })).toEqual(files);
  });

  it.each(['12.21.0', '11.28.11', '10.5.0', undefined, 'no version'])(
    'pnpm %s says that esbuild needs no script',
    (version) => {
      expect(fitted({ packageManager: 'pnpm', version })).toEqual({
        '.gitignore': 'dist/\n',
        'package.json': '{\n  "name": "shop"\n}\n',
        'pnpm-workspace.yaml': '# esbuild works without its install script.\nallowBuilds:\n  esbuild: false\n',
      });
    },
  );

  it.each(['10.4.1', '9.15.9', '8.15.9'])(
    'pnpm %s, which would take that for a workspace, has no such file',
    (version) => {
      expect(Object.keys(fitted({ packageManager: 'pnpm', version }))).toEqual(['.gitignore', 'package.json']);
    },
  );

  it('yarn installs into node_modules, where the compiler finds types', () => {
    const made = fitted({ packageManager: 'yarn' });
    expect(Object.keys(made)).toEqual(['.gitignore', '.yarnrc.yml', 'package.json']);
    expect(made['.yarnrc.yml']).toMatch(/^nodeLinker: node-modules$/m);
    expect(made['.gitignore']).toBe('dist/\n.yarn/install-state.gz\n');
    expect(JSON.parse(made['package.json'] ?? '')).toEqual({
      name: 'shop',
      dependenciesMeta: { esbuild: { built: false } },
    });
  });

  it('bun has no settings of other package managers', () => {
    expect(fitted({ packageManager: 'bun' })).toEqual({
      '.gitignore': 'dist/\n',
      'package.json': '{\n  "name": "shop"\n}\n',
    });
  });
});
