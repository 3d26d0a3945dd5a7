import type { SchemaNote } from '../../server-runtime/graphql/to-schema.ts';
import { createCliError } from '../cli/cli-error.ts';
import type { OwnDocument } from '../files/write-output.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { stripControl } from '../terminal/strip-control.ts';

const MARK = '# Written by `capix graphql`. Write it again when the API changes; do not edit it.';

/** The mark by which `capix graphql` knows its own schemas. */
export const graphqlDocument: OwnDocument = {
  command: 'graphql',
  mark: /^# Written by `capix graphql`\. .*$/m,
};

export interface GraphqlText {
  /** The schema in GraphQL's own language, sorted by names. */
  readonly text: string;
  readonly notes: readonly SchemaNote[];
}

/**
 * Writes the schema of the capabilities with the settings of the `graphqlTransport` that the capabilities file exports,
 * else with the usual ones.
 *
 * @throws CliError `MissingPackage` without the package `graphql`, `InvalidFields`
 */
export async function loadGraphqlText({
  registry,
  graphql = { registry, names: {}, links: {} },
}: Pick<LoadedRegistry, 'registry' | 'graphql'>): Promise<GraphqlText> {
  const [{ toSchema }, { lexicographicSortSchema, printSchema }] = await loadLibrary();
  try {
    const { schema, notes } = toSchema({
      operations: graphql.registry.operations,
      names: graphql.names,
      links: graphql.links,
      maxLinks: 0,
      run: async () => undefined,
    });
    const text = printSchema(lexicographicSortSchema(schema));
    return { text: stripControl(`${MARK}\n\n${text}\n`), notes };
  } catch (error) {
    throw createCliError('InvalidFields', { reason: (error as Error).message });
  }
}

async function loadLibrary() {
  try {
    return await Promise.all([
      import('../../server-runtime/graphql/to-schema.ts'),
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
