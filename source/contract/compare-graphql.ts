import { createRequire } from 'node:module';
import type * as graphqlLibrary from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { GraphqlFacts } from '../document/facts.ts';
import { attempt } from '../values/attempt.ts';
import { type ContractChange, type RuleId, toChange } from './changes/contract-change.ts';

type Library = typeof graphqlLibrary;
type Found =
  | ReturnType<Library['findBreakingChanges']>[number]
  | ReturnType<Library['findDangerousChanges']>[number];

/** Compares two contracts for the callers of GraphQL, by the finders of the package `graphql`. */
export function compareGraphql(
  before: GraphqlFacts | undefined,
  after: GraphqlFacts | undefined,
): readonly ContractChange[] {
  const at = 'server.graphql';
  if (before === undefined)
    return after === undefined
      ? []
      : [toChange('graphql-added', { at, message: 'capabilities are fields of GraphQL, too' })];
  if (after === undefined)
    return [toChange('graphql-removed', { at, message: 'GraphQL is not served any more' })];
  const moved =
    before.path === after.path
      ? []
      : [
          toChange('graphql-moved', {
            at,
            message: 'the path of GraphQL changed',
            before: before.path,
            after: after.path,
          }),
        ];
  return [...moved, ...compareSchemaTexts(toText(before), toText(after))];
}

/** The contract may be a file that somebody else wrote. */
function toText({ schema }: GraphqlFacts): string | undefined {
  return Array.isArray(schema) ? schema.join('\n') : undefined;
}

function compareSchemaTexts(
  before: string | undefined,
  after: string | undefined,
): readonly ContractChange[] {
  if (before !== undefined && before === after) return [];
  if (before === undefined || after === undefined)
    return [toUnread('a schema of GraphQL could not be written: `capix graphql` says why')];
  const library = findLibrary();
  if (library === undefined)
    return [toUnread('the schema of GraphQL changed; how is known with the package `graphql`')];
  const older = readSchema(library, before);
  const newer = readSchema(library, after);
  if (older === undefined || newer === undefined)
    return [toUnread('a schema of GraphQL cannot be read')];
  const toChanges = (rule: RuleId, all: readonly Found[]) =>
    all.map(({ description }) => {
      const message = `in GraphQL, ${description.replace(/\.$/, '')}`;
      return toChange(rule, { at: 'server.graphql', message });
    });
  return [
    ...toChanges('graphql-breaking', library.findBreakingChanges(older, newer)),
    ...toChanges('graphql-dangerous', library.findDangerousChanges(older, newer)),
  ];
}

function readSchema({ buildSchema }: Library, text: string): GraphQLSchema | undefined {
  return attempt(() => buildSchema(text));
}

function toUnread(message: string): ContractChange {
  return toChange('graphql-unread', { at: 'server.graphql', message });
}

/** Loads it where two schemas differ: it takes longer than the rest of a comparison. */
function findLibrary(): Library | undefined {
  try {
    return createRequire(import.meta.url)('graphql') as Library;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}
