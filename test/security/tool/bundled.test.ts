// Boundary: npm. Promises: nothing runs at install, and what is bundled is named with its version and license.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageManagerCommands } from '../../../source/new/package-manager.ts';
import { packageRoot } from '../../helpers/run-capix.ts';

const read = (file: string) => readFile(join(packageRoot, file), 'utf8');

test('the package names each bundled package with its version and its license', async () => {
  const text = await read('dist/BUNDLED.md');
  const rows = [...text.matchAll(/^\| (\S+ \d\S+) \| (.+) \|$/gm)].map(([, title]) => title ?? '');
  expect(rows.length).toBeGreaterThan(60);
  for (const name of ['react', 'ink', 'yaml', 'execa', 'commander', 'cookie', '@fastify/busboy'])
    expect(rows.some((row) => row.startsWith(`${name} `))).toBe(true);
  for (const row of rows) {
    const section = text.split(`\n## ${row}\n`)[1]?.split('\n~~~\n')[0] ?? '';
    expect([row, /permi|licen|redistribut/i.test(section)]).toEqual([row, true]);
  }
});

test('the package has the page on security, and no script that runs at install', async () => {
  const { files, scripts } = JSON.parse(await read('package.json')) as {
    files: string[];
    scripts: Record<string, string>;
  };
  expect(files).toContain('SECURITY.md');
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(scripts).not.toHaveProperty(name);
});

test('a new project commits no file of secrets, and its workflow installs what its lock file says, by fixed actions', async () => {
  const ignored = (await read('templates/base/_gitignore')).split('\n');
  expect(ignored).toContain('.env*');
  expect(ignored).toContain('!.env.example');
  for (const { ci } of Object.values(packageManagerCommands))
    expect(ci).toMatch(/npm ci$|--frozen-lockfile$/);
  const workflows = ['templates/agents/_github/workflows/contract.yml', '.github/workflows/ci.yml'];
  for (const file of [...workflows, '.github/workflows/release.yml'])
    for (const [, action] of (await read(file)).matchAll(/uses: (.+)/g))
      expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d/);
});
