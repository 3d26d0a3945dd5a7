import { expect, it } from 'vitest';
import { postStateless } from '../helpers/ask-stateless.ts';
import { connectToUrl } from '../helpers/connect-to-tools.ts';
import { devProject } from '../helpers/dev-project.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { openDev } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

/** A server of these capabilities, for agents too. */
const server = (port: number, texts: string): string => `
  import { capability, createServer, restTransport } from 'capix';
  import { mcpTransport } from 'capix/mcp';
  const listTexts = capability(async (_input, { signal }) => {
    await server.invoke({ capability: 'texts.getNone', signal }).catch(() => {});
    return ['one'];
  });
  const server = createServer({
    capabilities: { texts: { ${texts} } },
    transports: [restTransport(), mcpTransport({ port: ${port} })],
  });
  await server.start();
`;

it('capix dev shows the calls of agents, which find other tools after a save', async () => {
  const port = await findFreePort();
  const folder = await devProject({ 'src/server.ts': server(port, 'listTexts') });
  const dev = openDev(folder, ['--port', '0']);
  const url = `http://127.0.0.1:${port}/mcp`;
  await dev.waitForLine(/\/mcp/);
  const client = await connectToUrl(url);
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  const params = { notifications: { toolsListChanged: true } };
  const listening = await postStateless(url, { method: 'subscriptions/listen', params });
  const news = listening.text();

  await client.callTool({ name: 'texts_listTexts', arguments: {} });
  expect(await dev.waitForLine(/INVOKE/)).toMatch(
    /^\[capix\] INVOKE texts\.getNone 404 in [\d.]+ m?s/,
  );
  expect(await dev.waitForLine(/ {2}texts\.listTexts/)).toMatch(
    /^\[capix\] POST \/mcp 200 in [\d.]+ m?s {2}texts\.listTexts/,
  );

  await writeTree(folder, { 'src/server.ts': server(port, 'listTexts, more: listTexts') });
  await expect.poll(names).toEqual(['texts_listTexts', 'texts_more']);
  // The stream has ended with the code: the client subscribes again, to that of then.
  expect(await news).toContain('subscriptions/acknowledged');
});
