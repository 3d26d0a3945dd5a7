import type { UriTemplate } from '@modelcontextprotocol/server';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { readThrown } from '../../../server-runtime/errors/failure.ts';
import { toPrompts, toResources } from '../../../server-runtime/mcp/offers.ts';
import type { Operation } from '../../../server-runtime/registry/compile-registry.ts';
import { toGuardFacts } from '../../document/facts.ts';
import { type Problem, toMistake } from '../../manifest/check-rules.ts';
import type { Listed } from '../../manifest/manifest.ts';
import { splitHint } from '../../manifest/to-route-problems.ts';

/** Finds declarations that contradict themselves or others, or say less than those. */
export function findDeclarationMistakes(capabilities: readonly Listed[]): readonly Problem[] {
  const keys = new Set(capabilities.map(({ key }) => key));
  const changing = capabilities.filter(({ facts }) => facts.intent !== 'query');
  const guarded = new Set(changing.filter(isGuarded).map(toGroup));
  const unguarded = changing.filter((each) => !isGuarded(each) && guarded.has(toGroup(each)));
  // Few in a project are left to TypeScript on purpose.
  const silent = capabilities.filter(({ facts }) => facts.answers.length === 0);
  return [
    ...capabilities.flatMap((each) => findUnknownReplacement(each, keys)),
    ...capabilities.flatMap(findChangeByGet),
    ...unguarded.map(toUnguardedMutation),
    ...findUnguardedQueries(capabilities),
    ...(silent.length * 2 >= capabilities.length ? [] : silent).map(toMissingOutput),
  ];
}

function findUnknownReplacement(capability: Listed, keys: ReadonlySet<string>): readonly Problem[] {
  const use = capability.facts.deprecation?.use;
  if (use === undefined || keys.has(use)) return [];
  const message = `\`${capability.key}\` is deprecated in favour of \`${use}\`, which does not exist.`;
  const nearest = findNearest(use, keys);
  const isOther = nearest !== undefined && nearest !== capability.key;
  const hint = isOther
    ? `Did you mean \`${nearest}\`?`
    : 'Name the key of a capability: <group>.<name>.';
  return [toMistake('unknown-replacement', capability, { message, hint })];
}

/** A change at a route of GET that is stated; where the name makes the route, the name is what is wrong. */
function findChangeByGet(capability: Listed): readonly Problem[] {
  const { key, method, path, otherRoutes, facts } = capability;
  const { intent, rule } = facts;
  const isStated = rule?.id === 'declared' || rule?.id === 'override';
  const stated = [...(isStated ? [{ method, path }] : []), ...otherRoutes];
  const byGet = stated.find((route) => route.method === 'GET');
  if (byGet === undefined || intent === 'query') return [];
  const message =
    `\`${key}\` changes something, and its route is GET ${byGet.path}: links and pictures of other sites send it ` +
    'with the cookies of their visitor.';
  const hint = "Give it another method, or say that it changes nothing: 'query'.";
  return [toMistake('change-by-get', capability, { message, hint })];
}

function toUnguardedMutation(capability: Listed): Problem {
  const { key } = capability;
  const message = `\`${key}\` changes something and everybody may call it, while others of its group are guarded.`;
  return toMistake('unguarded-mutation', capability, { message, hint: guardHint });
}

const guardHint =
  'Declare it with a factory that carries a guard. If it is public on purpose, say so in the settings of the project.';

/** A query that everybody may call, where all others of its group are guarded: it gives what those protect. */
function findUnguardedQueries(capabilities: readonly Listed[]): readonly Problem[] {
  const queries = capabilities.filter(({ facts }) => facts.intent === 'query');
  const open = queries.filter((each) => !isGuarded(each));
  return open.flatMap((capability) => {
    const isOfGroup = (other: Listed): boolean => toGroup(other) === toGroup(capability);
    const isOnly = open.filter(isOfGroup).length === 1;
    return isOnly && queries.filter(isOfGroup).length > 1 ? [toUnguardedQuery(capability)] : [];
  });
}

function toUnguardedQuery(capability: Listed): Problem {
  const { key } = capability;
  const message = `\`${key}\` is the only query of its group that everybody may call.`;
  return toMistake('unguarded-query', capability, { message, hint: guardHint });
}

function isGuarded({ facts }: Listed): boolean {
  return toGuardFacts(facts).length > 0;
}

function toGroup({ groups }: Listed): string {
  return groups.join('.');
}

function toMissingOutput(capability: Listed): Problem {
  const message =
    `\`${capability.key}\` does not say what it answers with, as most others do: documents and generated clients ` +
    'take it for anything.';
  return toMistake('missing-output', capability, {
    message,
    hint: 'Add it: .output(z.object({ … })), or .output(noContent) where it answers with nothing.',
  });
}

/** Finds resources and prompts with which a server for agents would not start, by its own words. */
export function findOfferMistakes(
  capabilities: readonly Listed[],
  operations: readonly Operation[],
): readonly Problem[] {
  const valid: Operation[] = [];
  const offered = operations.filter(
    ({ definition: { resources, prompt } }) => resources.length > 0 || prompt,
  );
  return offered.flatMap((operation) => {
    try {
      toResources([operation], (uri) => ({ variableNames: toNames(uri) }) as UriTemplate);
      toPrompts([...valid, operation]);
      valid.push(operation);
    } catch (error) {
      const { message, hint = 'No server for agents starts with it.' } = splitHint(
        readThrown(error).message,
      );
      const capability = capabilities.find(({ key }) => key === operation.key);
      if (capability !== undefined)
        return [toMistake('invalid-offer', capability, { message, hint })];
    }
    return [];
  });
}

/** The names in the braces of an address, as RFC 6570 has them: `{id}`, `{?page,size}`, `{path*}`. */
function toNames(uri: string): string[] {
  return [...uri.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(({ 1: names = '' }) =>
    names.split(',').map((name) => name.trim().replace(/\*$|:\d+$/, '')),
  );
}

/** Finds what keeps AI agents from using a tool well. What some models refuse, the server adapts. */
export function findToolMistakes(capability: Listed): readonly Problem[] {
  const { tool, description, answers } = capability.facts;
  if (tool === false) return [];
  const name = tool?.name ?? capability.key.replaceAll('.', '_');
  const undescribed = `The tool \`${name}\` has no description: its name is all that an agent sees.`;
  const unsaid = `The tool \`${name}\` does not say what it answers with.`;
  const hint = ".describe('What it does, and when to use it.')";
  return [
    ...((description ?? tool?.description) === undefined
      ? [toMistake('tool-without-description', capability, { message: undescribed, hint })]
      : []),
    ...(answers.length === 0
      ? [
          toMistake('tool-without-output', capability, {
            message: unsaid,
            hint: '.output(z.object({ … }))',
          }),
        ]
      : []),
  ];
}
