import type { Guard, SecurityScheme } from '../capability/guard.ts';

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
  const schemes = new Map<string, SecurityScheme>();
  const nameOf = (scheme: SecurityScheme): string => {
    const wanted = toName(scheme);
    for (let attempt = 1; ; attempt++) {
      const name = attempt === 1 ? wanted : `${wanted}${attempt}`;
      const known = schemes.get(name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(scheme)) continue;
      schemes.set(name, scheme);
      return name;
    }
  };
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
    components: () => Object.fromEntries(schemes),
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
