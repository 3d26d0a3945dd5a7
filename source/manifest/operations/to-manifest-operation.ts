import type { CapabilityDefinition } from '../../../server-runtime/capability/capability-definition.ts';
import { innerPartsOf } from '../../../server-runtime/capability/enhancer.ts';
import type { ErrorFactory } from '../../../server-runtime/errors/define-error.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import type { JobSettings } from '../../../server-runtime/server/jobs/job.ts';
import type { ManifestError, ManifestOperation } from '../manifest.ts';
import { toDeclarationSource } from '../places/declaration-source.ts';
import type { OperationSchemas } from './operation-schemas.ts';

/** The detail in which a manifest is made. */
export type ManifestDetail = 'routes' | 'places' | 'contract' | 'full';

/** The project around an operation. */
export interface OperationPlace {
  /** Absolute path. */
  readonly root: string;
  readonly detail: ManifestDetail;
  /** The settings of jobs by key; undefined without a queue. */
  readonly jobs?: ReadonlyMap<string, JobSettings> | undefined;
  /** Makes the schemas of an operation data. @default they are left out */
  readonly toSchemas?: ((definition: CapabilityDefinition) => OperationSchemas) | undefined;
}

/** The facts of an operation that hold however it is called. */
export function toManifestOperation(operation: Operation, place: OperationPlace): ManifestOperation {
  const { root, detail, jobs, toSchemas } = place;
  const { key, groups, name, intent, declaredIntent, fields, timeoutMs, definition } = operation;
  const { guards, inputGuards, enhancers, errors, answers, description, deprecation } = definition;
  const job = jobs?.get(key);
  const schemas = toSchemas?.(definition);
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
      kind: innerPartsOf(enhancer).kind,
      settings: enhancer.settings,
      errors: toErrors(enhancer.errors),
    })),
    errors: toErrors(errors),
    answers: answers.map(({ status, kind, contentTypes, description: about }, index) => ({
      status,
      kind,
      contentTypes,
      description: about,
      headers: {},
      ...schemas?.answers[index],
    })),
    description,
    deprecation,
    timeoutMs,
    inputFields: fields && [...fields.keys()],
    ...(job === undefined ? {} : { job }),
    source: detail === 'routes' ? undefined : toDeclarationSource(definition.declaredAt, root),
    ...(schemas === undefined ? {} : { input: schemas.input, output: schemas.output }),
  };
}

function toErrors(errors: readonly ErrorFactory[]): readonly ManifestError[] {
  return errors.map(({ errorName, status }) => ({ name: errorName, status }));
}
