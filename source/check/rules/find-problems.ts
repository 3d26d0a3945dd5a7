import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { findSecurityFaults } from '../../../server-runtime/errors/security-faults.ts';
import type { Operation } from '../../../server-runtime/registry/compile-registry.ts';
import { type Problem, toMistake, toProjectProblem } from '../../manifest/check-rules.ts';
import type { LoadedGraphql, LoadedRegistry } from '../../manifest/loaded-registry.ts';
import { type Listed, type Manifest, toCapabilities } from '../../manifest/manifest.ts';
import { findComponentMistakes } from './find-component-mistakes.ts';
import { findDeclarationMistakes, findOfferMistakes } from './find-declaration-mistakes.ts';
import { findFaultProblems, findJobMistakes } from './find-job-mistakes.ts';
import { findMountMistakes } from './find-mount-mistakes.ts';
import { findOtherNouns } from './find-other-nouns.ts';
import { findSchemaMistakes } from './find-schema-mistakes.ts';
import { findWebSocketMistakes } from './find-web-socket-mistakes.ts';

/** Finds what is wrong with the capabilities and jobs of a project, beside their routes. */
export async function findProblems(
  manifest: Manifest,
  {
    registry: { operations },
    faults = [],
    jobs,
    graphql,
  }: Pick<LoadedRegistry, 'registry' | 'faults' | 'jobs' | 'graphql'>,
): Promise<readonly Problem[]> {
  const capabilities = toCapabilities(manifest);
  return [
    ...findFaultProblems(faults, capabilities),
    ...(jobs === undefined ? [] : await findJobMistakes(manifest, jobs)),
    ...findEmptyProject(capabilities, manifest.project.config),
    ...findWebSocketMistakes(manifest, capabilities),
    ...(graphql === undefined ? [] : await loadGraphqlMistakes(graphql, capabilities)),
    ...findMountMistakes(manifest.mounts ?? [], capabilities),
    ...findSecurityFaults().map(toMissingSecret),
    ...findNamingConflicts(capabilities),
    ...findDeclarationMistakes(capabilities),
    ...findOtherNouns(capabilities),
    ...findOfferMistakes(capabilities, operations),
    ...capabilities.flatMap((capability, index) => [
      ...findMissingSchema(capability, operations[index]),
      ...findMissingPathFields(capability),
      ...findSchemaMistakes(capability, operations[index]),
    ]),
    ...findComponentMistakes(manifest),
  ];
}

/** Loads no code of GraphQL for a project without it. */
async function loadGraphqlMistakes(
  graphql: LoadedGraphql,
  capabilities: readonly Listed[],
): Promise<readonly Problem[]> {
  const { findGraphqlMistakes } = await import('./find-graphql-mistakes.ts');
  return findGraphqlMistakes(graphql, capabilities);
}

function findEmptyProject(capabilities: readonly Listed[], file: string): readonly Problem[] {
  if (capabilities.length > 0) return [];
  const message = `${file} exports no capability.`;
  const hint = 'Export a group tree: `export const capabilities = { users: { getUser } };`';
  return [toProjectProblem('no-capabilities', { message, hint, file })];
}

/** The code that was loaded has noted it. Tools need no secrets, so it is not an error here. */
function toMissingSecret(message: string): Problem {
  const hint = 'A server does not start like this; set the variable where the server runs.';
  return toProjectProblem('missing-secret', { message, hint });
}

/** Two keys that are one name without letter case or dots: in generated clients, and in file names. */
function findNamingConflicts(capabilities: readonly Listed[]): readonly Problem[] {
  const toName = (key: string): string => key.replaceAll('.', '').toLowerCase();
  const firstOf = new Map(capabilities.toReversed().map(({ key }) => [toName(key), key]));
  return capabilities.flatMap((capability): readonly Problem[] => {
    const { key } = capability;
    const first = firstOf.get(toName(key)) ?? key;
    if (first === key) return [];
    const isCase = first.toLowerCase() === key.toLowerCase();
    const how = isCase
      ? 'differ in letter case only'
      : 'are the same name once the dots are gone, as in a client';
    const message = `\`${first}\` and \`${key}\` ${how}.`;
    const problem = toMistake('naming-conflict', capability, {
      message,
      hint: 'Rename one of them.',
    });
    return [{ ...problem, keys: [first, key] }];
  });
}

function findMissingSchema(
  capability: Listed,
  operation: Operation | undefined,
): readonly Problem[] {
  if (operation === undefined || operation.definition.schema !== undefined) return [];
  const { key, params } = capability;
  if (params.length === 0 && !readsInput(operation.definition.handler)) return [];
  const reason =
    params.length > 0 ? `its path has \`:${params.join('`, `:')}\`` : 'its handler reads the input';
  const message = `\`${key}\` has no input schema, but ${reason}: it gets raw, unvalidated text.`;
  const fields = params.map((param) => `${param}: z.string()`).join(', ') || '…';
  const hint = `Add one: capability(z.object({ ${fields} }), handler).`;
  return [toMistake('missing-schema', capability, { message, hint })];
}

/** A handler without parameters, or with a first one that is called `_…`, leaves the input alone. */
function readsInput(handler: { readonly length: number; toString(): string }): boolean {
  return (
    handler.length > 0 &&
    !/^(?:async\s*)?(?:function\b[^(]*|[\w$]*\s*)?\(?\s*_/.test(handler.toString())
  );
}

function findMissingPathFields(capability: Listed): readonly Problem[] {
  const { key, method, path, params, facts } = capability;
  const { inputFields } = facts;
  if (inputFields === undefined) return [];
  const free = inputFields.filter((field) => !params.includes(field));
  return params
    .filter((param) => !inputFields.includes(param))
    .map((param) => {
      const missing = `its input has no field \`${param}\``;
      const message = `\`${key}\` is ${method} ${path}, but ${missing}: the handler never sees it.`;
      const nearest = findNearest(param, free);
      const meant = path.replace(new RegExp(`([:*])${param}(?=/|$)`), `$1${nearest}`);
      const hint =
        nearest === undefined
          ? `Add \`${param}: z.string()\` to the input, or give the capability another name or a path of its own.`
          : `Did you mean \`${nearest}\`? The path is then ${meant}.`;
      return toMistake('missing-path-field', capability, { message, hint });
    });
}
