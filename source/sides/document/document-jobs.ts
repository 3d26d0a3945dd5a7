import type { Manifest, ManifestJob } from '../../manifest/manifest.ts';
import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';

/** The jobs that a document tells of in `x-jobs`; nothing where it does not. */
export function toDocumentJobs(document: SchemaJson): Pick<Manifest, 'jobs'> {
  const jobs = document['x-jobs'];
  if (!isSchemaObject(jobs)) return {};
  return {
    jobs: Object.entries(jobs).flatMap(([key, job]) => (isSchemaObject(job) ? [toJob(key, job, document)] : [])),
  };
}

function toJob(key: string, { input, maxJobs, attempts, backoffMs, rate, repeat }: SchemaJson, document: SchemaJson) {
  return {
    key,
    groups: [],
    name: key,
    intent: 'mutation',
    guards: [],
    inputGuards: [],
    enhancers: [],
    errors: [],
    answers: [],
    // References lead into the document: it goes with them.
    input: isSchemaObject(input) ? { json: { ...input, components: document['components'] } } : undefined,
    job: {
      maxJobs: Number(maxJobs),
      attempts: Number(attempts),
      backoffMs: Number(backoffMs),
      rate,
      repeat,
    } as ManifestJob['job'],
  } satisfies ManifestJob;
}
