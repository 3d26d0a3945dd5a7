import { readThrown } from '../../../server-runtime/errors/failure.ts';
import { findCronReason } from '../../../server-runtime/queue/to-job.ts';
import type { OperationFault } from '../../../server-runtime/registry/compile-registry.ts';
import type { Schema } from '../../../server-runtime/schema/schema.ts';
import { createValidator } from '../../../server-runtime/schema/validator.ts';
import { type Problem, toMistake } from '../../manifest/check-rules.ts';
import type { LoadedJobs } from '../../manifest/loaded-registry.ts';
import { type Listed, type Manifest, toJobs } from '../../manifest/manifest.ts';
import { splitHint } from '../../manifest/to-route-problems.ts';
import { findUnsendable } from './find-schema-mistakes.ts';

/** Finds what is wrong with the jobs of a project: their schedules, and what no route tells already. */
export async function findJobMistakes(
  manifest: Pick<Manifest, 'document' | 'keys'>,
  { registry, faults = [] }: LoadedJobs,
): Promise<readonly Problem[]> {
  const jobs = toJobs(manifest);
  const own = jobs.filter(({ key }) => !manifest.keys.includes(key));
  const schemaOf = ({ key }: Listed) => registry.find(key)?.definition.schema;
  const schedules = await Promise.all(jobs.map((job) => findScheduleMistakes(job, schemaOf(job))));
  return [
    ...findFaultProblems(faults, own),
    ...own.flatMap((job) => {
      const schema = schemaOf(job);
      return schema === undefined ? [] : findUnsendable(job, schema);
    }),
    ...schedules.flat(),
  ];
}

async function findScheduleMistakes(
  job: Listed,
  schema: Schema | undefined,
): Promise<readonly Problem[]> {
  const { repeat } = job.job ?? {};
  if (repeat === undefined) return [];
  const { cron, timezone, input = {} } = repeat;
  const zone = timezone === undefined ? '' : ` in \`${timezone}\``;
  const reason = await findCronReason(repeat);
  const outcome = await createValidator(schema)(input);
  const unread = {
    message: `The schedule of \`${job.key}\`, \`${cron}\`${zone}, cannot be read: ${reason ?? ''}`,
    hint: 'Five fields: minute, hour, day of the month, month, day of the week; `0 3 * * *` is each night at 3.',
  };
  const misfit = outcome.ok
    ? []
    : [
        `\`${job.key}\` is repeated with an input that does not fit its schema: ${outcome.failure.message}`,
      ];
  const hint = 'Give `repeat` an `input` that the schema accepts.';
  return [
    ...(reason === undefined ? [] : [unread]),
    ...misfit.map((message) => ({ message, hint })),
  ].map((mistake) => toMistake('invalid-schedule', job, mistake));
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
