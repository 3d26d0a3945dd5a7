import { expect, it } from 'vitest';
import { blocks, capability } from '../../../server-runtime/index.ts';
import { connectToTools, connectToUrl, serveTools } from '../../helpers/connect-to-tools.ts';

const icons = [
  {
    src: 'https://example.org/shop.png',
    mimeType: 'image/png',
    sizes: ['48x48'],
    theme: 'dark' as const,
  },
];

it('a server says its title, page and icons, and a tool its title and icons', async () => {
  const find = capability(() => 1, 'query').tool({ title: 'Find', icons });
  const capabilities = { a: { find, other: capability(() => 1, 'query') } };
  const said = { title: 'The shop', websiteUrl: 'https://example.org', icons };
  const client = await connectToUrl(await serveTools({ capabilities }, { name: 'shop', ...said }));
  expect(client.getServerVersion()).toEqual({ name: 'shop', version: '0.1.0', ...said });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, title, icons: shown }) => ({ name, title, icons: shown }))).toEqual([
    { name: 'a_find', title: 'Find', icons },
    { name: 'a_other', title: undefined, icons: undefined },
  ]);
});

it('the replacement of a deprecated tool is named as a tool, and not at all where it is none', async () => {
  const getOld = capability(() => 1).deprecated({ use: 'a.getNew' });
  const getOlder = capability(() => 1).deprecated({ use: 'a.getHidden' });
  const a = {
    getOld,
    getOlder,
    getNew: capability(() => 1).tool({ name: 'fetch' }),
    getHidden: capability(() => 1).tool(false),
  };
  const { tools } = await (await connectToTools({ capabilities: { a } })).listTools();
  expect(tools.map(({ description }) => description)).toEqual([
    'Deprecated: use fetch.',
    'Deprecated.',
    undefined,
  ]);
});

const half = '\ud83d';

it('half of a surrogate pair is U+FFFD in whatever is sent', async () => {
  const value = { [`a${half}`]: [`b${half}c`, '\\ud83d', '\\\\ud83d', '😀'] };
  const a = {
    data: capability(() => value, 'query'),
    text: capability(() => half, 'query')
      .resource('a://text')
      .prompt(),
    parts: capability(() => blocks(half, { text: half, uri: 'a://part' }), 'query'),
    wrong: capability(() => {
      throw Object.assign(new Error(half), { status: 400 });
    }, 'query'),
  };
  const url = await serveTools({ capabilities: { a } });
  const client = await connectToUrl(url);
  const data = { 'a\ufffd': ['b\ufffdc', '\\ud83d', '\\\\ud83d', '😀'] };
  const result = await client.callTool({ name: 'a_data', arguments: {} });
  expect(result).toEqual({
    content: [{ type: 'text', text: JSON.stringify(data) }],
    structuredContent: { data },
  });
  const others = [
    await client.callTool({ name: 'a_text', arguments: {} }),
    await client.callTool({ name: 'a_parts', arguments: {} }),
    await client.callTool({ name: 'a_wrong', arguments: {} }),
    await client.readResource({ uri: 'a://text' }),
    await client.getPrompt({ name: 'a_text' }),
  ];
  for (const other of others) expect(JSON.stringify(other)).not.toContain('\\ud83d');
});
