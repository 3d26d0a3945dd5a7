import type { JobObject } from '../http/document/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import { type DocumentNotes, toNoted } from './document-notes.ts';
import type { SchemaConverter } from './schema-converter.ts';

/** A capability that a queue runs, with how. */
export interface DocumentedJob {
  readonly operation: Operation;
  readonly settings: Omit<JobObject, 'description' | 'input'>;
}

/** The jobs by key. */
export function toJobObjects(
  jobs: readonly DocumentedJob[],
  { convert }: Pick<SchemaConverter, 'convert'>,
  notes?: DocumentNotes,
): Readonly<Record<string, JobObject>> {
  return Object.fromEntries(
    jobs.map(({ operation, settings: { maxJobs, attempts, backoffMs, rate, repeat } }): [string, JobObject] => {
      const { schema, description } = operation.definition;
      return [
        operation.key,
        {
          ...(description === undefined ? {} : { description }),
          ...(schema === undefined ? {} : { input: convert({ schema, name: toName(operation) }) }),
          maxJobs,
          attempts,
          backoffMs,
          ...(rate === undefined ? {} : { rate }),
          ...(repeat === undefined ? {} : { repeat }),
          ...toNoted(notes?.ofJob(operation)),
        },
      ];
    }),
  );
}

/** `emails.sendWelcome` takes a `SendWelcomeInput`. */
function toName({ name }: Operation): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
}
