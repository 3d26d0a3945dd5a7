import { expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { connectToCommand } from '../helpers/connect-to-tools.ts';
import { cliEntry } from '../helpers/run-capix.ts';
import { scaffold } from '../helpers/scaffold.ts';

it('capix mcp --project lets an agent list, show, check, generate and call what it works on, and read what capix dev does', async () => {
  const folder = await scaffold();
  const dev = startInBackground([process.execPath, cliEntry, 'dev', '--json', '--port', '0'], { cwd: folder });
  const client = await connectToCommand(folder, '--project');
  const call = async (name: string, input: object = {}): Promise<unknown> => {
    const result = await client.callTool({ name, arguments: input as Record<string, unknown> });
    const [block] = result.content as { readonly text: string }[];
    return result.isError === true ? block?.text : (result.structuredContent as { readonly data: unknown }).data;
  };
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
    'list show check diff generate call dev logs requests'.split(' '),
  );
  const [, url = ''] = await dev.waitFor(/"urls":\["(http:[^"]+)"/);
  await expect.poll(() => call('dev')).toMatchObject({ phase: 'ready', urls: [url] });

  expect(await call('list')).toMatchObject({ capabilities: [{ key: 'items.getItem' }, {}, {}] });
  expect(await call('generate', { group: 'users', name: 'getUser', withId: true })).toMatchObject({
    key: 'users.getUser',
  });
  expect(await call('show', { capability: 'users.getUser' })).toMatchObject({ path: '/users/:id' });
  expect(await call('show', { capability: 'users.getUsr' })).toBe(
    'UnknownCapability (400): No capability `users.getUsr`. Did you mean `users.getUser`?',
  );
  expect(await call('check')).toMatchObject({ capabilityCount: 4 });
  expect(await call('call', { capability: 'items.getItem', input: { id: '9' } })).toBe(
    'NotFound (404): There is no item 9',
  );
  expect(await call('call', { capability: 'items.createItem', input: { name: 'Pen' }, onServer: true })).toMatchObject({
    name: 'Pen',
  });

  await expect
    .poll(() => call('requests'))
    .toMatchObject([{ method: 'POST', capability: 'items.createItem', status: 200 }]);
  await expect.poll(() => call('logs')).toContainEqual(expect.objectContaining({ event: 'ready' }));
  await dev.stop();
  expect(await call('logs')).toEqual([]);
});
