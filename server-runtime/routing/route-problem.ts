import type { Intent } from '../capability/intent.ts';
import type { HttpMethod } from '../capability/route/http-method.ts';
import { findFurtherVerb } from './infer/find-further-verb.ts';
import type { RouteOverride } from './route-override.ts';

/** A fault of a route table. A server does not start on an error; `message` says what to do. */
export type RouteProblem = DuplicateRoute | InvalidOverride | UnknownOverride | IntentContradiction | NameSaysMore;

/** Two capabilities answer the same requests; the first one declared would take them all. */
export interface DuplicateRoute {
  readonly kind: 'duplicate-route';
  readonly severity: 'error';
  /** The two keys in the order of declaration. */
  readonly keys: readonly [string, string];
  readonly method: HttpMethod;
  readonly path: string;
  /** A free route for the second key. */
  readonly override: RouteOverride;
  readonly message: string;
}

export interface InvalidOverride {
  readonly kind: 'invalid-override';
  readonly severity: 'error';
  readonly key: string;
  readonly message: string;
}

/** An override that changes nothing. A warning for a server that starts; `check` counts it as an error. */
export interface UnknownOverride {
  readonly kind: 'unknown-override';
  readonly severity: 'warning';
  readonly key: string;
  /** The key that was probably meant. */
  readonly nearest: string | undefined;
  readonly message: string;
}

/** A name that says more than its first word, which alone decides the route. */
export interface NameSaysMore {
  readonly kind: 'name-says-more';
  readonly severity: 'warning';
  readonly key: string;
  readonly message: string;
}

/** Undefined for a name that says no more than its first word. */
export function toFurtherVerbMessage({
  key,
  name,
}: {
  readonly key: string;
  readonly name: string;
}): string | undefined {
  const verb = findFurtherVerb(name);
  const [first = ''] = /^[a-z]+/.exec(name) ?? [];
  if (verb === undefined) return undefined;
  return (
    `The route of \`${key}\` follows from \`${first}\` alone, although its name also says \`${verb}\`. Rename it ` +
    'after what it changes.'
  );
}

/** A declared intent that the name's prefix rule beats. */
export interface IntentContradiction {
  readonly kind: 'intent-contradiction';
  readonly severity: 'warning';
  readonly key: string;
  readonly declared: Intent;
  readonly effective: Intent;
  readonly message: string;
}
