import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';
import { toAuthorize, transport } from './mcp-recipes/bearer-tokens.ts';

it('docs/mcp.md shows the recipe as it is tested here', () => {
  const code = readFileSync(join(packageRoot, 'test/docs/mcp-recipes/bearer-tokens.ts'), 'utf8')
    .replace('../../../server-runtime/index.ts', 'capix')
    .replace('../../../server-runtime/mcp/index.ts', 'capix/mcp');
  expect(readFileSync(join(packageRoot, 'docs/mcp.md'), 'utf8')).toContain(
    `\`\`\`ts\n${code}\`\`\``,
  );
  expect(transport.name).toBe('mcp');
});

describe('bearer tokens', () => {
  const resource = 'https://api.example.org/mcp';

  it('of the issuer let their user in; others do not, and one without the scope is told which', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const keys = { keys: [{ ...jwk, alg: 'ES256', kid: '1' }] };
    const login = createHttpServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(keys));
    }).listen(0, '127.0.0.1');
    await once(login, 'listening');
    onTestFinished(() => {
      login.close();
      login.closeAllConnections();
    });
    const issuer = `http://127.0.0.1:${(login.address() as AddressInfo).port}`;
    const sign = (scope: string, audience: string) =>
      new SignJWT({ scope })
        .setProtectedHeader({ alg: 'ES256', kid: '1' })
        .setSubject('7')
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime('1h')
        .sign(privateKey);
    const authorize = toAuthorize(issuer, resource);
    const ask = async (token: string | undefined) =>
      authorize({ token, headers: {}, remoteAddress: undefined }) as Promise<unknown>;
    expect(await ask(await sign('orders users', resource))).toEqual({ id: '7' });
    expect(await ask(await sign('orders', 'https://other.example.org/mcp'))).toBeUndefined();
    expect(await ask('nonsense')).toBeUndefined();
    expect(await ask(undefined)).toBeUndefined();
    await expect(ask(await sign('users', resource))).rejects.toThrow('The scope orders is needed.');
  });
});
