import { describe } from '../schema/describe.ts';
import { looksSecret } from '../schema/received.ts';
import { findSecretNames } from '../schema/secret-names.ts';
import type { CapabilityDefinition } from './definition.ts';

/**
 * The fields that a cookie carries, or a header for a secret or a credential: a page that cannot read those must not
 * learn their values.
 */
export function findSentSecrets(
  definition: Pick<CapabilityDefinition, 'sent' | 'guards'>,
): readonly string[] {
  const ofGuards = findCredentialHeaders(definition);
  return definition.sent
    .filter(({ in: place, name }) => {
      const isCredential = looksSecret(name) || ofGuards.includes(name.toLowerCase());
      return place === 'cookie' || isCredential;
    })
    .map(({ field }) => field);
}

/** All names of fields and headers that a capability declares to hold secrets, besides those that look like it. */
export function findDeclaredSecrets(
  definition: Pick<CapabilityDefinition, 'schema' | 'answers' | 'sent' | 'guards'>,
): readonly string[] {
  const { schema, answers } = definition;
  const inputs = schema === undefined ? [] : [describe(schema).input];
  const outputs = answers.flatMap((answer) =>
    answer.schema === undefined ? [] : [describe(answer.schema).output],
  );
  const ofSchemas = [...inputs, ...outputs].flatMap((json) => [...findSecretNames(json)]);
  return [
    ...new Set([
      ...ofSchemas,
      ...findSentSecrets(definition),
      ...findCredentialHeaders(definition),
    ]),
  ];
}

/** In lower case. */
function findCredentialHeaders({
  guards,
}: Pick<CapabilityDefinition, 'guards'>): readonly string[] {
  return guards
    .flatMap(({ security }) => security)
    .flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.name.toLowerCase()] : []));
}
