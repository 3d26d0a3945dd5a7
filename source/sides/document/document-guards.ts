import type { SecurityScheme } from '../../../server-runtime/capability/guard.ts';
import type { ManifestGuard } from '../../manifest/manifest.ts';
import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';
import { followReference, toItems } from './document-operation.ts';

/** The credentials that callers of an operation must send, a guard for each scheme. Where there is a choice, the first is taken; where nothing is a choice, nothing is asked for. */
export function toDocumentGuards(operation: SchemaJson, document: SchemaJson): readonly ManifestGuard[] {
  const choices = toItems(operation['security'] ?? document['security']).filter(isSchemaObject);
  const [first] = choices;
  if (first === undefined || choices.some((choice) => Object.keys(choice).length === 0)) return [];
  const components = isSchemaObject(document['components']) ? document['components'] : {};
  const schemes = isSchemaObject(components['securitySchemes']) ? components['securitySchemes'] : {};
  return Object.entries(first).map(([name, scopes]) => {
    const scheme = followReference(schemes[name], document);
    return { name, errors: [], security: toScheme(scheme, toItems(scopes)) };
  });
}

/** Only the scopes of a flow count that this operation asks for. */
function toScheme(scheme: SchemaJson, scopes: readonly unknown[]): SecurityScheme {
  const { flows } = scheme;
  if (scheme['type'] !== 'oauth2' || !isSchemaObject(flows)) return scheme as unknown as SecurityScheme;
  const asked = Object.fromEntries(scopes.map((scope) => [String(scope), '']));
  const narrowed = Object.entries(flows).map(([name, flow]) => [name, { ...Object(flow), scopes: asked }] as const);
  return { type: 'oauth2', flows: Object.fromEntries(narrowed) };
}
