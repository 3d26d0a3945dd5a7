import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { installForOthers, otherUsers } from '../helpers/other-users.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { readTree, scaffold, writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let made: string;
beforeAll(async () => {
  made = await scaffold();
});

let cwd: string;
let outside: string;
beforeEach(async () => {
  const parent = await temporaryFolder();
  cwd = join(parent, 'shop');
  await cp(made, cwd, { recursive: true, verbatimSymlinks: true });
  outside = join(parent, 'outside');
  await mkdir(outside);
});

const capix = (...args: readonly string[]) => askCapix(args, { cwd });

describe('a link that leads out of the project', () => {
  const generate = ['generate', 'capability', 'leak', 'getX'];

  test.each([
    ['the folder of a group', 'src/capabilities/leak', generate],
    ['a folder above it', 'src/capabilities/deep', ['g', 'c', 'deep/leak', 'getX']],
    ['the folder of all groups', 'src/capabilities', generate],
    [
      'the folder of a group, for a group in it',
      'src/capabilities/leak',
      ['g', 'group', 'leak/inner'],
    ],
    ['a folder of --output', 'docs', ['docs', '--output', 'docs/api.md']],
  ])('as %s has nothing written', async (_, link, args) => {
    await writeTree(cwd, { 'src/other.ts': 'export {};\n' });
    await rm(join(cwd, link), { recursive: true, force: true });
    await symlink(outside, join(cwd, link));
    const { stdout, stderr, exitCode } = await capix(...args, '--config', 'src/other.ts');
    expect(stderr).toMatch(
      new RegExp(
        `^error: ${link} is a link that leads out of the project, to .*/outside\\. Nothing was written\\.\\n`,
      ),
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(await readdir(outside)).toEqual([]);
  });

  test.each([
    ['the index of a group', 'src/capabilities/leak/index.ts', 'export {};\n', generate],
    [
      'the file of a capability',
      'src/capabilities/leak/get-x.ts',
      'export {};\n',
      [...generate, '--force'],
    ],
    ['the file of --output', 'api.md', '', ['docs', '--output', 'api.md']],
    ['the context file', '.capix-context.json', '{}', ['sync-ai-context']],
    ['the lock file', 'capix.lock.json', '{}', ['lock']],
  ])('as %s has nothing written', async (_, link, text, args) => {
    const target = join(outside, 'theirs');
    await writeFile(target, text);
    await mkdir(join(cwd, 'src/capabilities/leak'));
    await symlink(target, join(cwd, link));
    const before = await readTree(join(cwd, 'src'));
    const { stderr, exitCode } = await capix(...args);
    expect(stderr).toContain(`${link} is a link that leads out of the project, to `);
    expect(exitCode).toBe(1);
    expect(await readFile(target, 'utf8')).toBe(text);
    expect(await readTree(join(cwd, 'src'))).toEqual(before);
  });

  test('has nothing written by capix new either, nor does one in its folder', async () => {
    const parent = join(cwd, '..', 'work');
    await mkdir(parent);
    await symlink(outside, join(parent, 'apps'));
    const args = ['--no-install', '--no-git'];
    const there = await runCapix(['new', 'apps/my-api', ...args], { cwd: parent });
    expect(there.stderr).toMatch(
      /^error: apps is a link that leads out of the current folder, to .*\/outside\. Nothing/,
    );
    await mkdir(join(parent, 'my-api'));
    await symlink(outside, join(parent, 'my-api', 'src'));
    const inside = await runCapix(['new', 'my-api', '--force', ...args], { cwd: parent });
    expect(inside.stderr).toContain('src is a link that leads out of the new project');
    expect([there.exitCode, inside.exitCode]).toEqual([1, 1]);
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(join(parent, 'my-api'))).toEqual(['src']);
  });

  test('to nothing is no way to write either', async () => {
    await symlink(join(outside, 'not-there.ts'), join(cwd, 'src/capabilities/health.ts'));
    const { stderr, exitCode } = await capix('g', 'c', 'health');
    expect(stderr).toContain(
      'src/capabilities/health.ts is a link that leads to nothing that is there.',
    );
    expect(exitCode).toBe(1);
    expect(await readdir(outside)).toEqual([]);
  });
});

test('an index that is a link inside the project stays one, and what it leads to gets the line', async () => {
  await writeTree(cwd, { 'src/capabilities/users/all.ts': 'export {};\n' });
  const index = join(cwd, 'src/capabilities/users/index.ts');
  await symlink('all.ts', index);
  expect(await capix('g', 'c', 'users', 'getUser')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await readlink(index)).toBe('all.ts');
  expect(await readFile(join(cwd, 'src/capabilities/users/all.ts'), 'utf8')).toBe(
    "export { getUser } from './get-user.ts';\n",
  );
});

