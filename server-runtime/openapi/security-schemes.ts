import type { Guard, SecurityScheme } from '../capability/guard.ts';

/** The ways to prove who one is that the guards of a document name. */
export interface SecuritySchemes {
  /** The credentials that a caller must send to pass these guards: all of them. `[]` where none of them says. */
  readonly add: (guards: readonly Guard[]) => readonly Record<string, readonly string[]>[];
  readonly components: () => Record<string, SecurityScheme>;
}

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
    add: (guards) => {
      const names = guards.flatMap(({ security }) => (security === undefined ? [] : [nameOf(security)]));
      return names.length === 0 ? [] : [Object.fromEntries(names.map((name) => [name, []]))];
    },
    components: () => Object.fromEntries(schemes),
  };
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
