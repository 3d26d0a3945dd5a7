import type { Intent } from '../capability/intent.ts';
import type { HttpMethod } from '../capability/route/http-method.ts';
import type { RouteOverride } from './route-override.ts';

/** A fault of a route table. A server does not start on an error; `message` says what to do. */
export type RouteProblem = DuplicateRoute | InvalidOverride | UnknownOverride | IntentContradiction;

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

/** A declared intent that the name's prefix rule beats. */
export interface IntentContradiction {
  readonly kind: 'intent-contradiction';
  readonly severity: 'warning';
  readonly key: string;
  readonly declared: Intent;
  readonly effective: Intent;
  readonly message: string;
}
