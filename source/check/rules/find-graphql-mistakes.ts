import { findFieldFaults } from '../../../server-runtime/graphql/schema/field-names.ts';
import { findLinkFaults } from '../../../server-runtime/graphql/schema/link.ts';
import type { SchemaNote } from '../../../server-runtime/graphql/schema/to-schema.ts';
import type { CliError } from '../../cli/cli-error.ts';
import { type Problem, toMistake, toProjectProblem } from '../../manifest/check-rules.ts';
import { writeGraphqlSchema } from '../../manifest/describe-graphql.ts';
import type { LoadedGraphql } from '../../manifest/loaded-registry.ts';
import type { Listed } from '../../manifest/manifest.ts';

/** Finds what keeps the `graphqlTransport` of a project from starting, and what its schema cannot say. */
export async function findGraphqlMistakes(
  graphql: LoadedGraphql,
  capabilities: readonly Listed[],
): Promise<readonly Problem[]> {
  const { operations } = graphql.registry;
  const faults = [
    ...findFieldFaults(operations, graphql.names),
    ...findLinkFaults(operations, graphql.links),
  ];
  if (faults.length > 0)
    return faults.map(({ key, message, hint }) =>
      toProblem('graphql-field', capabilities, { key, message, hint }),
    );
  const missing = await findMissingPackages(graphql.webSocket ? ['graphql', 'ws'] : ['graphql']);
  if (missing.length > 0)
    return [
      toProjectProblem('graphql-field', {
        message: `\`graphqlTransport\` needs what is not installed: ${missing.join(', ')}.`,
        hint: `Run \`npm install ${missing.join(' ')}\`.`,
      }),
    ];
  try {
    const { notes } = await writeGraphqlSchema(graphql);
    return notes.map((note) => toGap(note, capabilities));
  } catch (error) {
    const { message, hint } = error as CliError;
    return [toProjectProblem('graphql-field', { message, hint })];
  }
}

type OptionalPackage = 'graphql' | 'ws';

const importers: Readonly<Record<OptionalPackage, () => Promise<unknown>>> = {
  graphql: () => import('graphql'),
  ws: () => import('ws'),
};

async function findMissingPackages(names: readonly OptionalPackage[]): Promise<readonly string[]> {
  const isMissing = (error: NodeJS.ErrnoException): boolean => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return true;
  };
  const found = await Promise.all(
    names.map((name) => importers[name]().then(() => false, isMissing)),
  );
  return names.filter((_, at) => found[at]);
}

/** `check` says it of a capability of the project at the place where that is declared. */
function toProblem(
  code: 'graphql-field' | 'graphql-gap',
  capabilities: readonly Listed[],
  { key, ...words }: { key: string; message: string; hint?: string | undefined },
): Problem {
  const capability = capabilities.find((each) => each.key === key);
  return capability === undefined
    ? toProjectProblem(code, words)
    : toMistake(code, capability, words);
}

function toGap({ place, text }: SchemaNote, capabilities: readonly Listed[]): Problem {
  const isWithout = /^(JSON|left out): /.test(text);
  const message = `In GraphQL \`${place}\`${isWithout ? ' is' : ':'} ${text}.`;
  const hint = text.includes('no `.output(')
    ? 'Declare what it answers with: `.output(schema)`.'
    : undefined;
  return toProblem('graphql-gap', capabilities, { key: place, message, hint });
}
