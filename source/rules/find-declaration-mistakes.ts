import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** Finds declarations that contradict themselves. `today`: ISO date. */
export function findDeclarationMistakes(capabilities: readonly Listed[], today: string): readonly Problem[] {
  const keys = new Set(capabilities.map(({ key }) => key));
  const told = new Set<string>();
  const guardedGroups = new Set(capabilities.filter((each) => changes(each) && isGuarded(each)).map(toGroup));
  return capabilities.flatMap((capability) => [
    ...findUnknownReplacement(capability, keys),
    ...findBadSunset(capability, today),
    ...(changes(capability) && !isGuarded(capability) && guardedGroups.has(toGroup(capability))
      ? [toUnguardedMutation(capability)]
      : []),
    ...findBadName(capability, keys),
    ...findBadGroup(capability, told),
  ]);
}

/** Each group is told once, at its first capability. */
function findBadGroup(capability: Listed, told: Set<string>): readonly Problem[] {
  const { groups } = capability;
  return groups.flatMap((group, depth): readonly Problem[] => {
    const place = groups.slice(0, depth + 1).join('.');
    if (isCamelCase(group) || told.has(place)) return [];
    told.add(place);
    const message = `The group \`${place}\` is not in camel case, unlike every other name in a path or a client.`;
    return [toMistake('name-case', capability, { message, hint: `Call it \`${toCamelCase(group)}\`.` })];
  });
}

/** Letters and digits are all that a name may have. */
function isCamelCase(name: string): boolean {
  return !/^[A-Z]/.test(name);
}

function toCamelCase(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

function findUnknownReplacement(capability: Listed, keys: ReadonlySet<string>): readonly Problem[] {
  const use = capability.facts.deprecation?.use;
  if (use === undefined || keys.has(use)) return [];
  const message = `\`${capability.key}\` is deprecated in favour of \`${use}\`, which does not exist.`;
  const nearest = findNearest(use, keys);
  if (nearest === undefined || nearest === capability.key)
    return [
      toMistake('unknown-replacement', capability, { message, hint: 'Name the key of a capability: <group>.<name>.' }),
    ];
  return [toMistake('unknown-replacement', capability, { message, hint: `Did you mean \`${nearest}\`?` })];
}

function findBadSunset(capability: Listed, today: string): readonly Problem[] {
  const sunset = capability.facts.deprecation?.sunset;
  if (sunset === undefined) return [];
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(sunset) && !Number.isNaN(Date.parse(sunset)) && isDay(sunset.slice(0, 10));
  if (isDate && sunset.slice(0, 10) >= today) return [];
  const message = isDate
    ? `\`${capability.key}\` should have gone away on ${sunset}.`
    : `\`${capability.key}\` goes away on \`${sunset}\`, which is not a date.`;
  const hint = isDate ? 'Remove it, or give its callers another date.' : "Write an ISO date: sunset: '2027-01-31'.";
  return [toMistake('bad-sunset', capability, { message, hint })];
}

/** `Date` takes the 31st of February for the 3rd of March. */
function isDay(text: string): boolean {
  const atMs = Date.parse(text);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
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

const prefixes = ['get', 'list', 'find', 'search', 'create', 'update', 'replace', 'delete', 'remove', 'add', 'fetch'];

/** Finds nothing where the right name is declared, too: names that differ in case are another problem. */
function findBadName(capability: Listed, keys: ReadonlySet<string>): readonly Problem[] {
  const { key, name, groups, facts, method, path } = capability;
  if (facts.rule?.id === 'override') return [];
  if (!isCamelCase(name)) {
    const meant = toCamelCase(name);
    if (keys.has([...groups, meant].join('.'))) return [];
    const message = `\`${key}\` is not in camel case, so that no prefix of it makes a route: it is ${method} ${path}.`;
    return [toMistake('name-case', capability, { message, hint: `Call it \`${meant}\`.` })];
  }
  const group = groups.at(-1)?.toLowerCase();
  const prefix = prefixes.find(
    (each) => group !== undefined && isNameOf(name.slice(each.length), group) && name.startsWith(each),
  );
  if (prefix === undefined) return [];
  const meant = `${prefix}${name[prefix.length]?.toUpperCase()}${name.slice(prefix.length + 1)}`;
  if (keys.has([...groups, meant].join('.'))) return [];
  const message = `\`${key}\` is ${method} ${path}: \`${prefix}\` makes a route only before a capital letter.`;
  return [toMistake('near-prefix', capability, { message, hint: `Call it \`${meant}\`.` })];
}

/** `user`, `users` of the group `users`; in small letters. */
function isNameOf(rest: string, group: string): boolean {
  return (
    rest !== '' &&
    rest === rest.toLowerCase() &&
    [group, `${group}s`, group.replace(/s$/, ''), group.replace(/ies$/, 'y')].includes(rest)
  );
}

/** Finds resources and prompts with which a server for agents would not start. */
export function findOfferMistakes(capabilities: readonly Listed[]): readonly Problem[] {
  const prompts = new Map<string, string>();
  return capabilities.flatMap((capability) => {
    const { key, facts } = capability;
    const { intent, offers, inputFields = [] } = facts;
    if (offers === undefined) return [];
    const toProblem = (message: string, hint: string): Problem =>
      toMistake('invalid-offer', capability, { message, hint });
    const kind = offers.resources.length > 0 ? 'resource' : 'prompt';
    const unread = `\`${key}\` is a ${kind} for agents and not a query, so that a server for agents does not start.`;
    return [
      ...(intent === 'query' ? [] : [toProblem(unread, "Say that it is one: capability(schema, handler, 'query').")]),
      ...offers.resources.flatMap(({ uri }) =>
        toNames(uri)
          .filter((name) => !inputFields.includes(name))
          .map((name) => {
            const message = `\`${key}\` is the resource \`${uri}\`, and its input has no field \`${name}\`.`;
            const nearest = findNearest(name, inputFields);
            return toProblem(
              message,
              nearest === undefined ? `Add the field to the input.` : `Did you mean \`${nearest}\`?`,
            );
          }),
      ),
      ...(offers.prompt === undefined ? [] : findSamePrompt(offers.prompt, key, prompts)).map((other) =>
        toProblem(
          `\`${other}\` and \`${key}\` are both the prompt \`${offers.prompt}\`.`,
          "Name one: .prompt({ name: '…' }).",
        ),
      ),
    ];
  });
}

/** The key of the capability that has the prompt already. */
function findSamePrompt(prompt: string, key: string, prompts: Map<string, string>): readonly string[] {
  const other = prompts.get(prompt);
  if (other !== undefined) return [other];
  prompts.set(prompt, key);
  return [];
}

/** The names in the braces of an address, as RFC 6570 has them: `{id}`, `{?page,size}`, `{path*}`. */
function toNames(uri: string): readonly string[] {
  return [...uri.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().replace(/\*$|:\d+$/, '')),
  );
}
