import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { defaultErrors } from '../../../server-runtime/index.ts';
import { type Authorize, mcpTransport } from '../../../server-runtime/mcp/index.ts';

/** Lets in whoever has a token of this issuer for this endpoint. */
export function toAuthorize(issuer: string, resource: string): Authorize {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer));
  return async ({ token }) => {
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: resource });
      if (!String(payload['scope']).split(' ').includes('orders'))
        throw defaultErrors.Forbidden('The scope orders is needed.');
      return { id: payload.sub };
    } catch (error) {
      // Expired, of somebody else, not signed by the issuer. Anything else, such as keys that cannot be reached, is 500 and in the log.
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
        return undefined;
      throw error;
    }
  };
}

const issuer = 'https://login.example.org';
const resource = 'https://api.example.org/mcp';

export const transport = mcpTransport({
  host: '0.0.0.0',
  allowedHosts: ['api.example.org'],
  authorize: toAuthorize(issuer, resource),
  resourceMetadata: { resource, authorizationServers: [issuer], scopes: ['orders'] },
});
