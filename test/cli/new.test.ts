import { chmod, cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { packageInfo } from '../../source/package-info.ts';
import { askCapix } from '../helpers/ask-capix.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { readTree, writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const projectFiles = [
  '.cursor/rules',
  '.github/workflows/contract.yml',
  '.gitignore',
  '.mcp.json',
  '.vscode/launch.json',
  'AGENTS.md',
  'README.md',
  'package.json',
  'src/capabilities.ts',
  'src/capabilities/index.ts',
  'src/capabilities/items/create.ts',
  'src/capabilities/items/get.ts',
  'src/capabilities/items/index.ts',
  'src/capabilities/items/items.test.ts',
  'src/capabilities/items/list.ts',
  'src/capabilities/items/store.ts',
  'src/context.ts',
  'src/server.ts',
  'tsconfig.json',
];

/** Puts a package manager of ours first in the PATH: a shell script. */
async function fakePackageManager(name: string, script: string): Promise<Record<string, string>> {
  const folder = await temporaryFolder();
  await writeTree(folder, { [name]: `#!/bin/sh\n${script}\n` });
  await chmod(join(folder, name), 0o755);
  return { PATH: `${folder}${delimiter}${process.env['PATH']}` };
}

describe('capix new', () => {
  test('writes a project and says which files, and what to do next', async () => {
    const cwd = await temporaryFolder();
    const { stdout, stderr, exitCode } = await runCapix(['new', 'shop', '--no-install'], { cwd });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const tree = await readTree(join(cwd, 'shop'));
    expect(Object.keys(tree).filter((path) => !path.startsWith('.git/'))).toEqual(projectFiles);
    for (const path of projectFiles) expect(stdout).toContain(`\n  ${path}\n`);
    expect(stdout).toContain('Next:\n  cd shop\n  npm install\n  npm run dev\n');
    expect(Object.values(tree).join('\n')).not.toMatch(/\{\{\w+\}\}/);
  });

  test('names the project in its package.json and lets it depend on this copy', async () => {
    const cwd = await temporaryFolder();
    await askCapix(['new', '@acme/shop', '--no-install'], { cwd });
    const { name, dependencies } = JSON.parse(
      await readFile(join(cwd, 'shop', 'package.json'), 'utf8'),
    );
    expect(name).toBe('@acme/shop');
    const path = dependencies.capix.replace('file:', '');
    expect(await realpath(join(cwd, 'shop', path))).toBe(await realpath(packageRoot));
  });

  test('asks of the registry the versions that this package was tried with', async () => {
    const cwd = await temporaryFolder();
    await askCapix(['new', '.', '--no-install', '--no-git'], { cwd });
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(join(cwd, 'package.json'), 'utf8'),
    );
    const { capix: _, ...ranges } = { ...dependencies, ...devDependencies } as Record<
      string,
      string
    >;
    const tried = JSON.parse(
      await readFile(join(packageRoot, 'package.json'), 'utf8'),
    ).devDependencies;
    expect(ranges).toEqual(
      Object.fromEntries(Object.keys(ranges).map((name) => [name, `^${tried[name]}`])),
    );
  });

  test.each([
    ['publish', packageInfo.version],
    ['pack', 'file:../node_modules/capix'],
  ])('from a package made by npm %s depends on %s', async (npmCommand, dependency) => {
    const cwd = await temporaryFolder();
    const copy = join(cwd, 'node_modules', 'capix');
    for (const path of ['dist', 'templates', 'package.json', 'scripts/mark-release.mjs']) {
      await cp(join(packageRoot, path), join(copy, path), { recursive: true });
    }
    const env = { npm_command: npmCommand, npm_package_version: packageInfo.version };
    await execa(process.execPath, ['scripts/mark-release.mjs'], { cwd: copy, env });
    const entry = join(copy, 'dist', 'cli.cjs');
    await symlink(
      join(packageRoot, 'node_modules', 'execa'),
      join(cwd, 'node_modules', 'execa'),
      'junction',
    );
    expect(await runCapix(['new', 'shop', '--no-install'], { cwd, entry })).toMatchObject({
      exitCode: 0,
    });
    const { dependencies } = JSON.parse(await readFile(join(cwd, 'shop', 'package.json'), 'utf8'));
    expect(dependencies.capix).toBe(dependency);
  });

  test('with --json prints one document', async () => {
    const cwd = await temporaryFolder();
    const { stdout, stderr } = await askCapix(
      ['new', 'shop', '--no-install', '--no-git', '--json'],
      { cwd },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      data: {
        name: 'shop',
        folder: join(cwd, 'shop'),
        template: 'items',
        files: projectFiles,
        packageManager: 'npm',
        git: false,
        installed: false,
        next: ['cd shop', 'npm install', 'npm run dev'],
      },
    });
  });

  test('with --template minimal writes one capability with a test, a server, and what they need', async () => {
    const cwd = await temporaryFolder();
    const args = ['new', 'shop', '--template', 'minimal', '--no-install'];
    const { stdout } = await askCapix([...args, '--json'], { cwd });
    const { data } = JSON.parse(stdout);
    expect(data).toMatchObject({ template: 'minimal' });
    expect(data.files).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src/capabilities.test.ts',
      'src/capabilities.ts',
      'src/server.ts',
      'tsconfig.json',
    ]);
    const text = await askCapix([...args, '--force', '--no-git'], { cwd });
    expect(text.stdout).toContain('\nThen http://localhost:3000/hello answers.\n');
    const tree = await readTree(join(cwd, 'shop'));
    expect(Object.values(tree).join('\n')).not.toMatch(/\{\{\w+\}\}/);
  });

  test('with --template product writes the example of the tutorial, with no path of this machine', async () => {
    const cwd = await temporaryFolder();
    const args = [
      'new',
      '@acme/shop',
      '--template',
      'product',
      '--no-install',
      '--no-git',
      '--json',
    ];
    const { data } = JSON.parse((await askCapix(args, { cwd })).stdout);
    const example = await readTree(join(packageRoot, 'examples/clinic/src'));
    expect(data.files).toEqual(
      expect.arrayContaining([
        ...Object.keys(example).map((path) => `src/${path}`),
        'Dockerfile',
        '.dockerignore',
        '.mcp.json',
        'AGENTS.md',
        '.cursor/rules',
        '.github/workflows/contract.yml',
      ]),
    );
    const tree = await readTree(join(cwd, 'shop'));
    const texts = Object.values(tree).join('\n');
    expect(texts).not.toMatch(/\{\{\w+\}\}/);
    expect(texts.replaceAll(/"capix": ".*"/g, '')).not.toContain(packageRoot);
    expect(texts).not.toContain(cwd);
    expect(JSON.parse(tree['package.json'] ?? '')).toMatchObject({
      name: '@acme/shop',
      dependencies: { capix: expect.stringMatching(/^file:/), zod: expect.any(String) },
    });
    expect(tree['.gitignore']).not.toContain('.mcp.json');
    expect(tree['src/server.ts']).toBe(example['server.ts']);
    const workflow = tree['.github/workflows/contract.yml'];
    expect(workflow).toContain('--fail-on breaking --fail-on open');
    const forPnpm = ['new', 'a', '--package-manager', 'pnpm', '--template', 'product'];
    await askCapix([...forPnpm, '--no-install', '--no-git'], { cwd });
    expect((await readTree(join(cwd, 'a')))['pnpm-workspace.yaml']).toMatch(
      /allowBuilds:\n {2}"@swc\/core": false\n {2}"esbuild": false\n {2}"msgpackr-extract": false\n$/,
    );
    const javascript = ['new', 'b', '--template', 'product', '--javascript'];
    expect(await askCapix(javascript, { cwd })).toMatchObject({
      exitCode: 2,
      stderr:
        'error: The template product is in TypeScript only.\nLeave out --javascript, or choose the template items or minimal.\n',
    });
  });

  test('makes a repository with a first commit, unless told not to or inside of one', async () => {
    const cwd = await temporaryFolder();
    const who = { NAME: 'Ada', EMAIL: 'ada@example.org' };
    const env = Object.fromEntries(
      Object.entries(who).flatMap(([name, value]) => [
        [`GIT_AUTHOR_${name}`, value],
        [`GIT_COMMITTER_${name}`, value],
      ]),
    );
    await runCapix(['new', 'shop', '--no-install'], { cwd, env });
    const log = await execa('git', ['log', '--format=%s'], { cwd: join(cwd, 'shop') });
    expect(log.stdout).toBe('Create the project with capix');
    expect((await execa('git', ['status', '--short'], { cwd: join(cwd, 'shop') })).stdout).toBe('');
    await runCapix(['new', 'inner', '--no-install'], { cwd: join(cwd, 'shop') });
    await runCapix(['new', 'plain', '--no-install', '--no-git'], { cwd });
    const { stdout } = await execa('find', ['.', '-name', '.git'], { cwd });
    expect(stdout.split('\n')).toEqual(['./shop/.git']);
    await mkdir(join(cwd, 'kept'));
    await writeFile(join(cwd, 'kept/secrets.txt'), 'of the user');
    await runCapix(['new', 'kept', '--no-install', '--force'], { cwd, env });
    const { stdout: committed } = await execa('git', ['rev-list', '--all'], {
      cwd: join(cwd, 'kept'),
    });
    expect(committed, 'files that were there are in no commit').toBe('');
  });

  const nobody = { HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

  test('says that there is no first commit where git cannot make one, and why', async () => {
    const cwd = await temporaryFolder();
    const settings = join(cwd, 'gitconfig');
    await writeFile(settings, '[user]\n useConfigOnly = true\n');
    const env = { ...nobody, GIT_CONFIG_GLOBAL: settings };
    const { stdout, exitCode } = await runCapix(['new', 'shop', '--no-install'], { cwd, env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /\nnote: There is no first commit: .*auto-detection is disabled\. Make it for/,
    );
    const json = await runCapix(['new', 'shop2', '--no-install', '--json'], { cwd, env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      data: { git: true, committed: false },
      notes: [expect.stringMatching(/^There is no first commit: .*auto-detection is disabled/)],
    });
  });

  test('commits where the program that signs commits is not there', async () => {
    const cwd = await temporaryFolder();
    const settings = join(cwd, 'gitconfig');
    const author = '[user]\n name = Ada\n email = ada@example.org\n';
    await writeFile(settings, `${author}[commit]\n gpgsign = true\n[gpg]\n program = /no/such\n`);
    const env = { ...nobody, GIT_CONFIG_GLOBAL: settings };
    const { stdout } = await runCapix(['new', 'shop', '--no-install', '--json'], { cwd, env });
    expect(JSON.parse(stdout)).toMatchObject({ data: { git: true, committed: true } });
    const log = await execa('git', ['log', '--format=%an'], { cwd: join(cwd, 'shop') });
    expect(log.stdout).toBe('Ada');
  });
});

