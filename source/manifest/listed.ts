import { findDocumentFacts } from '../document/facts.ts';
import { type ApiOperation, JOB } from '../document/operations/api-operation.ts';
import { readJobs, readOperations } from '../document/operations/read-operations.ts';
import { remember } from '../values/once.ts';
import type { Manifest } from './manifest.ts';

/** A capability of the project at its first route, or as a job. */
export interface Listed extends ApiOperation {
  readonly facts: NonNullable<ApiOperation['facts']>;
}

type Documented = Pick<Manifest, 'document' | 'keys'>;

/** The capabilities in the order of declaration. The same list for the same document. */
export function toCapabilities(manifest: Documented): readonly Listed[] {
  return toLists(manifest).capabilities;
}

/** Everything that is listed: the capabilities, then the jobs. The same list for the same document. */
export function toListed(manifest: Documented): readonly Listed[] {
  return toLists(manifest).all;
}

interface Lists {
  readonly capabilities: readonly Listed[];
  readonly all: readonly Listed[];
}

const known = new WeakMap<object, Lists>();

function toLists({ document, keys }: Documented): Lists {
  return remember(known, document, () => {
    const main = readOperations(document).filter(
      (each): each is Listed => each.isMain && each.facts !== undefined,
    );
    const byKey = new Map(main.map((operation) => [operation.key, operation]));
    const capabilities = keys.flatMap((key) => byKey.get(key) ?? []);
    return { capabilities, all: [...capabilities, ...toJobs({ document })] };
  });
}

/** The capabilities that a queue runs, in the order of declaration. */
export function toJobs({ document }: Pick<Manifest, 'document'>): readonly Listed[] {
  return readJobs(document) as readonly Listed[];
}

/** The place where a capability of a project is declared. */
export function findSource(
  manifest: Documented | undefined,
  key: string | undefined,
): Listed['facts']['source'] {
  return manifest && toListed(manifest).find((listed) => listed.key === key)?.facts.source;
}

export function hasQueue({ document }: Pick<Manifest, 'document'>): boolean {
  return findDocumentFacts(document)?.queuePrefixes !== undefined;
}

export function hasRoute({ method }: Pick<ApiOperation, 'method'>): boolean {
  return method !== JOB;
}

/** The notice where the user wants of a job what only a route has, such as its curl command. */
export const NO_ROUTE = 'Only the queue runs it; capix call runs it without a screen';
