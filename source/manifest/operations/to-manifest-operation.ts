import type { ErrorFactory } from '../../../server-runtime/errors/define-error.ts';
import type { JobSettings } from '../../../server-runtime/queue/job.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import type { ManifestError, ManifestOperation, ManifestSource } from '../manifest.ts';
import { findSourcePlace } from '../places/find-source-place.ts';
import { toProjectPath } from '../project.ts';

/** The detail in which a manifest is made. */
export type ManifestDetail = 'routes' | 'places' | 'contract' | 'full';

/** The project around an operation. */
export interface OperationPlace {
  /** Absolute path. */
  readonly root: string;
  readonly detail: ManifestDetail;
  /** The settings of jobs by key; undefined without a queue. */
  readonly jobs?: ReadonlyMap<string, JobSettings> | undefined;
}

/** The facts of an operation that hold however it is called, without schemas. */
export function toManifestOperation(operation: Operation, { root, detail, jobs }: OperationPlace): ManifestOperation {
  const { key, groups, name, intent, declaredIntent, fields, timeoutMs, definition } = operation;
  const { guards, inputGuards, enhancers, errors, answers, description, deprecation } = definition;
  const job = jobs?.get(key);
  return {
    key,
    groups,
    name,
    intent,
    declaredIntent,
    guards: guards.map((guard) => ({ name: guard.name, errors: toErrors(guard.errors), security: guard.security })),
    inputGuards: inputGuards.map((guard) => ({ name: guard.name, errors: toErrors(guard.errors) })),
    enhancers: enhancers.map((enhancer) => ({
      name: enhancer.name,
      settings: enhancer.settings,
      errors: toErrors(enhancer.errors),
    })),
    errors: toErrors(errors),
    answers: answers.map(({ status, kind, contentTypes, description: about }) => ({
      status,
      kind,
      contentTypes,
      description: about,
      headers: {},
    })),
    description,
    deprecation,
    timeoutMs,
    inputFields: fields && [...fields.keys()],
    ...(job === undefined ? {} : { job }),
    source: detail === 'routes' ? undefined : toSource(definition.declaredAt?.stack, root),
  };
}

function toErrors(errors: readonly ErrorFactory[]): readonly ManifestError[] {
  return errors.map(({ errorName, status }) => ({ name: errorName, status }));
}

function toSource(stack: string | undefined, root: string): ManifestSource | undefined {
  const place = findSourcePlace(stack, { root });
  return place && { ...place, file: toProjectPath(place.file, root) };
}
