import { findReason, toInputPlace, toRoot } from '../../server-runtime/graphql/answer-shape.ts';
import { toFieldName } from '../../server-runtime/graphql/field-names.ts';
import type { LoadedGraphql } from './loaded-registry.ts';

/** The fields of GraphQL by the keys of their capabilities, `'Query.getUser'`, without those that have none. */
export function toGraphqlFields(graphql: LoadedGraphql): ReadonlyMap<string, string> {
  const served = graphql.registry.operations.filter(
    (operation) => findReason(operation, toInputPlace(operation)) === undefined,
  );
  return new Map(
    served.map((operation) => [
      operation.key,
      `${toRoot(operation)}.${graphql.names[operation.key] ?? toFieldName(operation)}`,
    ]),
  );
}
