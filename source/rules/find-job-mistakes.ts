import { readThrown } from '../../server-runtime/errors/failure.ts';
import { findCronReason } from '../../server-runtime/queue/to-job.ts';
import type { OperationFault } from '../../server-runtime/registry/compile-registry.ts';
import { createValidator } from '../../server-runtime/schema/validator.ts';
import { type Listed, toJobs } from '../manifest/listed.ts';
import type { LoadedJobs } from '../manifest/loaded-registry.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';
import { splitHint } from '../manifest/to-route-problems.ts';
import { findUnsendableFields, instead } from './find-unsendable-fields.ts';

/** Finds what is wrong with the jobs of a project: their schedules, and what no route tells already. */
export async function findJobMistakes(
  manifest: Pick<Manifest, 'document' | 'keys'>,
  { registry, faults = [] }: LoadedJobs,
): Promise<readonly Problem[]> {
  const jobs = toJobs(manifest);
  const routes = new Set(manifest.keys);
  const own = jobs.filter(({ key }) => !routes.has(key));
  const schemaOf = (key: string) => registry.find(key)?.definition.schema;
  const schedules = await Promise.all(jobs.map((job) => findScheduleMistakes(job, schemaOf(job.key))));
  return [
    ...findFaultProblems(faults, own),
    ...own.flatMap((job) => findUnsendable(job, schemaOf(job.key))),
    ...schedules.flat(),
  ];
}

type Schema = Parameters<typeof createValidator>[0];

/** In Redis a job is JSON. */
function findUnsendable(job: Listed, schema: Schema): readonly Problem[] {
  if (schema === undefined) return [];
  return findUnsendableFields(schema).map(({ path, kind }) => {
    const taken = `\`${job.key}\` takes the type \`${kind}\` ${path === '' ? 'as its input' : `in \`${path}\``}`;
    const message = `${taken}, which JSON cannot say: no queue can keep it.`;
    return toMistake('unsendable-field', job, { message, hint: `Instead: ${instead[kind]}.` });
  });
}

async function findScheduleMistakes(job: Listed, schema: Schema): Promise<readonly Problem[]> {
  const { repeat } = job.job ?? {};
  if (repeat === undefined) return [];
  const { cron, timezone, input = {} } = repeat;
  const zone = timezone === undefined ? '' : ` in \`${timezone}\``;
  const reason = await findCronReason(repeat);
  const outcome = await createValidator(schema)(input);
  return [
    ...(reason === undefined
      ? []
      : [
          toMistake('invalid-schedule', job, {
            message: `The schedule of \`${job.key}\`, \`${cron}\`${zone}, cannot be read: ${reason}`,
            hint:
              'Five fields: minute, hour, day of the month, month, day of the week; `0 3 * * *` is every night at ' +
              'three.',
          }),
        ]),
    ...(outcome.ok
      ? []
      : [
          toMistake('invalid-schedule', job, {
            message:
              `\`${job.key}\` is repeated with an input that does not fit its schema: ` + outcome.failure.message,
            hint: 'Give `repeat` an `input` that the schema accepts.',
          }),
        ]),
  ];
}

/** The operations that a server does not start with, each at its declaration. */
export function findFaultProblems(
  faults: readonly OperationFault[],
  capabilities: readonly Listed[],
): readonly Problem[] {
  return faults.flatMap(({ key, error }) => {
    const capability = capabilities.find((each) => each.key === key);
    if (capability === undefined) return [];
    return [toMistake('invalid-enhancer', capability, splitHint(readThrown(error).message))];
  });
}
