import {
  findReason,
  toInputPlace,
  toRoot,
} from '../../server-runtime/graphql/schema/answer-shape.ts';
import { toFieldName } from '../../server-runtime/graphql/schema/field-names.ts';
import type { SchemaNote } from '../../server-runtime/graphql/schema/to-schema.ts';
import { CliError, createCliError } from '../cli/cli-error.ts';
import type { GraphqlFacts } from '../document/facts.ts';
import type { LoadedGraphql, LoadedRegistry } from './loaded-registry.ts';

/** The fields of GraphQL by the keys of their capabilities, `'Query.getUser'`, without those that have none. */
export function toGraphqlFields({ registry, names }: LoadedGraphql): ReadonlyMap<string, string> {
  const served = registry.operations.filter(
    (operation) => findReason(operation, toInputPlace(operation)) === undefined,
  );
  return new Map(
    served.map((operation) => [
      operation.key,
      `${toRoot(operation)}.${names[operation.key] ?? toFieldName(operation)}`,
    ]),
  );
}

/**
 * What a contract says of GraphQL; undefined without an exported transport. A schema that no server has is left out.
 */
export async function loadGraphqlFacts({
  graphql,
}: Pick<LoadedRegistry, 'graphql'>): Promise<GraphqlFacts | undefined> {
  if (graphql === undefined) return undefined;
  const { path } = graphql;
  try {
    const { text } = await writeGraphqlSchema(graphql);
    return { path, schema: text.split('\n') };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { path };
  }
}

export interface GraphqlSchemaText {
  /** The schema in GraphQL's own language, sorted by names, without a line feed at its end. */
  readonly text: string;
  readonly notes: readonly SchemaNote[];
}

/** @throws CliError `MissingPackage` without the package `graphql`, `InvalidFields` */
export async function writeGraphqlSchema({
  registry: { operations },
  names,
  links,
}: Omit<LoadedGraphql, 'path'>): Promise<GraphqlSchemaText> {
  const [{ toSchema }, { lexicographicSortSchema, printSchema }] = await loadLibrary();
  try {
    const run = async () => undefined;
    const { schema, notes } = toSchema({ operations, names, links, maxLinks: 0, run });
    return { text: printSchema(lexicographicSortSchema(schema)), notes };
  } catch (error) {
    throw createCliError('InvalidFields', { reason: (error as Error).message });
  }
}

async function loadLibrary() {
  try {
    return await Promise.all([
      import('../../server-runtime/graphql/schema/to-schema.ts'),
      import('graphql'),
    ]);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw createCliError('MissingPackage', {
      name: 'graphql',
      purpose: 'which write the schema of GraphQL',
    });
  }
}
