import { expect, it } from 'vitest';
import { connectToUrl } from '../helpers/connect-to-tools.ts';
import { devProject } from '../helpers/dev-project.ts';
import { openDev } from '../helpers/open-dev.ts';

it('capix dev shows the calls of agents', async () => {
  const folder = await devProject({
    'src/server.ts': `
      import { capability, createServer, restTransport } from 'capix';
      import { mcpTransport } from 'capix/mcp';
      const listTexts = capability(async (_input, { signal }) => {
        await server.invoke({ capability: 'texts.getNone', signal }).catch(() => {});
        return ['one'];
      });
      const server = createServer({
        capabilities: { texts: { listTexts } },
        transports: [restTransport(), mcpTransport({ port: 0 })],
      });
      await server.start();
    `,
  });
  const dev = openDev(folder, ['--port', '0']);
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(await dev.waitForLine(/\/mcp/)) ?? [];
  const client = await connectToUrl(url);
  await client.callTool({ name: 'texts_listTexts', arguments: {} });
  expect(await dev.waitForLine(/INVOKE/)).toMatch(/^\[capix\] INVOKE texts\.getNone 404 in [\d.]+ ms/);
  expect(await dev.waitForLine(/MCP/)).toMatch(/^\[capix\] MCP texts\.listTexts 200 in [\d.]+ ms/);
});
