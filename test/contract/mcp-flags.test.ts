import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { capability, createServer, defineContext, silentLogger } from '../../server-runtime/index.ts';
import { mcpTransport } from '../../server-runtime/mcp/index.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';
import { cleanEnvironment, cliEntry } from '../helpers/run-capix.ts';

let project: ContractProject;
beforeAll(async () => {
  project = await makeContractProject();
  await project.write({
    'other.ts': "import { capability } from 'capix';\nexport const health = capability(() => 'ok');\n",
  });
});

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return client;
}

function connectStdio(...args: readonly string[]): Promise<Client> {
  const env = cleanEnvironment();
  return connect(
    new StdioClientTransport({ command: process.execPath, args: [cliEntry, 'mcp', ...args], cwd: project.folder, env }),
  );
}

describe('mcp flags', () => {
  it('--config <path> is the capabilities file', async () => {
    const { tools } = await (await connectStdio('--config', 'other.ts')).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['health']);
  });

  it('--port <port> serves Streamable HTTP at :<port>/mcp in place of stdio', async () => {
    const server = startInBackground([process.execPath, cliEntry, 'mcp', '--port', '0'], { cwd: project.folder });
    const [url] = await server.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp\b/);
    const { tools } = await (await connect(new StreamableHTTPClientTransport(new URL(url)))).listTools();
    expect(tools.map(({ name }) => name)).toContain('items_getItem');
    await server.stop();
  });

  it('--name <name> and --api-version <version> are those of the server, capix and 0.1.0 by default', async () => {
    expect((await connectStdio()).getServerVersion()).toMatchObject({ name: 'capix', version: '0.1.0' });
    const flagged = await connectStdio('--name', 'shop', '--api-version', '2.0.0');
    expect(flagged.getServerVersion()).toMatchObject({ name: 'shop', version: '2.0.0' });
  });

  it('an application that needs its own context mounts mcpTransport in its server', async () => {
    const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
    const getMe = capability.withContext<{ readonly user: unknown }>()((_input, { user }) => ({ user }));
    const transports = [mcpTransport({ port: 0 })];
    const server = createServer({ context, capabilities: { users: { getMe } }, transports, logger: silentLogger });
    const [started] = await server.start();
    onTestFinished(() => server.stop());
    const client = await connect(
      new StreamableHTTPClientTransport(new URL(started?.url ?? ''), { requestInit: { headers: { 'x-user': 'ann' } } }),
    );
    expect(JSON.stringify(await client.callTool({ name: 'users_getMe', arguments: {} }))).toContain('ann');
  });
});
