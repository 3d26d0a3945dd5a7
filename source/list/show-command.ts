import type { CapabilityDefinition } from '../../server-runtime/capability/definition.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import { usageError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { readWebSockets } from '../document/operations/read-web-sockets.ts';
import { toSchemaJson } from '../document/to-schema-json.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { rememberManifest } from '../manifest/known-manifest.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import { toCallableRegistry } from '../manifest/loaded-registry.ts';
import { hasRoute, type Listed, type Manifest, toJobs, toListed } from '../manifest/manifest.ts';
import { pick } from '../values/json.ts';
import { toShowText } from './show-rows.ts';

/** `capix show <capability>`, as text or JSON. */
export default async function showCommand({
  options,
  args: [key],
  terminal,
}: PlainProps<CommonValues, readonly [key?: string | undefined]>): Promise<void> {
  if (key === undefined)
    throw usageError(
      "missing required argument 'capability'",
      'For example `capix show items.getItem`.',
    );
  const loaded = await loadRegistry({ ...options, withFaults: true }, terminal);
  const { definition } = expectCapability(key, toCallableRegistry(loaded).operations);
  const manifest = await loadManifest(loaded);
  await rememberManifest(manifest);
  const capability = expectCapability(key, toListed(manifest));
  terminal.writeOut(
    options.json
      ? toJsonOutput(toShowData(capability, definition, manifest))
      : toShowText(capability, manifest),
  );
}

/**
 * A capability as `show --json` prints it. Its schemas stand alone, while those of the document refer to components.
 */
export function toShowData(
  capability: Listed,
  definition: CapabilityDefinition,
  manifest: Manifest,
) {
  const { key, body, facts } = capability;
  const isCalled = hasRoute(capability);
  const takesForm = isCalled && definition.form === true && body !== undefined ? true : undefined;
  return {
    ...pick(capability, 'key', 'groups', 'name'),
    ...pick(facts, 'intent', 'declaredIntent'),
    ...(isCalled && {
      ...pick(capability, 'method', 'path', 'otherRoutes', 'params'),
      sent: facts.sent,
      takesForm,
      wholeBody: facts.body,
      ...pick(facts, 'maxBodySize', 'rule'),
    }),
    guards: facts.guards.map(({ credentials: _names, ...guard }, index) => ({
      ...guard,
      security: definition.guards[index]?.security,
    })),
    ...pick(facts, 'inputGuards', 'enhancers', 'errors'),
    answers: facts.answers.map((answer, index) => {
      const { schema, headers = {} } = definition.answers[index] ?? {};
      const all = Object.entries(headers).map(
        ([header, each]) => [header, toView(each, 'output')] as const,
      );
      return { ...answer, headers: Object.fromEntries(all), schema: toView(schema, 'output') };
    }),
    ...pick(facts, 'description', 'deprecation', 'timeoutMs', 'inputFields'),
    ...(isCalled && {
      ...pick(facts, 'idempotencyKey', 'cacheControl', 'tool', 'offers'),
      webSockets: readWebSockets(manifest.document).map((socket) => ({
        ...pick(socket, 'path', 'protocols'),
        method: key,
      })),
    }),
    graphqlField: facts.graphqlField,
    job: toJobs(manifest).find((job) => job.key === key)?.job,
    source: facts.source,
    input: toView(definition.schema, 'input'),
    output: toView(definition.output, 'output'),
  };
}

function toView(schema: Schema | undefined, side: 'input' | 'output') {
  return schema && { json: toSchemaJson(schema, side) };
}
