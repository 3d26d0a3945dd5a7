import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ElicitRequestSchema,
  type ElicitResult,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defineContext,
  type GroupTree,
  silentLogger,
  withCaller,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { askStateless } from '../../helpers/ask-stateless.ts';
import { connectToTools, connectToUrl, serveTools } from '../../helpers/connect-to-tools.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const asking = capability.use(withCaller);
let runs = 0;
const a = {
  cancelOrder: asking(z.object({ id: z.string() }), async ({ id }, { elicit }) => {
    runs += 1;
    const why = await elicit(`Cancel order ${id}?`, z.object({ reason: z.string().min(2) }));
    if (why.action !== 'accept') return `${id}: ${why.action}`;
    const sure = await elicit('Are you sure?', z.object({ sure: z.boolean().default(true) }));
    return sure.action === 'accept' && sure.content.sure
      ? `${id}: ${why.content.reason}`
      : `${id}: kept`;
  }).route('POST', '/orders/cancel'),
  count: asking(async (_input, { progress, log }) => {
    progress(1, 3, 'one');
    log('debug', 'looking');
    log('warning', { skipped: 2 });
    progress(1, 3, 'no further');
    progress(3, 3);
    return 'counted';
  }, 'query'),
};

async function serve(capabilities: GroupTree): Promise<string> {
  const transports = [mcpTransport({ port: 0 })];
  const server = createServer({ capabilities, transports, logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return started?.url ?? '';
}

/** A client of the revisions before 2026-07-28 whose user gives these answers, one after another. */
async function connect(door: string, answers: readonly ElicitResult[]) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return answers[asked.length - 1] ?? { action: 'cancel' };
  });
  await client.connect((await toTransport(door)) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return { client, asked };
}

async function toTransport(door: string) {
  if (door === 'HTTP') return new StreamableHTTPClientTransport(new URL(await serve({ a })));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transports = [mcpTransport({ stdio: { input, output } })];
  await createServer({ capabilities: { a }, transports, logger: silentLogger }).start();
  return new StdioServerTransport(output, input);
}

const accept = (content: Record<string, string | boolean>): ElicitResult => ({
  action: 'accept',
  content,
});
const cancelOrder = { name: 'a_cancelOrder', arguments: { id: '7' } };
const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe.each(['HTTP', 'stdio'])('a question to the user over %s', (door) => {
  it('is answered by the user, one after another, and the handler runs again with the answers', async () => {
    runs = 0;
    const { client, asked } = await connect(door, [
      accept({ reason: 'late' }),
      accept({ sure: true }),
    ]);
    expect((await client.callTool(cancelOrder)).structuredContent).toEqual({ data: '7: late' });
    expect([asked, runs]).toEqual([['Cancel order 7?', 'Are you sure?'], 3]);
  });

  it('is asked again where the answer does not fit, and may be declined', async () => {
    const { client, asked } = await connect(door, [accept({ reason: 'x' }), { action: 'decline' }]);
    expect((await client.callTool(cancelOrder)).structuredContent).toEqual({ data: '7: decline' });
    expect(asked).toEqual(['Cancel order 7?', 'Cancel order 7?']);
  });
});

describe('a question of the revision 2026-07-28', () => {
  const call = { method: 'tools/call', params: cancelOrder, capabilities: { elicitation: {} } };

  it('comes as a result, and the call is made again with the answer and what the server gave to keep', async () => {
    const url = await serve({ a });
    const first = await askStateless(url, call);
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        'question-1': {
          method: 'elicitation/create',
          params: {
            message: 'Cancel order 7?',
            requestedSchema: { properties: { reason: { type: 'string' } } },
          },
        },
      },
    });
    const inputResponses = { 'question-1': accept({ reason: 'late' }), more: 1 };
    const params = { ...cancelOrder, inputResponses, requestState: first.result?.['requestState'] };
    const second = await askStateless(url, { ...call, params });
    expect(Object.keys(second.result?.['inputRequests'] as object)).toEqual(['question-2']);
    const last = {
      inputResponses: { 'question-2': accept({}) },
      requestState: second.result?.['requestState'],
    };
    const third = await askStateless(url, { ...call, params: { ...cancelOrder, ...last } });
    expect(third.result?.['structuredContent']).toEqual({ data: '7: late' });
  });

  it('may have a name, under which its answer is found in whatever order it is asked', async () => {
    const order = ['color', 'size'];
    const choose = asking(async (_input, { elicit }) => {
      const chosen = new Map<string, unknown>();
      for (const name of order) {
        const answer = await elicit(`Which ${name}?`, z.object({ value: z.string() }), { name });
        if (answer.action === 'accept') chosen.set(name, answer.content.value);
      }
      return Object.fromEntries(chosen);
    });
    const url = await serve({ a: { choose } });
    const params = { name: 'a_choose', arguments: {} };
    const first = await askStateless(url, { ...call, params });
    expect(Object.keys(first.result?.['inputRequests'] as object)).toEqual(['color']);
    order.reverse();
    const inputResponses = { color: accept({ value: 'red' }), size: accept({ value: 'XL' }) };
    const requestState = first.result?.['requestState'];
    const answered = { ...params, inputResponses, requestState };
    const last = await askStateless(url, { ...call, params: answered });
    expect(last.result?.['structuredContent']).toEqual({ data: { color: 'red', size: 'XL' } });
  });

  it('takes nothing back that it did not give', async () => {
    const params = { ...cancelOrder, requestState: 'v1.e30.AAAA' };
    expect(await askStateless(await serve({ a }), { ...call, params })).toMatchObject({
      error: { code: -32_602 },
    });
  });
});

