import type { OwnDocument } from '../files/write-output.ts';
import { type GraphqlSchemaText, writeGraphqlSchema } from '../manifest/describe-graphql.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { stripControl } from '../terminal/strip-control.ts';

const MARK = '# Written by `capix graphql`. Write it again when the API changes; do not edit it.';

/** The mark by which `capix graphql` knows its own schemas. */
export const graphqlDocument: OwnDocument = {
  command: 'graphql',
  mark: /^# Written by `capix graphql`\. .*$/m,
};

/**
 * Writes the schema of the capabilities with the settings of the `graphqlTransport` that the capabilities file exports,
 * else with the usual ones.
 *
 * @throws CliError `MissingPackage` without the package `graphql`, `InvalidFields`
 */
export async function loadGraphqlText({
  registry,
  graphql = { registry, names: {}, links: {}, path: '/graphql' },
}: Pick<LoadedRegistry, 'registry' | 'graphql'>): Promise<GraphqlSchemaText> {
  const { text, notes } = await writeGraphqlSchema(graphql);
  return { text: stripControl(`${MARK}\n\n${text}\n`), notes };
}
