import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { scaffold, typeErrors } from '../helpers/scaffold.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');
const readme = read('README.md');

it('has the commands that set the repository up in blocks of their own', () => {
  const own = readme.slice(readme.indexOf('## This repository'));
  expect(own).toContain('\n```sh\nnpm install && npm start\n```\n');
  expect(own).toContain('\n```sh\nnpm install && npm test\n```\n');
});

it('its tour shows what the commands print in a new project', async () => {
  const folder = await scaffold('my-api');
  const generated = await runCapix(['generate', 'capability', 'users', 'getUser', '--input'], {
    cwd: folder,
  });
  expect(generated.exitCode).toBe(0);
  const [, path = '', code = ''] = /```ts\n\/\/ (\S+)\n([^]*?)```/.exec(readme) ?? [];
  await writeFile(join(folder, path), code);
  expect(await typeErrors(folder)).toBe('');
  await commitAll(folder);

  for (const [command, printed] of findCommands(readme)) {
    // The tour has its reader edit the file before this one.
    if (command.includes('diff'))
      await edit(join(folder, path), 'name: z.string() }', 'name: z.string().optional() }');
    const { stdout, exitCode } = await runCapix(toWords(command), { cwd: folder });
    expect({ command, printed: stdout, exitCode }).toEqual({
      command,
      printed,
      exitCode: 0,
    });
  }
});

it('its figures are those of the benchmark', () => {
  const performance = read('docs/internals/performance.md');
  const [, table = ''] = /(\| Node 24\.21\.0 [^]*?)\n\n/.exec(performance) ?? [];
  const median = (row: string, column: number): string => {
    const line = table.split('\n').find((text) => text.startsWith(`| ${row} |`)) ?? '';
    return /^[\d.]+/.exec(line.split(' | ')[column] ?? '')?.[0] ?? '';
  };
  for (const [name, column] of [
    ['Fastify 5.12.8', 3],
    ['Fastify with zod', 4],
    ['Hono 4.13.19', 5],
  ] as const)
    expect(readme).toContain(
      `| ${name} | ${median('create', column)} | ${median('invalid (4 wrong)', column)} |`,
    );
  expect(readme).toContain(`takes ${median('create', 2)} of capix' CPU`);
  expect(performance).toContain('of 2026-11-29, with Fastify 5.12.8');
  expect(performance).toContain('Hono 4.13.19');
  const [, capix, orpc, trpc] =
    /one checker: capix ([\d.]+), [^,]+,\s*oRPC ([\d.]+), tRPC ([\d.]+);/.exec(performance) ?? [];
  expect(readme).toContain(`| capix 0.1.0 | 1 | 1 | ${capix} |`);
  expect(readme).toMatch(new RegExp(`oRPC 1.16.1 \\| – \\| – \\| ${orpc} \\|`));
  expect(readme).toMatch(new RegExp(`tRPC 11.25.2 \\| – \\| – \\| ${trpc} \\|`));
});

/** Each command of the blocks that show output, with what it prints. */
function findCommands(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/```console\n\$ npx capix (.+)\n([^]*?)```/g)].map(
    ([, command = '', printed = '']) => [command, printed],
  );
}

function toWords(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

async function commitAll(folder: string): Promise<void> {
  const git = (...words: string[]) =>
    execa('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
      cwd: folder,
    });
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'first');
}
