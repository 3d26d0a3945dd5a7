import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { capability, withCaller } from '../../../server-runtime/index.ts';
import { askStateless, postStateless } from '../../helpers/ask-stateless.ts';
import { serveTools } from '../../helpers/connect-to-tools.ts';

const asking = capability.use(withCaller);
const a = {
  double: capability(z.object({ n: z.int() }), ({ n }) => 2 * n),
  count: asking(async (_input, { progress }) => {
    progress(1, 2);
    return 'counted';
  }),
  cancel: asking(
    async (_input, { elicit }) => (await elicit('Sure?', z.object({ sure: z.boolean() }))).action,
  ),
};
const call = (name: string) => ({
  method: 'tools/call',
  params: { name: `a_${name}`, arguments: name === 'double' ? { n: 21 } : {} },
});

async function post(url: string, accept: string | undefined, message: object, more = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(accept === undefined ? { accept: '' } : { accept }),
    ...more,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, ...message });
  const response = await fetch(url, { method: 'POST', headers, body });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  const data = type.startsWith('text/event-stream') ? /^data: (.+)$/m.exec(text)?.[1] : text;
  return { response, type, json: JSON.parse(data || '{}') as Record<string, never> };
}

describe('what a client of MCP accepts', () => {
  it.each([
    ['text/event-stream', 'text/event-stream'],
    ['application/json', 'application/json'],
    ['application/json;q=0.5', 'application/json'],
    ['*/*', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
    [undefined, 'text/event-stream'],
  ])('is sent in the revisions before 2026-07-28: %s', async (accept, type) => {
    const answer = await post(await serveTools({ capabilities: { a } }), accept, call('double'));
    expect(answer.response.status).toBe(200);
    expect(answer.type).toBe(type);
    expect(answer.json).toMatchObject({ id: 7, result: { structuredContent: { data: 42 } } });
  });

  it.each([
    ['text/event-stream', 'double', 'text/event-stream'],
    ['application/json', 'double', 'application/json'],
    ['*/*', 'double', 'application/json'],
    ['application/json', 'count', 'application/json'],
  ])('is sent in 2026-07-28: %s for %s', async (accept, name, type) => {
    const url = await serveTools({ capabilities: { a } });
    const { method, params } = call(name);
    const ask = { method, params: { ...params, _meta: { progressToken: 1 } }, headers: { accept } };
    const response = await postStateless(url, ask);
    expect(response.headers.get('content-type')).toBe(type);
    expect((await askStateless(url, ask)).result).toMatchObject({
      structuredContent: { data: name === 'double' ? 42 : 'counted' },
    });
  });

  it('that is neither JSON nor events is 406', async () => {
    const answer = await post(
      await serveTools({ capabilities: { a } }),
      'text/html',
      call('count'),
    );
    expect(answer.response.status).toBe(406);
  });

  it('without events has no way to a question: the call is refused', async () => {
    const url = await serveTools({ capabilities: { a } });
    const opened = await post(url, 'application/json', {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'test', version: '1' },
        capabilities: { elicitation: {} },
      },
    });
    const session = { 'mcp-session-id': opened.response.headers.get('mcp-session-id') ?? '' };
    const answer = await post(url, 'application/json', call('cancel'), session);
    expect(answer.json).toMatchObject({
      id: 7,
      error: { message: expect.stringContaining('has to accept text/event-stream') },
    });
  });

  it('may be anything for the stream of a session, and at the address with a slash behind it', async () => {
    const url = await serveTools({ capabilities: { a } });
    const opened = await post(`${url}/`, '*/*', {
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'test', version: '1' },
        capabilities: {},
      },
    });
    const headers = {
      accept: '*/*',
      'mcp-session-id': opened.response.headers.get('mcp-session-id') ?? '',
    };
    const stream = await fetch(`${url}//?key=1`, { headers });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
    const json = { ...headers, accept: 'application/json' };
    expect((await fetch(url, { headers: json })).status).toBe(406);
  });
});

describe('a client whose session the server has lost', () => {
  it('is told that of a question, and nothing untrue of itself', async () => {
    const url = await serveTools({ capabilities: { a } });
    const lost = { 'mcp-session-id': 'of-an-earlier-run' };
    const { json } = await post(url, '*/*', call('cancel'), lost);
    expect(JSON.stringify(json)).toContain('does not know the session of this client any more');
    const without = await post(url, '*/*', call('cancel'));
    expect(JSON.stringify(without.json)).toContain('this client cannot');
    expect((await post(url, '*/*', call('double'), lost)).json).toMatchObject({
      result: { structuredContent: { data: 42 } },
    });
  });
});
