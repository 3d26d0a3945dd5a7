import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  defaultErrors,
  defineGuard,
  silentLogger,
  withCaller,
} from '../../../server-runtime/index.ts';
import { type ApprovalRule, mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { askStateless } from '../../helpers/ask-stateless.ts';
import { connectToUrl } from '../../helpers/connect-to-tools.ts';

const ran: string[] = [];
const run = (name: string) => () => {
  ran.push(name);
  return name;
};
const refuse = defineGuard(() => {
  throw defaultErrors.Unauthorized();
});
const ById = z.object({ id: z.string(), password: z.string().optional() });
const shop = {
  getOrder: capability(ById, run('get'), 'query'),
  createOrder: capability(ById, run('create')),
  deleteOrder: capability(ById, run('delete')),
  clearShop: capability(run('clear')).tool({ title: 'Clear the shop', approve: 'Remove everything?' }),
  logOut: capability(run('logOut')).tool({ approve: false }),
  deleteGuarded: capability(ById, run('guarded')).guard(refuse),
  cancelOrder: capability.use(withCaller)(ById, async (_input, { elicit }) => {
    const why = await elicit('Why?', z.object({ reason: z.string() }));
    return why.action === 'accept' ? why.content.reason : why.action;
  }),
};

async function serve(approve?: ApprovalRule): Promise<string> {
  ran.length = 0;
  const transports = [mcpTransport({ port: 0, approve })];
  const server = createServer({ capabilities: { shop }, transports, logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  return started?.url ?? '';
}

/** A client of the revisions before 2026-07-28 whose user answers so, one after another. */
async function connect(url: string, answers: readonly ElicitResult[]) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return answers[asked.length - 1] ?? { action: 'cancel' };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  const call = async (name: string, input = {}) => {
    const result = await client.callTool({ name: `shop_${name}`, arguments: input });
    return (result.content as { text: string }[])[0]?.text ?? '';
  };
  return { client, asked, call };
}

const yes: ElicitResult = { action: 'accept', content: {} };
const one = { id: '7', password: 'secret' };

describe('the approval of the user', () => {
  it('is asked for what may destroy something, once its input is valid, and never for the rest', async () => {
    const { asked, call } = await connect(await serve('destructive'), [yes, yes]);
    expect(await call('getOrder', one)).toBe('"get"');
    expect(await call('createOrder', one)).toBe('"create"');
    expect(await call('logOut')).toBe('"logOut"');
    expect(await call('deleteOrder', { id: 7 })).toContain('- id: Invalid input: expected string, received number');
    expect(await call('deleteGuarded', one)).toMatch(/^Unauthorized/);
    expect(asked).toEqual([]);
    expect(await call('deleteOrder', one)).toBe('"delete"');
    expect(await call('clearShop')).toBe('"clear"');
    expect(asked).toEqual([
      'The agent wants to call shop.deleteOrder. Approve it?\n{"id":"7","password":"***"}',
      'Remove everything?',
    ]);
  });

  it('may be asked for everything that changes something', async () => {
    const { asked, call } = await connect(await serve('changes'), [yes]);
    expect(await call('createOrder', one)).toBe('"create"');
    expect(asked).toHaveLength(1);
  });

  it('may be asked for one capability alone', async () => {
    const { asked, call } = await connect(await serve(), [yes]);
    expect([await call('deleteOrder', one), await call('clearShop')]).toEqual(['"delete"', '"clear"']);
    expect(asked).toEqual(['Remove everything?']);
  });

  it('ends the call where it is not given, before anything runs', async () => {
    const { call } = await connect(await serve('destructive'), [{ action: 'decline' }, { action: 'cancel' }]);
    const refusal =
      'NotApproved (403): The user did not approve this call. Do not call it again unless the user says so.';
    expect([await call('deleteOrder', one), await call('deleteOrder', one)]).toEqual([refusal, refusal]);
    expect(ran).toEqual([]);
  });

  it('comes before the questions of the capability itself', async () => {
    const { asked, call } = await connect(await serve('destructive'), [
      yes,
      { action: 'accept', content: { reason: 'late' } },
    ]);
    expect(await call('cancelOrder', { id: '7' })).toBe('"late"');
    expect(asked).toEqual(['The agent wants to call shop.cancelOrder. Approve it?\n{"id":"7"}', 'Why?']);
  });

  it('is told in the description of a tool', async () => {
    const { client } = await connect(await serve('destructive'), []);
    const { tools } = await client.listTools();
    const telling = tools.filter(({ description = '' }) => description.includes('asked for approval first'));
    expect(telling.map(({ name }) => name)).toEqual([
      'shop_deleteOrder',
      'shop_clearShop',
      'shop_deleteGuarded',
      'shop_cancelOrder',
    ]);
  });
});

describe('the approval in the revision 2026-07-28', () => {
  const params = { name: 'shop_deleteOrder', arguments: { id: '7' } };
  const ask = { method: 'tools/call', params, capabilities: { elicitation: {} } };

  it('comes with the call that is made again', async () => {
    const url = await serve('destructive');
    const first = await askStateless(url, ask);
    expect(first.result).toMatchObject({ resultType: 'input_required', inputRequests: { approval: {} } });
    const requestState = first.result?.['requestState'];
    const answer = (action: string) =>
      askStateless(url, { ...ask, params: { ...params, requestState, inputResponses: { approval: { action } } } });
    expect((await answer('decline')).result).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
    expect((await answer('accept')).result).toMatchObject({ structuredContent: { data: 'delete' } });
  });
});

describe('an agent that cannot ask its user', () => {
  const told = 'Tell the user so, who can make this call with a client that supports elicitation.';

  it('is told what to do, and nothing runs', async () => {
    const client = await connectToUrl(await serve('destructive'));
    const result = await client.callTool({ name: 'shop_deleteOrder', arguments: { id: '7' } });
    expect(result.isError).toBe(true);
    const [{ text } = { text: '' }] = result.content as { text: string }[];
    expect(text).toMatch(/^InputRequired \(428\): The user must be asked, and this client cannot: /);
    expect(text).toContain(told);
    expect(ran).toEqual([]);
  });

  it('is told so by the protocol in the revision 2026-07-28', async () => {
    const params = { name: 'shop_deleteOrder', arguments: { id: '7' } };
    const { error } = await askStateless(await serve('destructive'), { method: 'tools/call', params });
    expect(error).toMatchObject({
      code: -32_021,
      message: expect.stringContaining(told),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
  });
});
