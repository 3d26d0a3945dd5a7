import { describe, expect, it, onTestFinished } from 'vitest';
import {
  capability,
  createServer,
  defaultErrors,
  silentLogger as logger,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { type McpOptions, mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { json } from '../../helpers/start-rest.ts';

const jobs = { getJob: capability(() => 'a job') };
const accept = 'application/json, text/event-stream';
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'jobs_getJob' } };

/** MCP and the API behind one function of `fetch`. */
async function serve(options: McpOptions = {}) {
  const transports = [mcpTransport({ port: false, ...options })];
  const server = createServer({ capabilities: { jobs }, transports, logger });
  const answer = toFetchHandler(server);
  await server.start();
  onTestFinished(() => server.stop());
  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    answer(new Request(`http://localhost${path}`, { ...init, headers: { accept, ...headers } }), {
      remoteAddress: '10.0.0.7',
    });
  const post = (headers: Record<string, string> = {}) => {
    const { headers: type, ...init } = json(call);
    return ask('/mcp', { ...(type as Record<string, string>), ...headers }, init);
  };
  return { server, ask, post };
}

describe('MCP through toFetchHandler', () => {
  it('answers its messages, beside the API', async () => {
    const { ask, post } = await serve();
    expect(await (await post()).text()).toContain('a job');
    expect(await (await ask('/jobs')).json()).toEqual({ data: 'a job' });
    expect((await ask('/mcp', {}, { method: 'PUT' })).headers.get('allow')).toBe(
      'GET, POST, DELETE',
    );
  });

  it('lets in whom authorize lets in, who is told of the address', async () => {
    const seen: unknown[] = [];
    const { post } = await serve({
      authorize: ({ token, remoteAddress }) => {
        seen.push([token, remoteAddress]);
        if (token === 'other') throw defaultErrors.Forbidden('not you');
        return token && { name: token };
      },
    });
    const refused = await post();
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const forbidden = await post({ authorization: 'Bearer other' });
    expect([forbidden.status, await forbidden.json()]).toMatchObject([
      403,
      { error: { message: 'not you' } },
    ]);
    expect((await post({ authorization: 'Bearer ann' })).status).toBe(200);
    expect(seen).toEqual([
      [undefined, '10.0.0.7'],
      ['other', '10.0.0.7'],
      ['ann', '10.0.0.7'],
    ]);
  });

  it('is read by pages of allowed origins alone, and by no page under another name', async () => {
    const origin = 'https://app.example';
    const { ask, post } = await serve({ allowedOrigins: [origin] });
    const read = await post({ origin });
    expect(read.headers.get('access-control-allow-origin')).toBe(origin);
    const preflight = await ask(
      '/mcp',
      { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-a' },
      { method: 'OPTIONS' },
    );
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'x-a',
    ]);
    const foreign = await post({ origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([
      403,
      null,
    ]);
    expect((await post({ host: 'evil.example' })).status).toBe(403);
  });

  it('is 503 once the server is stopped', async () => {
    const { server, post } = await serve();
    await server.stop();
    expect((await post()).status).toBe(503);
  });
});
