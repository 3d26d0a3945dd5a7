import {
  createSecretCheck,
  findSecretNames,
  type IsSecret,
} from '../../../server-runtime/schema/secret-names.ts';
import type { ApiOperation } from './api-operation.ts';

/** Says of the names of an operation's fields which hold secrets: by themselves, their schemas or what carries them. */
export function toOperationSecrets({
  declaredInput,
  parameters,
  security,
  facts,
}: Pick<ApiOperation, 'declaredInput' | 'parameters' | 'security' | 'facts'>): IsSecret {
  const input = declaredInput();
  const credentials = new Set(
    security.flat().flatMap(({ scheme }) => String(Object(scheme).name ?? '').toLowerCase()),
  );
  const bySchema = [...parameters.map(({ schema }) => schema), ...(input ? [input] : [])].flatMap(
    ({ json, root }) => [...findSecretNames(json, root)],
  );
  // The header of a credential is not a parameter in a document.
  const byCarrier = [...parameters, ...(facts?.sent ?? [])]
    .filter(({ in: place, name }) => place === 'cookie' || credentials.has(name.toLowerCase()))
    .flatMap(({ field }) => field ?? []);
  return createSecretCheck([...bySchema, ...byCarrier]);
}