describe('the client of a call', () => {
  it('is told to the context builder by the name that it gives itself, in both eras', async () => {
    const context = defineContext(({ client }) => ({ client }));
    const tell = capability.withContext<{ client: unknown }>()(
      (_input, { client }) => client,
      'query',
    );
    const url = await serveTools({ context, capabilities: { a: { tell } } });
    const told = { data: { name: 'test', version: '1' } };
    const call = { name: 'a_tell', arguments: {} };
    expect(
      (await askStateless(url, { method: 'tools/call', params: call })).result?.[
        'structuredContent'
      ],
    ).toEqual(told);
    expect((await (await connectToUrl(url)).callTool(call)).structuredContent).toEqual(told);
  });
});

describe('where nobody can be asked', () => {
  it('an agent is told so', async () => {
    const client = await connectToTools({ capabilities: { a } });
    const result = await client.callTool(cancelOrder);
    expect(textOf(result)).toContain(
      'InputRequired (428): The user must be asked, and this client cannot: Cancel order 7?',
    );
  });

  it('HTTP answers with the declared refusal', async () => {
    const { url } = await startOverSocket({ capabilities: { a } });
    const response = await fetch(`${url}/orders/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":"7"}',
    });
    expect([response.status, await response.json()]).toEqual([
      428,
      {
        error: 'InputRequired',
        message: 'The user must be asked, which is not possible here: Cancel order 7?',
      },
    ]);
  });
});

describe('progress and notes', () => {
  it('reach a client in a session, above the level that it asks for', async () => {
    const { client } = await connect('HTTP', []);
    const [notes, steps]: [unknown[], unknown[]] = [[], []];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void notes.push(params),
    );
    await client.setLoggingLevel('info');
    const onprogress = (step: unknown): void => void steps.push(step);
    const result = await client.callTool({ name: 'a_count', arguments: {} }, undefined, {
      onprogress,
    });
    expect(result.structuredContent).toEqual({ data: 'counted' });
    expect(steps).toEqual([
      { progress: 1, total: 3, message: 'one' },
      { progress: 3, total: 3 },
    ]);
    expect(notes).toEqual([{ level: 'warning', logger: 'a.count', data: { skipped: 2 } }]);
  });

  it('are whole texts, and so are questions: half of a surrogate pair is U+FFFD', async () => {
    const half = '\ud83d';
    const tell = asking(async (_input, ctx) => {
      ctx.progress(1, 2, half);
      ctx.log('info', { [half]: [half, '😀', '\\ud83d'] });
      ctx.log('info', half);
      await ctx.elicit(`${half}?`, z.object({ sure: z.boolean() }), { name: 'sure' });
    });
    const params = {
      name: 'b_tell',
      arguments: {},
      _meta: { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' },
    };
    const ask = { method: 'tools/call', params, capabilities: { elicitation: {} } };
    const { notes, result } = await askStateless(await serve({ b: { tell } }), ask);
    expect(notes.map(({ params: said }) => said?.['message'] ?? said?.['data'])).toEqual([
      '\ufffd',
      { '\ufffd': ['\ufffd', '😀', '\\ud83d'] },
      '\ufffd',
    ]);
    expect(result?.['inputRequests']).toMatchObject({ sure: { params: { message: '\ufffd?' } } });
  });

  it('come before the answer of the revision 2026-07-28', async () => {
    const params = {
      name: 'a_count',
      arguments: {},
      _meta: { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' },
    };
    const { notes, result } = await askStateless(await serve({ a }), {
      method: 'tools/call',
      params,
    });
    expect(result?.['structuredContent']).toEqual({ data: 'counted' });
    expect(notes.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/message',
      'notifications/message',
      'notifications/progress',
    ]);
  });

  it('go nowhere over other transports', async () => {
    const server = createServer({ capabilities: { a }, logger: silentLogger });
    expect(await server.invoke({ capability: 'a.count' })).toBe('counted');
  });
});
