import { expect, it } from 'vitest';
import { z } from 'zod';
import { capability, type RestOptions } from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

const capabilities = {
  items: {
    getItem: capability(z.object({ id: z.string() }), (input) => input).describe('Gives <script>alert(1)</script> one'),
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

  it('serves a page that needs nothing else and runs nothing', async () => {
    const { request } = await start({ capabilities, rest: { docs: true } });
    const response = await request('/docs');
    const html = await response.text();
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-security-policy'),
    ]).toEqual([200, 'text/html; charset=utf-8', "default-src 'none'; style-src 'unsafe-inline'"]);
    expect(html).toContain('/items/:id');
    expect(html).toContain('Capix API');
    expect(html).not.toMatch(/<script|(?:src|href)="https?:/);
    expect((await request('/docs', { method: 'HEAD' })).status).toBe(200);
    expect((await request('/docs', { method: 'POST' })).status).toBe(404);
    const slashed = await request('/docs/', { redirect: 'manual' });
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '../docs']);
  });

  it('serves neither by default', async () => {
    const { request } = await start({ capabilities });
    expect([(await request('/openapi.json')).status, (await request('/docs')).status]).toEqual([404, 404]);
  });
});