describe('capix new . beside what GitHub and editors write first', () => {
  const before = {
    'README.md': '# Ours\n',
    LICENSE: 'MIT\n',
    '.gitignore': 'secret.key\r\nnode_modules/\r\n',
    '.nvmrc': '24\n',
    'flake.nix': '{}\n',
    '.idea/shop.iml': '<x/>',
    '.vscode/launch.json': '{"mine": 1}\n',
  };

  test('leaves all of it as it is, adds the lines that .gitignore lacks, and says so', async () => {
    const cwd = await temporaryFolder();
    await writeTree(cwd, before);
    await execa('git', ['init', '--quiet'], { cwd });
    const { stdout, stderr } = await askCapix(['new', '.', '--no-install', '--json'], { cwd });
    expect(stderr).toBe('');
    const tree = await readTree(cwd);
    expect(tree).toMatchObject({ ...before, '.gitignore': expect.anything() });
    expect(tree['src/server.ts']).toContain('createServer');
    expect(tree['.gitignore']).toMatch(/^secret\.key\r\nnode_modules\/\r\n(?!node_modules)/);
    expect(tree['.gitignore']).toMatch(/\r\ndist\/\r\n[^]*\r\n\.env\*\r\n!\.env\.example\r\n/);
    const { data, notes } = JSON.parse(stdout);
    expect(data.left).toEqual(['.vscode/launch.json', 'README.md']);
    expect(data.files).toContain('.gitignore');
    expect(data.files).not.toContain('README.md');
    expect(notes).toEqual(['.vscode/launch.json, README.md were there, and are as before.']);
  });

  test('hides with --force what .gitignore hid', async () => {
    const cwd = await temporaryFolder();
    await writeTree(cwd, { ...before, '.gitignore': 'secret.key\n.env.*\n!.env.example\n' });
    await askCapix(['new', '.', '--no-install', '--no-git', '--force'], { cwd });
    await execa('git', ['init', '--quiet'], { cwd });
    const files = ['secret.key', 'dist/a.js', '.env', '.env.local', '.env.example'];
    const hidden = await execa('git', ['check-ignore', ...files], { cwd });
    expect(hidden.stdout.split('\n')).toEqual(files.slice(0, -1));
    expect((await readTree(cwd))['README.md']).not.toBe(before['README.md']);
  });

  test.each(['package.json', 'src/a.ts'])('is refused beside %s', async (path) => {
    const cwd = await temporaryFolder();
    await writeTree(cwd, { ...before, [path]: '{}' });
    const { stderr, exitCode } = await askCapix(['new', '.', '--no-install'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('is not empty');
    expect(await readTree(cwd)).toEqual({ ...before, [path]: '{}' });
  });
});

describe('capix new installs', () => {
  test('with the package manager that it is told', async () => {
    const cwd = await temporaryFolder();
    const env = await fakePackageManager('pnpm', 'echo "pnpm $* in $(basename $PWD)"');
    const { stdout, stderr, exitCode } = await runCapix(
      ['new', 'shop', '--package-manager', 'pnpm'],
      { cwd, env },
    );
    expect(exitCode).toBe(0);
    expect(stderr).toBe('Installing …\n  pnpm install --prod=false in shop\n');
    expect(stdout).toContain('Next:\n  cd shop\n  pnpm run dev\n');
    expect(await readFile(join(cwd, 'shop', 'README.md'), 'utf8')).toContain(
      'pnpm exec capix generate capability',
    );
  });

  test('with the package manager that runs it', async () => {
    const cwd = await temporaryFolder();
    const env = {
      ...(await fakePackageManager('bun', 'exit 0')),
      npm_config_user_agent: 'bun/1.2.3 npm/? node/v22',
    };
    const { stdout } = await runCapix(['new', 'shop'], { cwd, env });
    expect(stdout).toContain('  bun run dev\n');
  });

  test('and where that fails keeps the project and says how to go on', async () => {
    const cwd = await temporaryFolder();
    const env = await fakePackageManager(
      'npm',
      'printf "\\033[31mnetwork\\033[0m is down\\n" >&2; exit 7',
    );
    const { stdout, stderr, exitCode } = await runCapix(['new', 'shop'], { cwd, env });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toBe(
      [
        'Installing …',
        '  network is down',
        'error: The project was created in ./shop, but npm could not install it.',
        'network is down',
        'Fix the problem above, then run:',
        '  cd shop',
        '  npm install',
        '  npm run dev',
        '',
      ].join('\n'),
    );
    expect(Object.keys(await readTree(join(cwd, 'shop')))).toContain('src/server.ts');
  });

  test('and says so where the package manager is not there', async () => {
    const cwd = await temporaryFolder();
    const env = { PATH: '/nowhere' };
    const { stdout, exitCode } = await runCapix(
      ['new', 'shop', '--package-manager', 'yarn', '--json'],
      { cwd, env },
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'InstallFailed' } });
  });
});