describe('what fails half-way', () => {
  test('of capix generate is undone, as if it had not run', async () => {
    const [uid] = otherUsers();
    const { node, entry } = await installForOthers();
    const capabilities = join(cwd, 'src/capabilities');
    await mkdir(join(capabilities, 'zoo'));
    await writeTree(cwd, { 'src/capabilities/zoo/index.ts': 'export const keeper = 1;\n' });
    const before = await readTree(join(cwd, 'src'));
    // The group can be written, the list of groups above it cannot.
    await chmod(join(cwd, '..'), 0o755);
    for (const path of ['zoo', 'zoo/index.ts'])
      await chown(join(capabilities, path), uid ?? process.getuid!(), -1);
    await chmod(capabilities, 0o555);
    const { stdout, stderr, exitCode } = await runCapix(['g', 'c', 'zoo/bears', 'getBear'], {
      cwd,
      uid,
      node,
      entry,
    });
    await chmod(capabilities, 0o755);
    expect(stderr).toBe(
      'error: Could not write src/capabilities/index.ts: permission denied. Nothing was written.\n' +
        'Fix that, then run the command again.\n',
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(await readTree(join(cwd, 'src'))).toEqual(before);
    expect(await readdir(join(capabilities, 'zoo'))).toEqual(['index.ts']);
  });

  test('by a folder in place of a file is said in words', async () => {
    await mkdir(join(cwd, 'src/capabilities/zoo/index.ts'), { recursive: true });
    const { stderr, exitCode } = await capix('g', 'c', 'zoo', 'getZoo');
    expect(stderr).toMatch(
      /^error: Could not read src\/capabilities\/zoo\/index\.ts: illegal operation on a directory\. Nothing was written\.\n/,
    );
    expect(exitCode).toBe(1);
  });

  /** Has the disk be full when it comes to the second file. */
  const fullDisk = `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const { writeFile } = fs;
    let files = 0;
    fs.writeFile = async (path, ...rest) => {
      if (!String(path).includes('.capix-') || ++files < Number(process.env.FILES_THAT_FIT)) return writeFile(path, ...rest);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
    };
    syncBuiltinESMExports();
  `;

  test.each([
    [['g', 'c', 'users', 'getUser'], 3, 'src/capabilities/index.ts'],
    [['new', 'inner', '--no-install', '--no-git'], 3, 'inner/.gitignore'],
    [['sync-ai-context'], 1, '.capix-context.json'],
    [['openapi', '--output', 'out/api.json'], 1, 'out/api.json'],
  ])('by a full disk is said in words: capix %j', async (args, fit, file) => {
    const disk = join(cwd, '..', 'full-disk.mjs');
    await writeFile(disk, fullDisk);
    const before = await readTree(join(cwd, 'src'));
    const names = await readdir(cwd);
    const env = { NODE_OPTIONS: `--import=${disk}`, FILES_THAT_FIT: String(fit) };
    const { stderr, exitCode } = await runCapix(args, { cwd, env });
    expect(stderr).toMatch(
      new RegExp(`^error: Could not write ${file}: no space left on device\\.`),
    );
    expect(stderr).not.toContain('CAPIX_DEBUG');
    expect(exitCode).toBe(1);
    expect(await readTree(join(cwd, 'src'))).toEqual(before);
    expect(await readdir(cwd)).toEqual(names);
  });
});

describe('--output', () => {
  const commands = ['openapi', 'docs', 'client', 'ai-context'] as const;

  it('replaces what the same command wrote, whatever the API was then', async () => {
    const write = async (command: string) => {
      expect(await capix(command, '--output', `out/${command}`)).toMatchObject({ exitCode: 0 });
      return readFile(join(cwd, 'out', command), 'utf8');
    };
    const before = await Promise.all(commands.map(write));
    await capix('g', 'c', 'users', 'getUser');
    const after = await Promise.all(commands.map(write));
    for (const [index, text] of after.entries()) {
      expect(text).not.toBe(before[index]);
      expect(text).toContain('users');
    }
  });

  it('replaces nothing else without --force', async () => {
    await Promise.all(commands.map((command) => capix(command, '--output', `made-by-${command}`)));
    for (const [index, command] of commands.entries()) {
      const other = `made-by-${commands[(index + 1) % commands.length]}`;
      // One of them is of no command.
      const file = command === 'client' ? 'package.json' : other;
      const before = await readFile(join(cwd, file), 'utf8');
      const { stdout, stderr, exitCode } = await capix(command, '--output', file);
      expect(stderr).toBe(
        `error: ${file} exists already, and \`capix ${command}\` did not write it. Nothing was written.\n` +
          'Pass another --output <file>, or --force to replace it.\n',
      );
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
      expect(await readFile(join(cwd, file), 'utf8')).toBe(before);
    }
    const { stdout } = await capix('docs', '--output', 'package.json', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'FileExists' } });
    const own = await Promise.all(
      commands.map((command) => readFile(join(cwd, `made-by-${command}`), 'utf8')),
    );
    for (const [index, command] of commands.entries()) {
      const other = `made-by-${commands[(index + 1) % commands.length]}`;
      expect(await capix(command, '--output', other, '--force')).toMatchObject({ exitCode: 0 });
      expect(await readFile(join(cwd, other), 'utf8')).toBe(own[index]);
    }
  });

  it('replaces an empty file, and keeps the mode of what it replaces', async () => {
    await writeFile(join(cwd, 'api.json'), '');
    await chmod(join(cwd, 'api.json'), 0o600);
    expect(await capix('openapi', '--output', 'api.json')).toMatchObject({ exitCode: 0 });
    expect((await lstat(join(cwd, 'api.json'))).mode & 0o777).toBe(0o600);
  });

  it('writes outside of the project where the path says so, and into a device without replacing it', async () => {
    expect(await capix('client', '--output', '../outside/client.ts')).toMatchObject({
      exitCode: 0,
    });
    expect(await readdir(outside)).toEqual(['client.ts']);
    expect(await capix('docs', '--output', '/dev/null')).toMatchObject({ exitCode: 0 });
    expect((await lstat('/dev/null')).isCharacterDevice()).toBe(true);
  });
});

