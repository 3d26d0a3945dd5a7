import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { cleanEnvironment } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'src/guarded.ts': `
      import { authCap, cap } from './context.js';
      export { context } from './context.js';
      const getMe = authCap((_input, { user }) => user);
      const createItem = cap(() => 'made');
      export const capabilities = { users: { getMe }, items: { createItem } };
    `,
    'agent.env': 'API_TOKEN=secret-of-this-machine\n',
  });
});

interface HostConfig {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts a server as a host does, in a folder that has nothing to do with the project. */
async function startAsHost({ command, args }: HostConfig): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(
    new StdioClientTransport({ command, args: [...args], cwd: tmpdir(), env: cleanEnvironment() }),
  );
  onTestFinished(() => client.close());
  return client;
}

describe('capix mcp --print-config', () => {
  it('tells a host how to start the server with the same options, from any folder', async () => {
    const words = [
      '--config',
      'src/guarded.ts',
      '--env-file',
      'agent.env',
      '-H',
      'authorization: Bearer ${API_TOKEN}',
    ];
    const { stdout, exitCode } = await askCapix(
      ['mcp', '--print-config', 'claude', '--read-only', ...words],
      {
        cwd: folder,
      },
    );
    expect([stdout.includes('secret-of-this-machine'), exitCode]).toEqual([false, 0]);
    const { mcpServers } = JSON.parse(stdout) as {
      readonly mcpServers: Readonly<Record<string, HostConfig>>;
    };
    expect(Object.keys(mcpServers)).toEqual(['shop']);
    const client = await startAsHost(mcpServers['shop']!);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['users_getMe']);
    // The guard lets the header of the command line pass, since the context is the project's own.
    expect(
      (await client.callTool({ name: 'users_getMe', arguments: {} })).structuredContent,
    ).toEqual({
      data: { id: 'owner' },
    });
  });

  it.each([
    ['cursor', /^\{\n {2}"mcpServers": \{\n {4}"shop": \{/],
    ['vscode', /^\{\n {2}"servers": \{\n {4}"shop": \{\n {6}"type": "stdio",/],
    [
      'codex',
      /^\[mcp_servers\.shop\]\ncommand = "\/.*"\nargs = \["\/.*cli\.cjs","mcp","--config","\/.*\/src\/capabilities\.ts"\]\n$/,
    ],
  ])('writes what %s reads', async (host, written) => {
    expect((await askCapix(['mcp', '--print-config', host], { cwd: folder })).stdout).toMatch(
      written,
    );
  });
});

it('the .mcp.json of a new project starts its tools from any folder', async () => {
  const { mcpServers } = JSON.parse(await readFile(join(folder, '.mcp.json'), 'utf8')) as {
    readonly mcpServers: Readonly<Record<string, HostConfig>>;
  };
  const client = await startAsHost(mcpServers['shop']!);
  expect(
    (await client.callTool({ name: 'items_listItems', arguments: {} })).structuredContent,
  ).toEqual({ data: [] });
});

describe('capix mcp --list', () => {
  it('tells the tokens of each tool, the largest first, and which have no description', async () => {
    const { stdout } = await askCapix(['mcp', '--list'], { cwd: folder });
    expect(stdout).toMatch(
      /^Tools \(3\), about \d+ tokens\n\n(?: {2}items_\w+ +\d+ {2}items\.\w+\n){3}$/,
    );
    const numbers = [...stdout.matchAll(/items_\w+ +(\d+)/g)].map(([, tokens]) => Number(tokens));
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    const { stdout: json } = await askCapix(
      ['mcp', '--list', '--json', '--config', 'src/guarded.ts', '--only', 'items.*'],
      { cwd: folder },
    );
    expect(JSON.parse(json)).toEqual({
      ok: true,
      data: {
        tools: [
          {
            name: 'items_createItem',
            capability: 'items.createItem',
            tokens: expect.any(Number),
            isDescribed: false,
          },
        ],
        tokens: expect.any(Number),
      },
    });
  });

  it('fails where the tools take more than their budget', async () => {
    const { stdout, exitCode } = await askCapix(['mcp', '--list', '--budget', '20'], {
      cwd: folder,
    });
    expect(stdout).toMatch(
      /^Tools \(3\), about \d+ tokens\nThe budget of 20 tokens is exceeded by \d+\.\n\n/,
    );
    expect(exitCode).toBe(1);
  });
});

describe('the caller of capix mcp and capix call', () => {
  it('has the context that --context gives', async () => {
    const { stdout } = await askCapix(
      ['call', 'users.getMe', '--config', 'src/guarded.ts', '--context', '{"user":{"id":"me"}}'],
      { cwd: folder },
    );
    expect(JSON.parse(stdout)).toEqual({ id: 'me' });
  });

  it.each([
    [
      'a variable that is not set',
      ['-H', 'authorization: Bearer ${NO_SUCH_TOKEN}'],
      'the variable NO_SUCH_TOKEN is not set',
    ],
    ['what is no header', ['-H', 'authorization'], 'option --header: write it as "name: value"'],
    ['what is no context', ['--context', '[]'], "option '--context': write it as a JSON object"],
    ['--json without a list', ['--json'], 'option --json: it is for --list'],
    ['a budget without a list', ['--budget', '9'], 'option --budget: it is for --list'],
  ])('refuses %s', async (_name, words, problem) => {
    const { stdout, stderr, exitCode } = await askCapix(['mcp', ...words], {
      cwd: folder,
      input: '',
    });
    expect([
      (stdout + stderr).includes(problem.replaceAll('"', words.includes('--json') ? '\\"' : '"')),
      exitCode,
    ]).toEqual([true, 2]);
  });
});
