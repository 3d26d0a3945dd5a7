import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { cleanEnvironment, cliEntry, runCapix } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'src/noisy.ts': `
      import { capability } from 'capix';
      console.log('printed while loading');
      const noisy = capability(() => {
        console.log('printed by the handler');
        process.stdout.write('written by the handler\\n');
        return 'quiet';
      });
      export const capabilities = { a: { noisy } };
    `,
    'src/faulty.ts': `
      import { capability } from 'capix';
      const reject = capability(() => void Promise.reject(new Error('rejected on the side')), 'mutation');
      const throwLater = capability(
        () => new Promise((resolve) => process.once('uncaughtException', () => resolve('thrown')) && setTimeout(() => { throw 'a text'; })),
        'mutation',
      );
      export const capabilities = { a: { reject, throwLater, health: capability(() => 'ok') } };
    `,
  });
});

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  clients.push(client);
  return client;
}

function overStdio(args: readonly string[] = []): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [cliEntry, 'mcp', ...args],
    cwd: folder,
    env: cleanEnvironment(),
    stderr: 'pipe',
  });
}

describe('capix mcp', () => {
  it('serves the capabilities as tools over stdio', async () => {
    const client = await connect(overStdio());
    expect(client.getServerVersion()).toEqual({ name: 'capix', version: '0.1.0' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'items_getItem',
      'items_listItems',
      'items_createItem',
    ]);
    const made = await client.callTool({ name: 'items_createItem', arguments: { name: 'Pen' } });
    expect(made.structuredContent).toEqual({ data: { id: '1', name: 'Pen' } });
    const missing = await client.callTool({ name: 'items_getItem', arguments: { id: '9' } });
    expect(missing).toMatchObject({
      isError: true,
      content: [{ text: 'NotFound (404): There is no item 9' }],
    });
  });

  it('takes a name and a version', async () => {
    const client = await connect(overStdio(['--name', 'shop', '--api-version', '2.1.0']));
    expect(client.getServerVersion()).toEqual({ name: 'shop', version: '2.1.0' });
  });

  it('keeps stdout for the protocol: what the code prints goes to stderr', async () => {
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a_noisy', arguments: {} } },
    ];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const { stdout, stderr, exitCode } = await runCapix(['mcp', '--config', 'src/noisy.ts'], {
      cwd: folder,
      input,
    });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly id: number });
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1]).toMatchObject({ result: { structuredContent: { data: 'quiet' } } });
    for (const text of [
      'printed while loading',
      'printed by the handler',
      'written by the handler',
    ])
      expect(stderr).toContain(text);
    expect(exitCode).toBe(0);
  });

  it('ends with stdin', async () => {
    expect(await runCapix(['mcp'], { cwd: folder, input: '' })).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
  });

  it('answers what is no JSON-RPC by an error, and goes on', async () => {
    const input = `nonsense\n${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`;
    const { stdout, exitCode } = await runCapix(['mcp'], { cwd: folder, input });
    const answers: unknown[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { error: { code: -32_700 } },
      { jsonrpc: '2.0', id: 7, result: {} },
    ]);
    expect(exitCode).toBe(0);
  });

  it('serves over HTTP at /mcp with --port, on this machine alone, until Ctrl-C', async () => {
    const server = startInBackground([process.execPath, cliEntry, 'mcp', '--port', '0'], {
      cwd: folder,
    });
    const [, url = ''] = await server.waitFor(
      /Server started on (http:\/\/127\.0\.0\.1:\d+\/mcp)\n/,
    );
    const client = await connect(
      new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0],
    );
    expect(
      (await client.callTool({ name: 'items_listItems', arguments: {} })).structuredContent,
    ).toEqual({ data: [] });
    expect(
      (await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } })).status,
    ).toBe(403);
    await clients.pop()?.close();
    expect(await server.stop('SIGINT')).toEqual({ exitCode: 130 });
  });

  it.each([
    [
      'stdio',
      async () => {
        const transport = overStdio(['--config', 'src/faulty.ts']);
        let stderr = '';
        transport.stderr?.on('data', (chunk) => (stderr += chunk));
        return {
          client: await connect(transport),
          toldOf: async (text: string) => {
            while (!stderr.includes(text)) await once(transport.stderr!, 'data');
          },
        };
      },
    ],
    [
      'HTTP',
      async () => {
        const server = startInBackground(
          [process.execPath, cliEntry, 'mcp', '--port', '0', '--config', 'src/faulty.ts'],
          { cwd: folder },
        );
        const [url] = await server.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
        const client = await connect(
          new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0],
        );
        return {
          client,
          toldOf: async (text: string) => void (await server.waitFor(new RegExp(text))),
        };
      },
    ],
  ])(
    'goes on over %s when the code throws where nothing catches it, and says so on stderr',
    async (_name, start) => {
      const { client, toldOf } = await start();
      expect(
        (await client.callTool({ name: 'a_reject', arguments: {} })).structuredContent,
      ).toEqual({ data: null });
      await toldOf('rejected on the side');
      expect(
        (await client.callTool({ name: 'a_throwLater', arguments: {} })).structuredContent,
      ).toEqual({
        data: 'thrown',
      });
      await toldOf('a text');
      expect(
        (await client.callTool({ name: 'a_health', arguments: {} })).structuredContent,
      ).toEqual({ data: 'ok' });
    },
  );

  it('says that a port is taken', async () => {
    const server = startInBackground([process.execPath, cliEntry, 'mcp', '--port', '0'], {
      cwd: folder,
    });
    const [, port = ''] = await server.waitFor(/127\.0\.0\.1:(\d+)\/mcp\n/);
    const { stderr, exitCode } = await runCapix(['mcp', '--port', port], { cwd: folder });
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining(`error: Port ${port} is taken.`),
      exitCode: 1,
    });
    await server.stop();
  });

  it.each(['-1', '70000', 'x', '1.5'])('refuses the port %s as wrong usage', async (port) => {
    expect((await runCapix(['mcp', `--port=${port}`], { cwd: folder })).exitCode).toBe(2);
  });
});
