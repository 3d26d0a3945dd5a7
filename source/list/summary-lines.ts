import { toRouteReason } from '../../server-runtime/routing/infer-route.ts';
import type { ApiSchema } from '../document/branch.ts';
import { toSchemaFields } from '../document/schema-fields.ts';
import { findOutput } from '../document/to-response.ts';
import { toTypeText } from '../document/type-text.ts';
import type { Line } from '../kit/line.ts';
import { fitText, textWidth, wrapText } from '../kit/text.ts';
import { toMethodToken } from '../kit/theme.ts';
import type { Listed } from '../manifest/listed.ts';
import { toJobTexts } from '../manifest/to-job-texts.ts';
import { stripControl } from '../terminal/strip-control.ts';

/** One capability beside the list, in lines of at most `width` columns. */
export function toSummaryLines(capability: Listed, width: number): readonly Line[] {
  const { key, method, path, job, facts } = capability;
  const { description, intent, guards, inputGuards, enhancers, source, deprecation, rule } = facts;
  const text = (words: string, token?: 'muted' | 'warning'): readonly Line[] =>
    wrapText(stripControl(words), width).map((line) => [{ text: line, token }]);
  const names = [...guards, ...inputGuards].map(({ name }) => name);
  return [
    [{ text: key, token: 'title' }],
    [{ text: method, token: toMethodToken(method) }, { text: path === '' ? '' : ` ${path}` }],
    ...(description ? text(description) : []),
    ...(deprecation ? text(`deprecated${deprecation.use ? `, use ${deprecation.use}` : ''}`, 'warning') : []),
    [],
    ...(rule ? [...text(toRouteReason(key, rule), 'muted'), []] : []),
    toFact('intent', intent),
    toFact('guards', names.length === 0 ? 'public' : names.join(', ')),
    ...(enhancers.length === 0 ? [] : [toFact('enhancers', enhancers.map(({ name }) => name).join(', '))]),
    ...(job === undefined ? [] : toJobTexts(job).flatMap((each) => text(each, 'muted'))),
    ...(source ? [toFact('source', `${source.file}:${source.line}`)] : []),
    [],
    ...toSchemaLines('Input', capability.declaredInput()),
    ...toSchemaLines('Output', findOutput(capability)),
  ];
}

function toFact(label: string, value: string): Line {
  return [{ text: label.padEnd(10), token: 'muted' }, { text: value }];
}

function toSchemaLines(title: string, schema: ApiSchema | undefined): readonly Line[] {
  if (schema === undefined) return [];
  const fields = toSchemaFields(schema);
  if (fields.length === 0) return [[{ text: title, token: 'title' }, { text: `  ${toTypeText(schema)}` }]];
  const names = fields.map(({ name, required }) => `${name}${required ? '' : '?'}`);
  const width = Math.max(...names.map(textWidth));
  return [
    [{ text: title, token: 'title' }],
    ...fields.map(
      ({ type }, index): Line => [
        { text: `  ${fitText(names[index] ?? '', width)}  ` },
        { text: type, token: 'keyword' },
      ],
    ),
  ];
}
