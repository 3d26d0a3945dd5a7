import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, generateOpenAPI, type RestOptions } from '../../../server-runtime/index.ts';
import { toDocsPage } from '../../../server-runtime/openapi/docs-page.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

const cdn = 'https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.35.0/';
const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), (input) => input).describe(
      'Gives <script>alert(1)</script> one',
    ),
    createItem: capability(z.object({ name: z.string() }), (input) => input),
  },
};

describeEverywhere('docs', (start) => {
  it('serves the OpenAPI document of the routes that are served', async () => {
    const rest = {
      docs: { title: 'Shop', version: '2.0.0' },
      overrides: { 'items.createItem': { method: 'PUT', path: '/things' } },
    } satisfies RestOptions;
    const { request } = await start({ capabilities, rest });
    const response = await request('/openapi.json');
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('access-control-allow-origin'),
    ]).toEqual([200, 'application/json; charset=utf-8', '*']);
    const document = (await response.json()) as { openapi: string; info: object; paths: object };
    expect([document.openapi, document.info, Object.keys(document.paths)]).toEqual([
      '3.1.0',
      expect.objectContaining({ title: 'Shop', version: '2.0.0' }),
      ['/items/{id}', '/things'],
    ]);
  });

  it('serves a page that loads two pinned files, runs one script of its own, and calls its server', async () => {
    const { request } = await start({ capabilities, rest: { docs: true } });
    const response = await request('/docs');
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "frame-ancestors 'none'",
      `script-src ${cdn} 'sha256-${hash}'`,
      `style-src ${cdn} 'unsafe-inline'`,
      'img-src data:',
      "connect-src 'self'",
    ]);
    expect(script).toContain("SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api'");
    expect([
      ...html.matchAll(/(?:src|href)="(https?:[^"]*)" integrity="(sha384-[^"]{64})" crossorigin/g),
    ]).toEqual([
      expect.objectContaining({ 1: `${cdn}swagger-ui.css` }),
      expect.objectContaining({ 1: `${cdn}swagger-ui-bundle.js` }),
    ]);
    expect(html.match(/https?:/g)).toHaveLength(2);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain('<title>Capix API</title>');
    expect(html).toMatch(
      /<div id="api"><p>[^]*<a href="openapi.json">openapi.json<\/a>[^]*JavaScript[^]*cdn\.jsdelivr\.net/,
    );
    expect((await request('/docs', { method: 'HEAD' })).status).toBe(200);
    expect((await request('/docs', { method: 'POST' })).status).toBe(404);
  });

  it('serves the page beside the document behind a prefix, and leads there from a path with a slash', async () => {
    const { request } = await start({ capabilities, rest: { docs: true, prefix: '/api' } });
    expect((await request('/api/openapi.json')).status).toBe(200);
    expect(await (await request('/api/docs')).text()).toContain("url: 'openapi.json'");
    expect((await request('/docs')).status).toBe(404);
    const slashed = await request('/api/docs/', { redirect: 'manual' });
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '../docs']);
  });

  it('lets the page call the servers of the document, and no text in it do more', async () => {
    const urls = [
      'https://api.example.org/v1',
      'https://api.example.org/v2',
      'http://localhost:3000',
      'http://[::1]:3000/',
      '/relative',
      'javascript:alert(1)',
      'https://a.example;script-src',
      'https://a.example,default-src',
      "https://a.example'",
      'https://b.example/; script-src *\r\nset-cookie: a=b',
      'https://{region}.example.org',
    ];
    const title = '</title><script>alert(1)</script>"&\'';
    const docs = { title, servers: urls.map((url) => ({ url })) };
    const { request } = await start({ capabilities, rest: { docs } });
    const response = await request('/docs');
    const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy.at(-1)?.split(' ')).toEqual([
      'connect-src',
      "'self'",
      'https://api.example.org',
      'http://localhost:3000',
      'http://[::1]:3000',
      'https://b.example',
    ]);
    expect([policy.length, response.headers.get('set-cookie')]).toEqual([6, null]);
    const html = await response.text();
    const escaped = '&#60;/title&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#38;&#39;';
    expect(html).toContain(`<title>${escaped}</title>`);
    expect(html).not.toContain('alert(1)</script>');
  });

  it('serves neither by default', async () => {
    const { request } = await start({ capabilities });
    expect([(await request('/openapi.json')).status, (await request('/docs')).status]).toEqual([
      404, 404,
    ]);
  });
});

it('the files that the page loads are those of the package, to the byte', async () => {
  const { html } = toDocsPage(generateOpenAPI(capabilities));
  const loaded = [...html.matchAll(/\/npm\/([\w-]+@[\d.]+)\/([\w.-]+)" integrity="([^"]*)"/g)];
  const found = fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'));
  const { name, version } = JSON.parse(await readFile(found, 'utf8')) as Record<string, string>;
  const digests = ['swagger-ui.css', 'swagger-ui-bundle.js'].map(async (file) => {
    const bytes = await readFile(join(dirname(found), file));
    return [
      `${name}@${version}`,
      file,
      `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    ];
  });
  expect(loaded.map(([, ...parts]) => parts)).toEqual(await Promise.all(digests));
});
