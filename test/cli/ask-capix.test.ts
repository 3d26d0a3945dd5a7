import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { readTree, scaffold } from '../helpers/scaffold.ts';

describe('a command in the process of many answers as one in a process of its own', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await scaffold();
    await mkdir(join(cwd, 'empty'));
  });

  // Every verb that tests ask for in that process: what it does, and how it refuses.
  it.each([
    '--help',
    'lst',
    'list',
    'list --json',
    'list --jsn',
    'show items.getItme',
    'check --json',
    'check --max-items many',
    'call items.listItems',
    'openapi',
    'openapi --url-case upper',
    'docs',
    'client',
    'client --output',
    'ai-context',
    'ai-context more',
    'sync --dry-run',
    'lock --check',
    'graphql',
    'diff no-such-ref',
    'generate capability users getUser --input --dry-run',
    'generate capability items getItem',
    'generate',
    'completion bash',
    'completion cmd',
    'new taken/name --dry-run',
  ])('capix %s', async (line) => {
    const args = line.split(' ');
    const expected = await runCapix(args, { cwd });
    expect(await askCapix(args, { cwd })).toEqual(expected);
    expect(await askCapix(args, { cwd })).toEqual(expected);
  });

  it('which writes the same files', async () => {
    const folders = [await scaffold(), await scaffold()] as const;
    const args = ['generate', 'capability', 'users', 'getUser', '--input'];
    await runCapix(args, { cwd: folders[0] });
    await askCapix(args, { cwd: folders[1] });
    const trees = await Promise.all(folders.map((folder) => readTree(join(folder, 'src'))));
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[1]).toHaveProperty(['capabilities/users/get-user.ts']);
  });
});

describe('a command in the process of many', () => {
  const counting = (name: string): Readonly<Record<string, string>> => ({
    'src/capabilities.ts': `
      import { capability } from 'capix';
      import { z } from 'zod';
      import { next } from './next.js';
      import required from './required.cjs';
      console.log('loaded', process.env.SHOP);
      export const capabilities = { items: { ${name}: capability(z.object({ word: z.string() }), ({ word }) => [word, next(), required.next()]) } };
    `,
    'src/next.ts': 'let count = 0;\nexport const next = () => ++count;\n',
    'src/required.cjs': 'let count = 0;\nexports.next = () => ++count;\n',
  });
  const call = ['call', 'items.count', '--word', '-'];

  it('loads the project as it is by then, reads its own input and has its own variables', async () => {
    const { root, write } = await openProject(counting('count'));
    const first = await askCapix(call, { cwd: root, input: 'one', env: { SHOP: 'a' } });
    expect(first).toEqual({
      stdout: '[\n  "one",\n  1,\n  1\n]\n',
      stderr: 'loaded a\n',
      exitCode: 0,
    });
    const second = await askCapix(call, { cwd: root, input: 'two' });
    expect(second).toEqual({
      stdout: '[\n  "two",\n  1,\n  1\n]\n',
      stderr: 'loaded undefined\n',
      exitCode: 0,
    });
    for (const [path, text] of Object.entries(counting('other'))) await write(path, text);
    expect((await askCapix(['list', '--json'], { cwd: root })).stdout).toContain('"items.other"');
  });

  it('does not answer where the code of a project ends the process, and the next one does', async () => {
    const { root } = await openProject({
      'src/capabilities.ts': "process.kill(process.pid, 'SIGKILL');\n",
    });
    await expect(askCapix(['list'], { cwd: root })).rejects.toThrow('has ended (SIGKILL)');
    expect(await askCapix(['lst'], { cwd: packageRoot })).toMatchObject({ exitCode: 2 });
  });
});
