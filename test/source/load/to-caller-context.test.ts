import { expect, it } from 'vitest';
import { capability, createServer, defineContext } from '../../../server-runtime/index.ts';
import { toCallerContext } from '../../../source/load/to-caller-context.ts';

it('a context of the project reads all of the request, with the headers of the command line', async () => {
  const context = defineContext(({ signal, log, headers, ...others }) => ({
    told: [signal.aborted, typeof log.info, headers['x-user'], headers['x-team'], others.transport],
  }));
  const caller = toCallerContext({ context }, { headers: { 'x-user': 'ada', 'x-team': 'red' } });
  const getTold = capability.withContext<{ told: unknown }>()((_input, { told }) => told, 'query');
  const server = createServer({
    context: caller as typeof context,
    capabilities: { a: { getTold } },
  });
  const headers = { 'x-user': 'bob' };
  expect(await server.invoke({ capability: 'a.getTold', headers })).toEqual([
    false,
    'function',
    'bob',
    'red',
    'invoke',
  ]);
});
