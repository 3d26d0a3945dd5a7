import type { SecurityScheme } from '../../../server-runtime/capability/guard.ts';

/** A credential in words: `a bearer token`, `the header x-api-key`. */
export function toCredential(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'http':
      return scheme.scheme.toLowerCase() === 'bearer'
        ? 'a bearer token'
        : `the HTTP scheme ${scheme.scheme.toLowerCase()}`;
    case 'apiKey':
      return `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${scheme.in === 'header' ? scheme.name.toLowerCase() : scheme.name}`;
    case 'openIdConnect':
      return `a token of ${scheme.openIdConnectUrl}`;
    case 'oauth2':
      return `an OAuth token of the flow ${Object.keys(scheme.flows).toSorted().join(' or ')}`;
  }
}

/** The scopes that an OAuth token must have, each once. */
export function toScopes(scheme: SecurityScheme): readonly string[] {
  if (scheme.type !== 'oauth2') return [];
  const scopes = Object.values(scheme.flows).flatMap((flow) =>
    typeof flow === 'object' && flow !== null && 'scopes' in flow ? Object.keys(Object(flow.scopes)) : [],
  );
  return [...new Set(scopes)];
}