describe('capix new refuses', () => {
  test.each([
    [[], 'The name of the new project is missing.'],
    [['../shop'], 'outside the current folder'],
    [['My Shop'], 'cannot be the name of a package'],
    [['shop', '--package-manager', 'cargo'], 'cargo'],
    [['shop', '--template', 'x'], 'Allowed choices are minimal, items, product.'],
  ])('%j with exit code 2 and writes nothing', async (args, message) => {
    const cwd = await temporaryFolder();
    const { stdout, stderr, exitCode } = await askCapix(['new', ...args], { cwd });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(await readTree(cwd)).toEqual({});
  });

  test('a folder that is not empty, unless forced, and then deletes nothing', async () => {
    const cwd = await temporaryFolder();
    await writeTree(cwd, { 'shop/notes.txt': 'mine', 'shop/README.md': 'mine' });
    const refused = await askCapix(['new', 'shop', '--no-install'], { cwd });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('it holds notes.txt. Nothing was written.');
    expect(await readTree(cwd)).toEqual({ 'shop/notes.txt': 'mine', 'shop/README.md': 'mine' });

    await askCapix(['new', 'shop', '--no-install', '--no-git', '--force'], { cwd });
    const tree = await readTree(join(cwd, 'shop'));
    expect(Object.keys(tree)).toEqual([...projectFiles, 'notes.txt'].toSorted());
    expect(tree['notes.txt']).toBe('mine');
    expect(tree['README.md']).toMatch(/^# shop\n/);
  });
});

test('a folder that the system does not let it make is named with the reason', async () => {
  const { stdout, stderr, exitCode } = await runCapix(['new', 'demo', '--no-install', '--no-git'], {
    cwd: '/sys',
  });
  expect(stderr).toMatch(
    /^error: Could not write demo: .+\. Nothing was written\.\nFix that, or choose another place\.\n$/,
  );
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
});
