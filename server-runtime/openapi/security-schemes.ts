import type { Guard, SecurityScheme } from '../capability/guard.ts';

/** Names of the parts of a document, told apart by their JSON: another one of a name has a number behind it. */
export interface Names<Part> {
  readonly nameOf: (wanted: string, part: Part) => string;
  readonly named: ReadonlyMap<string, Part>;
}

export function createNames<Part>(): Names<Part> {
  const named = new Map<string, Part>();
  const nameOf = (wanted: string, part: Part): string => {
    const isOther = (name: string): boolean =>
      named.has(name) && JSON.stringify(named.get(name)) !== JSON.stringify(part);
    let name = wanted;
    for (let count = 2; isOther(name); count++) name = `${wanted}${count}`;
    named.set(name, part);
    return name;
  };
  return { nameOf, named };
}

/** Credentials that are sent together, each with its scopes. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/** The choices of credentials with which a caller passes all of these guards. `[]` where none of them says. */
export function toSecurity(guards: readonly Guard[], schemes: Names<SecurityScheme>): readonly Requirement[] {
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

export function toSchemeName(scheme: SecurityScheme, { nameOf }: Names<SecurityScheme>): string {
  if (scheme.type === 'http') return nameOf(`${scheme.scheme.toLowerCase().replace(/[^\w.-]/g, '_')}Auth`, scheme);
  return nameOf(scheme.type === 'apiKey' ? 'apiKeyAuth' : scheme.type, scheme);
}
