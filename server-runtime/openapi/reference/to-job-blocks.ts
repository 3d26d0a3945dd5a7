import type { OpenApiDocument } from '../../http/document/openapi-document.ts';
import type { Block, Span } from './block.ts';
import { toRemarks } from './field-lines.ts';
import { followSchema, toFields, toTypeWords } from '../schema-words.ts';

/** The capabilities that a queue runs. */
export function toJobBlocks(document: OpenApiDocument): readonly Block[] {
  const jobs = Object.entries(document['x-jobs'] ?? {});
  if (jobs.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: 'Jobs' },
    {
      kind: 'text',
      line: ['A queue runs these, within the server: they are added by code, and not called over HTTP.'],
    },
    ...jobs.flatMap(
      ([key, { description = '', input, maxJobs, attempts, backoffMs, rate, repeat }]): readonly Block[] => {
        const words: Span[] = [
          `Runs ${maxJobs} at once in each process, in ${attempts} attempts, ${backoffMs} ms apart at first`,
        ];
        if (rate !== undefined) words.push(`, at most ${rate.limit} in ${rate.windowMs} ms`);
        if (repeat !== undefined)
          words.push(
            ', repeated at ',
            { code: repeat.cron },
            repeat.timezone === undefined ? '' : ` in ${repeat.timezone}`,
          );
        const fields = input === undefined ? [] : toFields(followSchema(input, document.components.schemas));
        return [
          { kind: 'heading', level: 3, text: `${key} as a job` },
          { kind: 'text', line: [{ code: `enqueue('${key}', …)` }] },
          { kind: 'foreign', text: description },
          { kind: 'text', line: [...words, '.'] },
          {
            kind: 'table',
            head: ['Field', 'Type', 'Required', 'Description'],
            rows: fields.map(({ name, schema, isRequired }) => [
              [{ code: name }],
              [{ code: toTypeWords(schema) }],
              [isRequired ? 'yes' : 'no'],
              toRemarks(schema),
            ]),
          },
        ];
      },
    ),
  ];
}
