import { expect, it } from 'vitest';
import { capability, reply, restTransport } from '../../../server-runtime/index.ts';
import { describeEverywhere } from '../../helpers/start-rest.ts';

const capabilities = {
  getItem: capability(() => 1),
  getOwn: capability(() => reply(1, { headers: { 'X-Frame-Options': 'SAMEORIGIN' } })),
};

describeEverywhere('security headers', (start) => {
  it('stand on every response, errors and pages too, and a reply wins', async () => {
    const { request } = await start({ capabilities, rest: { securityHeaders: true, docs: true } });
    for (const path of ['/item', '/nothing']) {
      const { headers } = await request(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    }
    expect((await request('/own')).headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect((await request('/docs')).headers.get('content-security-policy')).toContain('script-src');
  });

  it('stand on the answer to a preflight of a browser', async () => {
    const { request } = await start({ capabilities, rest: { securityHeaders: true } });
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' };
    for (const path of ['/item', '/nothing']) {
      const response = await request(path, { method: 'OPTIONS', headers });
      expect(response.headers.get('access-control-allow-methods')).toContain('GET');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('strict-transport-security')).toBe(
        'max-age=31536000; includeSubDomains',
      );
    }
  });

  it('are changed and left out by name, and not there unless they are asked for', async () => {
    const securityHeaders = {
      'Strict-Transport-Security': false,
      'referrer-policy': 'same-origin',
    } as const;
    const { headers } = await (await start({ capabilities, rest: { securityHeaders } })).request(
      '/item',
    );
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(
      (await (await start({ capabilities })).request('/item')).headers.get('x-frame-options'),
    ).toBeNull();
  });
});

it('refuses a security header that cannot be sent', () => {
  expect(() => restTransport({ securityHeaders: { 'x-a': 'b\n' } })).toThrow(
    'securityHeaders: x-a cannot be "b\\n"',
  );
});
