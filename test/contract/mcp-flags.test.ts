import { beforeAll, describe, expect, it } from 'vitest';
import { capability, defineContext } from '../../server-runtime/index.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { connectToCommand, connectToTools, connectToUrl } from '../helpers/connect-to-tools.ts';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';
import { cliEntry } from '../helpers/run-capix.ts';

let project: ContractProject;
beforeAll(async () => {
  project = await makeContractProject();
  await project.write({
    'other.ts':
      "import { capability } from 'capix';\nexport const health = capability(() => 'ok');\n",
  });
});

describe('mcp flags', () => {
  it('--config <path> is the capabilities file', async () => {
    const { tools } = await (
      await connectToCommand(project.folder, '--config', 'other.ts')
    ).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['health']);
  });

  it('--port <port> serves Streamable HTTP at :<port>/mcp in place of stdio', async () => {
    const server = startInBackground([process.execPath, cliEntry, 'mcp', '--port', '0'], {
      cwd: project.folder,
    });
    const [url] = await server.waitFor(/http:\/\/127\.0\.0\.1:\d+\/mcp\b/);
    const { tools } = await (await connectToUrl(url)).listTools();
    expect(tools.map(({ name }) => name)).toContain('items_getItem');
    await server.stop();
  });

  it('--name <name> and --api-version <version> are those of the server, capix and 0.1.0 by default', async () => {
    expect((await connectToCommand(project.folder)).getServerVersion()).toMatchObject({
      name: 'capix',
      version: '0.1.0',
    });
    const flagged = await connectToCommand(
      project.folder,
      '--name',
      'shop',
      '--api-version',
      '2.0.0',
    );
    expect(flagged.getServerVersion()).toMatchObject({ name: 'shop', version: '2.0.0' });
  });

  it('an application that needs its own context mounts mcpTransport in its server', async () => {
    const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
    const getMe = capability.withContext<{ readonly user: unknown }>()((_input, { user }) => ({
      user,
    }));
    const client = await connectToTools(
      { context, capabilities: { users: { getMe } } },
      { 'x-user': 'ann' },
    );
    expect(JSON.stringify(await client.callTool({ name: 'users_getMe', arguments: {} }))).toContain(
      'ann',
    );
  });
});
