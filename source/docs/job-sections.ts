import type { ApiDescription } from '../manifest/describe-api.ts';
import { toJobTexts } from '../manifest/operations/to-job-texts.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toTypeText } from '../shape/type-text.ts';
import { hasFields, toFieldRows } from './field-rows.ts';
import { toCode, toMarkdown, toTable } from './markdown.ts';

/** The capabilities that a queue runs, each with what is added for it; nothing without a queue. */
export function toJobSections({ document }: Pick<ApiDescription, 'document'>): readonly string[] {
  const jobs = Object.entries(document['x-jobs'] ?? {});
  if (jobs.length === 0) return [];
  const sections = jobs.flatMap(([key, { description, input, maxJobs, attempts, backoffMs, rate, repeat }]) => {
    const shape = input && toShape(input, document);
    return [
      `### ${key} as a job`,
      toCode(`enqueue('${key}', …)`),
      description === undefined ? '' : toMarkdown(description),
      `Runs ${toJobTexts({ maxJobs, attempts, backoffMs, rate, repeat }).map(toMarkdown).join('; ')}.`,
      shape === undefined
        ? ''
        : hasFields(shape)
          ? toTable(
              ['Field', 'Type', 'Required', 'Description'],
              shape.fields
                .flatMap((field) => toFieldRows(field))
                .map(({ name, type, isRequired, remarks }) => [name, type, isRequired ? 'yes' : 'no', remarks]),
            )
          : `Takes ${toCode(toTypeText(shape))}.`,
    ];
  });
  return [
    '## Jobs',
    'A queue runs these, within the server: they are added by code, and not called over HTTP.',
    ...sections,
  ];
}