describe('a name that not every system takes', () => {
  const long = 'a'.repeat(300);

  test.each([
    [
      ['new', 'con', '--no-install'],
      "'con' cannot be the name of a folder: Windows reserves it for a device.",
    ],
    [
      ['new', 'apps/AUX/shop', '--no-install'],
      "'AUX' cannot be the name of a folder: Windows reserves it for a device.",
    ],
    [
      ['new', 'lpt1.shop', '--no-install'],
      "'lpt1.shop' cannot be the name of a folder: Windows reserves it for a device.",
    ],
    [['new', 'shop.', '--no-install'], 'Windows takes no name that ends in a dot or a blank.'],
    [
      ['new', 'a:b/shop', '--no-install'],
      "'a:b' cannot be the name of a folder: Windows takes no name with :.",
    ],
    [
      ['new', long, '--no-install'],
      `'${long.slice(0, 39)}…' cannot be the name of a package: name can no longer contain more than 214 characters.`,
    ],
    [
      ['g', 'c', 'users', 'con'],
      "'con' cannot be the name of a file or folder: Windows reserves it for a device.",
    ],
    [
      ['g', 'c', 'nul', 'getUser'],
      "'nul' cannot be the name of a file or folder: Windows reserves it for a device.",
    ],
    [
      ['g', 'group', 'com1'],
      "'com1' cannot be the name of a file or folder: Windows reserves it for a device.",
    ],
    [
      ['g', 'c', 'users', long],
      'cannot be the name of a file or folder: it is 300 bytes long, and the longest',
    ],
    [
      ['g', 'c', 'aB'.repeat(90), 'getUser'],
      'cannot be the name of a file or folder: it is 270 bytes long',
    ],
    [['g', 'group', long], 'cannot be the name of a file or folder: it is 300 bytes long'],
  ])('is refused with exit code 2: capix %j', async (args, message) => {
    const folder = args[0] === 'new' ? await temporaryFolder() : cwd;
    const before = await readTree(join(folder, args[0] === 'new' ? '.' : 'src'));
    const { stdout, stderr, exitCode } = await runCapix(args, { cwd: folder });
    expect(stderr).toContain(`error: `);
    expect(stderr).toContain(message);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(await readTree(join(folder, args[0] === 'new' ? '.' : 'src'))).toEqual(before);
  });

  test('of an --output is said in words', async () => {
    const { stderr, exitCode } = await capix('docs', '--output', `${long}.md`);
    expect(stderr).toMatch(/^error: Could not write a+\.md: name too long\.\n/);
    expect(exitCode).toBe(1);
  });
});
