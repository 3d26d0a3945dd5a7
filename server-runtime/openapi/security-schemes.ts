import type { Guard, SecurityScheme } from '../capability/guard.ts';

/** Puts a part of a document under its name, and gives that: another part of a name has a number behind it. */
export function addNamed<Part>(named: Map<string, Part>, wanted: string, part: Part): string {
  const isOther = (name: string): boolean =>
    named.has(name) && JSON.stringify(named.get(name)) !== JSON.stringify(part);
  let name = wanted;
  for (let count = 2; isOther(name); count++) name = `${wanted}${count}`;
  named.set(name, part);
  return name;
}

/** The schemes of a document, by their names. */
export type Schemes = Map<string, SecurityScheme>;

/** Credentials that are sent together, each with its scopes. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/** The choices of credentials with which a caller passes all of these guards. `[]` where none of them says. */
export function toSecurity(guards: readonly Guard[], schemes: Schemes): readonly Requirement[] {
  const [first = [], ...others] = guards.flatMap(({ security, scopes, isOptional }) => {
    if (security.length === 0) return [];
    const choices = security.map((scheme): Requirement => {
      const hasScopes = scheme.type === 'oauth2' || scheme.type === 'openIdConnect';
      return { [toSchemeName(scheme, schemes)]: hasScopes ? scopes : [] };
    });
    return [isOptional ? [...choices, {}] : choices];
  });
  return others.reduce((choices, more) => choices.flatMap((one) => more.map((other) => join(one, other))), first);
}

/** Two guards may ask for scopes of one credential. */
function join(one: Requirement, other: Requirement): Requirement {
  const shared = Object.entries(other).map(([name, scopes]) => [name, [...new Set([...(one[name] ?? []), ...scopes])]]);
  return { ...one, ...(Object.fromEntries(shared) as Requirement) };
}

export function toSchemeName(scheme: SecurityScheme, schemes: Schemes): string {
  const word = scheme.type === 'http' ? scheme.scheme.toLowerCase().replace(/[^\w.-]/g, '_') : scheme.type;
  return addNamed(schemes, scheme.type === 'http' || scheme.type === 'apiKey' ? `${word}Auth` : word, scheme);
}
