import type { Guard, SecurityScheme } from '../capability/guard.ts';

/** Names of the parts of a document, told apart by their JSON: another one of a name has a number behind it. */
export interface Names<Part> {
  readonly nameOf: (wanted: string, part: Part) => string;
  readonly named: ReadonlyMap<string, Part>;
}

export function createNames<Part>(): Names<Part> {
  const named = new Map<string, Part>();
  const texts = new Map<string, string>();
  const nameOf = (wanted: string, part: Part): string => {
    const text = JSON.stringify(part);
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${count}`;
      if (named.has(name) && texts.get(name) !== text) continue;
      named.set(name, part);
      texts.set(name, text);
      return name;
    }
  };
  return { nameOf, named };
}

/** The ways to prove who one is that the guards of a document name. */
export interface SecuritySchemes {
  /** The choices of credentials with which a caller passes all of these guards. `[]` where none of them says. */
  readonly add: (guards: readonly Guard[]) => readonly Requirement[];
  readonly components: () => Record<string, SecurityScheme>;
  /** The name of a scheme in the document. */
  readonly nameOf: (scheme: SecurityScheme) => string;
}

/** The credentials that are sent together, each with its scopes; none where a caller passes without. */
type Requirement = Readonly<Record<string, readonly string[]>>;

export function createSecuritySchemes(): SecuritySchemes {
  const { nameOf: nameFor, named } = createNames<SecurityScheme>();
  const nameOf = (scheme: SecurityScheme): string => nameFor(toName(scheme), scheme);
  return {
    add: (guards) =>
      guards
        .filter(({ security }) => security !== undefined)
        .map((guard) => toChoices(guard, nameOf))
        .reduce<readonly Requirement[]>(
          (choices, others) =>
            choices.length === 0 ? others : choices.flatMap((one) => others.map((other) => join(one, other))),
          [],
        ),
    components: () => Object.fromEntries(named),
    nameOf,
  };
}

function toChoices(guard: Guard, nameOf: (scheme: SecurityScheme) => string): readonly Requirement[] {
  const { security, alternatives, scopes, isOptional } = guard;
  const all = security === undefined ? [] : [security, ...alternatives];
  const choices = all.map((scheme) => ({
    [nameOf(scheme)]: scheme.type === 'oauth2' || scheme.type === 'openIdConnect' ? scopes : [],
  }));
  return isOptional ? [...choices, {}] : choices;
}

/** Two guards may ask for scopes of one credential. */
function join(one: Requirement, other: Requirement): Requirement {
  const shared = Object.entries(other).map(([name, scopes]) => [name, [...new Set([...(one[name] ?? []), ...scopes])]]);
  return { ...one, ...(Object.fromEntries(shared) as Requirement) };
}

function toName(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'http':
      return `${scheme.scheme.toLowerCase().replace(/[^\w.-]/g, '_')}Auth`;
    case 'apiKey':
      return 'apiKeyAuth';
    case 'openIdConnect':
      return 'openIdConnect';
    case 'oauth2':
      return 'oauth2';
  }
}
