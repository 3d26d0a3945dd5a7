import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectToCommand } from '../helpers/connect-to-tools.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { cleanEnvironment, cliEntry, runCapix } from '../helpers/run-capix.ts';

/** Refuses to be loaded without `DATABASE`, and tells what it found. */
const capabilities = `
  import { capability } from 'capix';
  if (!process.env.DATABASE) throw new Error('DATABASE is missing');
  const { DATABASE, OTHER } = process.env;
  export const texts = {
    getNames: capability(() => [DATABASE, OTHER, process.env.DATABASE]).describe(\`at \${DATABASE}\`),
  };
`;

let folder: string;
beforeAll(async () => {
  folder = await devProject({
    '.env': 'DATABASE=dot\nOTHER=dot',
    'a.env': 'DATABASE=a\nOTHER=a',
    'b.env': 'DATABASE=b',
    'src/capabilities.ts': capabilities,
    'old/capabilities.ts': capabilities,
  });
});

const names = async (args: readonly string[], env = {}) =>
  JSON.parse(
    (await runCapix(['call', 'texts.getNames', ...args], { cwd: folder, env })).stdout,
  ) as unknown;

describe('the variables of env files', () => {
  it.each([
    ['list'],
    ['check'],
    ['show', 'texts.getNames'],
    ['openapi'],
    ['docs'],
    ['client'],
    ['ai-context'],
    ['sync-ai-context'],
    ['call', 'texts.getNames'],
    ['diff', 'old/capabilities.ts', 'src/capabilities.ts'],
  ])('are there for capix %s %s', async (...args) => {
    const { stderr, exitCode } = await runCapix(args.filter(Boolean), { cwd: folder });
    expect([stderr.includes('DATABASE is missing'), exitCode]).toEqual([false, 0]);
  });

  it('are there for capix mcp, also while a tool runs', async () => {
    const client = await connectToCommand(folder, '--env-file', 'b.env');
    const { structuredContent } = await client.callTool({ name: 'texts_getNames', arguments: {} });
    expect(structuredContent).toEqual({ data: ['b', null, 'b'] });
  });

  it('come from .env of the project, from the named files in its place in their order, and under those of the shell', async () => {
    expect(await names([])).toEqual(['dot', 'dot', 'dot']);
    expect(await names(['--env-file', 'b.env'])).toEqual(['b', null, 'b']);
    expect(await names(['--env-file', 'a.env', '--env-file', 'b.env'])).toEqual(['b', 'a', 'b']);
    expect(await names(['--env-file=b.env', '--env-file=a.env'])).toEqual(['a', 'a', 'a']);
    expect(await names(['--env-file', 'a.env'], { DATABASE: 'shell' })).toEqual([
      'shell',
      'a',
      'shell',
    ]);
  });

  it('come in the same order for capix dev', async () => {
    const dev = openDevJson(
      await devProject({
        '.env': 'NAME=dot',
        'a.env': 'NAME=a\nOTHER=a',
        'b.env': 'NAME=b',
        'src/text.ts': `export const text = () => process.env.NAME + process.env.OTHER + process.env.MINE;`,
      }),
      ['--env-file', 'a.env', '--env-file', 'b.env'],
      { MINE: 'shell' },
    );
    expect(await (await fetch(`${await dev.url()}/texts`)).json()).toEqual({ data: 'bashell' });
  });

  it('are those of each project for itself where two are compared', async () => {
    const named = `import { capability } from 'capix';
      export const capabilities = { texts: { [process.env.NAME]: capability(() => []) } };`;
    const before = await devProject({ '.env': 'NAME=before', 'src/capabilities.ts': named });
    const after = await devProject({ '.env': 'NAME=after', 'src/capabilities.ts': named });
    const { stdout } = await runCapix(
      ['diff', join(before, 'src/capabilities.ts'), 'src/capabilities.ts', '--json'],
      {
        cwd: after,
      },
    );
    const { data } = JSON.parse(stdout) as {
      data: Record<'added' | 'removed', readonly { readonly key: string }[]>;
    };
    expect([data.removed, data.added]).toMatchObject([
      [{ key: 'texts.before' }],
      [{ key: 'texts.after' }],
    ]);
  });

  it.each(['list', 'dev', 'mcp'])(
    'are an error of capix %s where a named file is missing',
    async (command) => {
      // Without the two dashes Node itself looks for the file, and ends with 9, before the tool runs.
      const { stdout, stderr, exitCode } = await execa(
        process.execPath,
        ['--', cliEntry, command, '--env-file', 'a.env', '--env-file', 'none.env'],
        { cwd: folder, env: cleanEnvironment(), extendEnv: false, reject: false },
      );
      expect([stdout, exitCode]).toEqual(['', 1]);
      expect(stderr).toBe(
        `error: The env file ${join(folder, 'none.env')} cannot be read.\nGive the path of a file with lines such as NAME=value.`,
      );
      expect(await runCapix([command, '--env-file', 'none.env'], { cwd: folder })).toMatchObject({
        exitCode: 9,
      });
    },
  );
});
