import {
  isSameNoun,
  splitWords,
  toUrlCase,
  urlCases,
} from '../../server-runtime/routing/infer-route.ts';
import type { Listed } from './manifest.ts';

/**
 * The line that shortens a route which says the noun of its group twice: `.route('POST', '/patients/import')` for
 * `patients.importPatients`, which is `POST /patients/import-patients`. Undefined where a route says nothing twice.
 */
export function findShorterRoute({
  name,
  groups,
  method,
  path,
  facts: { rule, inputFields = [] },
}: Pick<Listed, 'name' | 'groups' | 'method' | 'path' | 'facts'>): string | undefined {
  const isNamed = rule?.id === 'named-query' || rule?.id === 'named-mutation';
  const segments = path.split('/').filter(Boolean);
  const urlCase = urlCases.find((each) => toUrlCase(name, each) === segments.at(-1));
  const verb = findVerb(name, groups.at(-1) ?? '');
  if (!isNamed || urlCase === undefined || verb === undefined) return undefined;
  const before = segments.slice(0, -1);
  const names = groups.map((group) => toUrlCase(group, urlCase));
  // A group with a path of its own stands before what `.route` says, and so does the prefix.
  const isOwn = (count: number): boolean =>
    names.slice(-count).join('/') === before.slice(-count).join('/');
  const count = names.findLastIndex((_, at) => !isOwn(names.length - at));
  const own = names.slice(count + 1);
  const id = inputFields.includes('id') && !before.includes(':id') ? [':id'] : [];
  return `.route('${method}', '/${[...own, ...id, toUrlCase(verb, urlCase)].join('/')}')`;
}

/** `import` of `importPatients` in `patients`; undefined where the name does not end in the noun of its group. */
function findVerb(name: string, group: string): string | undefined {
  const words = splitWords(name);
  const at = words.findIndex(
    (_, from) => from > 0 && isSameNoun(words.slice(from).join(''), group),
  );
  return at === -1 ? undefined : words.slice(0, at).join('');
}
