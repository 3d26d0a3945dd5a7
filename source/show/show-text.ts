import type { CapabilityDefinition } from '../../server-runtime/capability/definition.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import type { SchemaField } from '../document/schema-fields.ts';
import { toSchemaJson } from '../document/to-schema-json.ts';
import { hasRoute, type Listed, toJobs } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { stripControl } from '../terminal/strip-control.ts';
import {
  type CapabilityDescription,
  type Fact,
  noInput,
  type SchemaDescription,
  toFacts,
  toFieldNote,
  toMissingOutput,
} from './describe-capability.ts';

/**
 * A capability as text, with a line feed at its end and free of escape sequences:
 *
 *     items.getItem
 *
 *       Route      GET /items/:id
 *       Because    `getItem` starts with `get` and the input has `id`.
 *       …
 *
 *     Input
 *       id  string  required
 */
export function toShowText(description: CapabilityDescription): string {
  const { key, description: text, input, output } = description;
  const sections = [
    key,
    ...(text === undefined ? [] : [indent(text.split('\n'))]),
    indent(toFactLines(toFacts(description))),
    `Input\n${indent(toSchemaLines(input, noInput))}`,
    `Output\n${indent(toSchemaLines(output, toMissingOutput(description)))}`,
  ];
  return `${stripControl(sections.join('\n\n'))}\n`;
}

function toFactLines(facts: readonly Fact[]): readonly string[] {
  const width = Math.max(LABEL_WIDTH, ...facts.map(({ label }) => label.length + 1));
  return facts.flatMap(({ label, values }) =>
    values.map((value, index) => `${(index === 0 ? label : '').padEnd(width)}${value}`),
  );
}

/** The width of the labels of the facts that nearly every capability has. */
const LABEL_WIDTH = 11;

function toSchemaLines(schema: SchemaDescription | undefined, missing: string): readonly string[] {
  if (schema === undefined) return [missing];
  if (schema.fields.length === 0) return [schema.type === 'object' ? 'object without fields' : schema.type];
  return toFieldLines(schema.fields);
}

/** One line a field, the fields inside it indented below. Columns line up among siblings. */
function toFieldLines(fields: readonly SchemaField[]): readonly string[] {
  const nameWidth = Math.max(...fields.map(({ name }) => name.length));
  const typeWidth = Math.max(...fields.map(({ type }) => type.length));
  return fields.flatMap((field) => [
    `${field.name.padEnd(nameWidth)}  ${field.type.padEnd(typeWidth)}  ${toFieldNote(field)}`.trimEnd(),
    ...(field.fields.length === 0 ? [] : toFieldLines(field.fields).map((line) => `  ${line}`)),
  ]);
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

/**
 * A capability as `show --json` prints it. Its schemas stand alone, while those of the document refer to components.
 */
export function toShowData(capability: Listed, definition: CapabilityDefinition, manifest: Manifest) {
  const { key, groups, name, method, path, otherRoutes, params, body, facts } = capability;
  const { intent, declaredIntent, sent, rule, guards, inputGuards, enhancers, errors, answers } = facts;
  const { description, deprecation, timeoutMs, inputFields, idempotencyKey, cacheControl, tool, offers } = facts;
  const takesForm = hasRoute(capability) && definition.request.form === true && body !== undefined ? true : undefined;
  return {
    key,
    groups,
    name,
    intent,
    declaredIntent,
    ...(hasRoute(capability) && { method, path, otherRoutes, params, sent, takesForm, rule }),
    guards: guards.map(({ credentials: _names, ...guard }, index) => ({
      ...guard,
      security: definition.guards[index]?.security,
    })),
    inputGuards,
    enhancers,
    errors,
    answers: answers.map((answer, index) => {
      const { schema, headers = {} } = definition.answers[index] ?? {};
      const all = Object.entries(headers).map(([header, each]) => [header, toView(each, 'output')] as const);
      return { ...answer, headers: Object.fromEntries(all), schema: toView(schema, 'output') };
    }),
    description,
    deprecation,
    timeoutMs,
    inputFields,
    ...(hasRoute(capability) && { idempotencyKey, cacheControl, tool, offers }),
    job: toJobs(manifest).find((job) => job.key === key)?.job,
    source: facts.source,
    input: toView(definition.schema, 'input'),
    output: toView(definition.output, 'output'),
  };
}

function toView(schema: Schema | undefined, side: 'input' | 'output') {
  return schema && { json: toSchemaJson(schema, side) };
}
