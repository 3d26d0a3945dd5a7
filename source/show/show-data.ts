import type { CapabilityDefinition } from '../../server-runtime/capability/definition.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import { toSchemaJson } from '../document/to-schema-json.ts';
import { hasRoute, type Listed, toJobs } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';

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
