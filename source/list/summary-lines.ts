import { JOB } from '../document/api-operation.ts';
import type { Line } from '../kit/line/line.ts';
import { fitText, textWidth, wrapText } from '../kit/text/text-width.ts';
import { toMethodToken } from '../kit/theme/tokens.ts';
import type { ManifestOperation } from '../manifest/manifest.ts';
import { hasRoute, type Listed } from '../manifest/operations/listed.ts';
import { toJobTexts } from '../manifest/operations/to-job-texts.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toSchemaFields } from '../shape/schema-fields.ts';
import { toTypeText } from '../shape/type-text.ts';
import { stripControl } from '../terminal/control/strip-control.ts';

/** One capability beside the list, in lines of at most `width` columns. */
export function toSummaryLines(capability: Listed, width: number): readonly Line[] {
  const { key, description, intent, guards, inputGuards, enhancers, source, deprecation, job } = capability;
  const text = (words: string, token?: 'muted' | 'warning'): readonly Line[] =>
    wrapText(stripControl(words), width).map((line) => [{ text: line, token }]);
  const names = [...guards, ...inputGuards].map(({ name }) => name);
  return [
    [{ text: key, token: 'title' }],
    ...(hasRoute(capability)
      ? [[{ text: capability.method, token: toMethodToken(capability.method) }, { text: ` ${capability.path}` }]]
      : [[{ text: JOB, token: toMethodToken(JOB) }]]),
    ...(description ? text(description) : []),
    ...(deprecation ? text(`deprecated${deprecation.use ? `, use ${deprecation.use}` : ''}`, 'warning') : []),
    [],
    ...(hasRoute(capability) ? [...text(capability.explanation.fired.replace(/^[A-Z]+ \S+: /, ''), 'muted'), []] : []),
    toFact('intent', intent),
    toFact('guards', names.length === 0 ? 'public' : names.join(', ')),
    ...(enhancers.length === 0 ? [] : [toFact('enhancers', enhancers.map(({ name }) => name).join(', '))]),
    ...(job === undefined ? [] : toJobTexts(job).flatMap((each) => text(each, 'muted'))),
    ...(source ? [toFact('source', `${source.file}:${source.line}`)] : []),
    [],
    ...toSchemaLines('Input', capability.input),
    ...toSchemaLines('Output', capability.output),
  ];
}

function toFact(label: string, value: string): Line {
  return [{ text: label.padEnd(10), token: 'muted' }, { text: value }];
}

function toSchemaLines(title: string, schema: ManifestOperation['input']): readonly Line[] {
  if (schema === undefined) return [];
  const shape = toShape(schema.json);
  const fields = toSchemaFields(shape);
  if (fields.length === 0) return [[{ text: title, token: 'title' }, { text: `  ${toTypeText(shape)}` }]];
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
