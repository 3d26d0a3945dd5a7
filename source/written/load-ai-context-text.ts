import { toTools } from '../../server-runtime/mcp/offers.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { createCliError } from '../cli/cli-error.ts';
import type { ApiSchema } from '../document/branch.ts';
import { withoutNotes } from '../document/to-published.ts';
import type { OwnDocument } from '../files/write-output.ts';
import { findDeclaredErrors } from '../manifest/declared-error.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { hasQueue, type Listed, toCapabilities, toJobs } from '../manifest/manifest.ts';
import { escapeJson } from '../terminal/strip-control.ts';

/** The mark by which `capix ai-context` knows its own documents. */
export const aiContextDocument: OwnDocument = {
  command: 'ai-context',
  mark: /^\{\s*"version": \d+,\s*"framework": "capix",/,
};

/** The facts that an AI assistant needs before it changes a project, as JSON: the same for the same code. */
export async function loadAiContextText(loaded: LoadedRegistry): Promise<string> {
  const manifest = await loadManifest(loaded);
  const { project, document } = manifest;
  const tools = expectToolNames(loaded.registry.operations);
  const { Error: _error, ...schemas } = document.components.schemas;
  const context = {
    version: 2,
    framework: 'capix',
    project: project.name,
    config: project.config,
    urlCase: loaded.restOptions.urlCase ?? 'kebab',
    conventions,
    capabilities: toCapabilities(manifest).map((each) => ({
      key: each.key,
      tool: tools.get(each.key) ?? null,
      method: each.method,
      path: each.path,
      ...toAiOperation(each),
    })),
    jobs: hasQueue(manifest)
      ? toJobs(manifest).map((each) => ({ key: each.key, ...each.job, ...toAiOperation(each) }))
      : undefined,
    ...(withoutNotes({ schemas }) as object),
  };
  // The document has components nowhere else than in references.
  const json = JSON.stringify(context, undefined, 1).replaceAll(
    '"#/components/schemas/',
    '"#/schemas/',
  );
  return escapeJson(`${json}\n`);
}

/** The names of the MCP tools by key; those that agents do not see have none. */
function expectToolNames(operations: readonly Operation[]): ReadonlyMap<string, string> {
  try {
    return new Map([...toTools(operations)].map(([name, { operation }]) => [operation.key, name]));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createCliError('InvalidTools', { reason: error.message }, { cause: error });
  }
}

function toAiOperation({ facts, responses, input }: Listed): object {
  const answers = facts.answers.map(({ status, kind, contentTypes }) => {
    const response = responses.find((each) => each.status === String(status));
    const types = contentTypes.length === 0 ? undefined : contentTypes;
    return { status, kind, contentTypes: types, schema: toSchemaOf(response?.data()) };
  });
  const [first] = answers;
  // Data with status 200 alone needs no words: its schema describes it.
  const isPlain = answers.length === 1 && first?.kind === 'data' && first.status === 200;
  return {
    description: facts.description,
    intent: facts.intent,
    source: facts.source?.file,
    offers: facts.offers,
    guards: facts.guards.map(({ name }) => name),
    inputGuards: facts.inputGuards.map(({ name }) => name),
    enhancers: facts.enhancers.map(({ name }) => name),
    errors: findDeclaredErrors(facts).map(({ name, status }) => ({ name, status })),
    deprecated: facts.deprecation,
    input: toSchemaOf(input()),
    output: isPlain ? first.schema : undefined,
    answers: isPlain || answers.length === 0 ? undefined : answers,
  };
}

function toSchemaOf(schema: ApiSchema | undefined): unknown {
  return schema && withoutNotes(schema.json);
}

const conventions = [
  'A capability is capability(schema, handler, intent?), addressed as <group>.<name>; its HTTP route is inferred ' +
    'from group, name and input.',
  'Names: get*, list*, find*, search* read (GET); create*, add* create (POST); update* changes (PATCH /:id); ' +
    'replace*, set* replace (PUT /:id); delete*, remove* delete (DELETE /:id); un<verb> undoes (DELETE ' +
    '/:id/<verb>). Any other name is a query (GET) or a mutation (POST) by its intent.',
  'Guards run before the input is read and throw to refuse; declare guarded capabilities with the authenticated ' +
    'factory.',
  "Errors are made with defineError(status, 'Name') and thrown; an answer is { data } or { error, message, meta? }.",
  'Handlers get validated input and a context; pass ctx.signal on to what they wait for.',
  'One file a capability; register it with one line in the index of its group.',
  'After every change run `capix check --strict`. `capix show <capability>` tells all of one, `capix call ' +
    "<capability> '<json>'` runs it without a server, and `capix sync-ai-context` writes this file again.",
] as const;
