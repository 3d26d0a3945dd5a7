import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** Finds declarations that contradict themselves. `today`: ISO date. */
export function findDeclarationMistakes(capabilities: readonly Listed[], today: string): readonly Problem[] {
  const keys = new Set(capabilities.map(({ key }) => key));
  const guarded = new Set(capabilities.filter((each) => changes(each) && isGuarded(each)).map(toGroup));
  return capabilities.flatMap((capability, index) => [
    ...findUnknownReplacement(capability, keys),
    ...findBadSunset(capability, today),
    ...(changes(capability) && !isGuarded(capability) && guarded.has(toGroup(capability))
      ? [toUnguardedMutation(capability)]
      : []),
    ...findBadName(capability, keys),
    ...findBadGroups(capability, capabilities.slice(0, index)),
  ]);
}

/** Each group is told at its first capability. Letters and digits are all that a name may have. */
function findBadGroups(capability: Listed, before: readonly Listed[]): readonly Problem[] {
  const places = capability.groups.map((_, depth, groups) => groups.slice(0, depth + 1).join('.'));
  const fresh = places.filter((place) => !before.some(({ key }) => key.startsWith(`${place}.`)));
  return fresh.flatMap((place): readonly Problem[] => {
    const group = place.split('.').at(-1) ?? '';
    if (!/^[A-Z]/.test(group)) return [];
    const message = `The group \`${place}\` is not in camel case, unlike every other name in a path or a client.`;
    return [toMistake('name-case', capability, { message, hint: `Call it \`${toCamelCase(group)}\`.` })];
  });
}

/** Finds nothing where the right name is declared, too: names that differ in case are another problem. */
function findBadName(capability: Listed, keys: ReadonlySet<string>): readonly Problem[] {
  const { key, name, groups, facts, method, path } = capability;
  const meant = toCamelCase(name);
  if (facts.rule?.id === 'override' || !/^[A-Z]/.test(name) || keys.has([...groups, meant].join('.'))) return [];
  const message = `\`${key}\` is not in camel case, so that no prefix of it makes a route: it is ${method} ${path}.`;
  return [toMistake('name-case', capability, { message, hint: `Call it \`${meant}\`.` })];
}

function toCamelCase(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function findUnknownReplacement(capability: Listed, keys: ReadonlySet<string>): readonly Problem[] {
  const use = capability.facts.deprecation?.use;
  if (use === undefined || keys.has(use)) return [];
  const message = `\`${capability.key}\` is deprecated in favour of \`${use}\`, which does not exist.`;
  const nearest = findNearest(use, keys);
  const isOther = nearest !== undefined && nearest !== capability.key;
  const hint = isOther ? `Did you mean \`${nearest}\`?` : 'Name the key of a capability: <group>.<name>.';
  return [toMistake('unknown-replacement', capability, { message, hint })];
}

function findBadSunset(capability: Listed, today: string): readonly Problem[] {
  const sunset = capability.facts.deprecation?.sunset;
  if (sunset === undefined) return [];
  const day = sunset.slice(0, 10);
  const atMs = Date.parse(day);
  // `Date` takes the 31st of February for the 3rd of March.
  const isDate =
    !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day) && !Number.isNaN(Date.parse(sunset));
  if (isDate && day >= today) return [];
  const message = isDate
    ? `\`${capability.key}\` should have gone away on ${sunset}.`
    : `\`${capability.key}\` goes away on \`${sunset}\`, which is not a date.`;
  const hint = isDate ? 'Remove it, or give its callers another date.' : "Write an ISO date: sunset: '2027-01-31'.";
  return [toMistake('bad-sunset', capability, { message, hint })];
}

function toUnguardedMutation(capability: Listed): Problem {
  const { key } = capability;
  const message = `\`${key}\` changes something and everybody may call it, while others of its group are guarded.`;
  const hint =
    'Declare it with a factory that carries a guard. If it is public on purpose, say so in the settings of the ' +
    'project.';
  return toMistake('unguarded-mutation', capability, { message, hint });
}

function changes({ facts: { intent } }: Listed): boolean {
  return intent !== 'query';
}

function isGuarded({ facts: { guards, inputGuards } }: Listed): boolean {
  return guards.length + inputGuards.length > 0;
}

function toGroup({ groups }: Listed): string {
  return groups.join('.');
}

/** Finds resources and prompts with which a server for agents would not start. */
export function findOfferMistakes(capabilities: readonly Listed[]): readonly Problem[] {
  const prompts = new Map<string, string>();
  return capabilities.flatMap((capability) => {
    const { key, facts } = capability;
    const { intent, offers, inputFields = [] } = facts;
    if (offers === undefined) return [];
    const { resources, prompt = '' } = offers;
    const other = prompts.get(prompt);
    if (prompt !== '' && other === undefined) prompts.set(prompt, key);
    const toProblem = (message: string, hint: string) => toMistake('invalid-offer', capability, { message, hint });
    const kind = resources.length > 0 ? 'resource' : 'prompt';
    const unread = `\`${key}\` is a ${kind} for agents and not a query, so that a server for agents does not start.`;
    const same = `\`${other}\` and \`${key}\` are both the prompt \`${prompt}\`.`;
    const unknown = resources.flatMap(({ uri }) =>
      toNames(uri)
        .filter((name) => !inputFields.includes(name))
        .map((name) => {
          const message = `\`${key}\` is the resource \`${uri}\`, and its input has no field \`${name}\`.`;
          const nearest = findNearest(name, inputFields);
          const hint = nearest === undefined ? 'Add the field to the input.' : `Did you mean \`${nearest}\`?`;
          return toProblem(message, hint);
        }),
    );
    return [
      ...(intent === 'query' ? [] : [toProblem(unread, "Say that it is one: capability(schema, handler, 'query').")]),
      ...unknown,
      ...(other === undefined ? [] : [toProblem(same, "Name one: .prompt({ name: '…' }).")]),
    ];
  });
}

/** The names in the braces of an address, as RFC 6570 has them: `{id}`, `{?page,size}`, `{path*}`. */
function toNames(uri: string): readonly string[] {
  return [...uri.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().replace(/\*$|:\d+$/, '')),
  );
}
