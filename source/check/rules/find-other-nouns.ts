import { isSameNoun, toUrlCase } from '../../../server-runtime/routing/infer-route.ts';
import { type Problem, toMistake } from '../../manifest/check-rules.ts';
import type { Listed } from '../../manifest/manifest.ts';

/**
 * Finds names whose noun is not that of their group, although the first word alone makes the route: `orgs.addMember` is
 * `POST /orgs`, and `orgs.removeMember` is `DELETE /orgs/:id`. The hint is the route that was probably meant.
 */
export function findOtherNouns(capabilities: readonly Listed[]): readonly Problem[] {
  return capabilities.flatMap((capability) => {
    const { key, groups, method, path } = capability;
    const noun = findOtherNoun(capability);
    if (noun === undefined) return [];
    const meant = toMeantPath(capability, noun);
    const message =
      `\`${key}\` is ${method} ${path}: its first word alone makes the route, and \`${noun}\` is not what ` +
      `\`${groups.at(-1) ?? ''}\` holds.`;
    const hint =
      `Give it a route of its own: .route('${method}', '${meant}'). Or rename it, or say in the settings that it ` +
      'is meant.';
    return [toMistake('other-noun', capability, { message, hint })];
  });
}

/** The rules by which the first word of a name alone makes its route. */
const withOneNoun: ReadonlySet<string> = new Set([
  'create',
  'update',
  'replace',
  'delete',
  'collection',
]);

/** `Member` of `addMember` in `orgs`; undefined where the name says nothing else than its group, or no noun. */
function findOtherNoun({ name, groups, facts: { rule } }: Listed): string | undefined {
  const group = groups.at(-1);
  if (group === undefined || rule === undefined || !('prefix' in rule) || !withOneNoun.has(rule.id))
    return undefined;
  const noun = name.slice(rule.prefix.length);
  const words = noun.match(/[A-Z]+(?![a-z])|[A-Z][a-z\d]*|\d+/g) ?? [];
  const [first = ''] = words;
  if (words.length === 0 || notNouns.has(first)) return undefined;
  const isGroup = words.some((_, from) =>
    words
      .slice(from)
      .some((_word, length) => isSameNoun(words.slice(from, from + length + 1).join(''), group)),
  );
  if (isGroup) return undefined;
  // A word behind a reading verb is as often a quality (`listActive`) as a noun, which is then a plural.
  return rule.id === 'collection' && !/[^s]s$/.test(noun) ? undefined : noun;
}

/** Words behind a verb that are about what the group holds. */
const notNouns: ReadonlySet<string> = new Set(
  `All Many Some One Each Any Bulk Batch Multiple By For From With Without In Of To At On If Or And Me My Own Self New
  Current Now`.split(/\s+/),
);

/** `/orgs/:orgId/members/:userId`, of fields that the input has. */
function toMeantPath({ groups, facts: { inputFields = [], rule } }: Listed, noun: string): string {
  const group = groups.at(-1) ?? '';
  const ids = inputFields.filter((field) => /^id$|Id$/.test(field));
  const holder =
    ids.find((field) => isSameNoun(field.replace(/Id$/, ''), group)) ??
    ids.find((field) => field === 'id');
  const isOne = rule?.id !== 'create' && rule?.id !== 'collection';
  const others = ids.filter((field) => field !== holder);
  const member = isOne ? (others.find((field) => field !== 'id') ?? others[0]) : undefined;
  const own = noun.charAt(0).toLowerCase() + noun.slice(1);
  const segments = [
    ...groups.map((each) => toUrlCase(each, 'kebab')),
    ...(holder === undefined ? [] : [`:${holder}`]),
    toUrlCase(toPlural(own), 'kebab'),
    ...(member === undefined ? [] : [`:${member}`]),
  ];
  return `/${segments.join('/')}`;
}

function toPlural(noun: string): string {
  if (noun.endsWith('s')) return noun;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
