import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';

const serverOf = (options: string): string => `
  import { capability, createServer, restTransport } from 'capix';
  import { graphqlTransport } from 'capix/graphql';
  const capabilities = { books: { countBooks: capability(() => 3, 'query') } };
  const rest = restTransport({ port: 0 });
  await createServer({ capabilities, transports: [rest, graphqlTransport({ ${options} })] }).start();`;

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function open(options: string) {
  const dev = openDevJson(await devProject({ 'src/server.ts': serverOf(options) }));
  const url = `${await dev.url()}/graphql`;
  return (query = '') => fetch(url + query, { headers: { accept, connection: 'close' } });
}

it('GraphiQL answers a browser that opens the path, and documents are run as ever', async () => {
  const read = await open('');
  const page = await read();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; frame-ancestors 'none'; script-src \S+ 'sha256-\S+='; .*connect-src 'self'$/,
  );
  const html = await page.text();
  expect(html.match(/integrity="sha384-[^"]{64}" crossorigin/g)).toHaveLength(4);
  expect(await (await read('?query={countBooks}')).json()).toEqual({ data: { countBooks: 3 } });
  // The page needs the schema.
  const schema = await read('?query={__schema{queryType{name}}}');
  expect(await schema.json()).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
});

it('there is no page where callers may not read the schema', async () => {
  const page = await (await open('introspection: false'))();
  expect(page.status).toBe(400);
  expect(page.headers.get('content-type')).toContain('json');
});
