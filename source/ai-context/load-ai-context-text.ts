import { toTools } from '../../server-runtime/mcp/tools.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { createCliError } from '../cli/cli-error.ts';
import type { ApiSchema } from '../document/branch.ts';
import { withoutNotes } from '../document/to-published.ts';
import type { OwnDocument } from '../files/write-output.ts';
import { findDeclaredErrors } from '../manifest/declared-error.ts';
import { hasQueue, type Listed, toCapabilities, toJobs } from '../manifest/listed.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { escapeJson } from '../terminal/strip-control.ts';

/** The mark by which `capix ai-context` knows its own documents. */
export const aiContextDocument: OwnDocument = {
  command: 'ai-context',
  mark: /^\{\s*"version": \d+,\s*"framework": "capix",/,
};

/** The document as text, with a line feed at its end. */
export async function loadAiContextText(loaded: LoadedRegistry): Promise<string> {
  // The document has components nowhere else than in references.
  const json = toContextJson(await loadAiContext(loaded), 3).replaceAll('"#/components/schemas/', '"#/schemas/');
  return escapeJson(`${json}\n`);
}

/** The facts that an AI assistant needs before it changes a project: the same for the same code, on any day. */
async function loadAiContext(loaded: LoadedRegistry): Promise<object> {
  const manifest = await loadManifest(loaded);
  const { project } = manifest;
  const tools = expectToolNames(loaded.registry.operations);
  const { Error: _error, ...schemas } = manifest.document.components.schemas;
  return {
    version: 2,
    framework: 'capix',
    project: project.name,
    config: project.config,
    urlCase: loaded.restOptions.urlCase ?? 'kebab',
    conventions,
    commands,
    capabilities: toCapabilities(manifest).map((each) => toAiCapability(each, tools.get(each.key) ?? null)),
    jobs: hasQueue(manifest) ? toJobs(manifest).map(toAiJob) : undefined,
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, json]) => [name, withoutNotes(json)])),
  };
}

function toSchemaOf(schema: ApiSchema | undefined): unknown {
  return schema && withoutNotes(schema.json);
}

function expectToolNames(operations: readonly Operation[]): ReadonlyMap<string, string> {
  try {
    return new Map([...toTools(operations)].map(([name, { operation }]) => [operation.key, name]));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createCliError('InvalidTools', { reason: error.message }, { cause: error });
  }
}

/** `tool` is its name among MCP tools; `null` where agents do not see it. */
function toAiCapability(capability: Listed, tool: string | null): object {
  const { key, method, path, facts, responses, input } = capability;
  const answers = facts.answers.map(({ status, kind, contentTypes }) => {
    const response = responses.find((each) => each.status === String(status));
    const types = contentTypes.length === 0 ? undefined : contentTypes;
    return { status, kind, contentTypes: types, schema: toSchemaOf(response?.data()) };
  });
  const [first] = answers;
  // What is data with 200 alone is told by its schema.
  const isPlain = answers.length === 1 && first?.kind === 'data' && first.status === 200;
  return {
    key,
    tool,
    offers: facts.offers,
    description: facts.description,
    intent: facts.intent,
    method,
    path,
    source: facts.source?.file,
    ...toStepNames(facts),
    errors: findDeclaredErrors(facts).map(({ name, status }) => ({ name, status })),
    deprecated: facts.deprecation,
    input: toSchemaOf(input()),
    output: isPlain ? first.schema : undefined,
    answers: isPlain || answers.length === 0 ? undefined : answers,
  };
}

function toAiJob({ key, job, facts, input }: Listed): object {
  const { description, source } = facts;
  return { key, description, source: source?.file, ...job, ...toStepNames(facts), input: toSchemaOf(input()) };
}

function toStepNames({ guards, inputGuards, enhancers }: Listed['facts']) {
  const toNames = (steps: readonly { readonly name: string }[]) => steps.map(({ name }) => name);
  return { guards: toNames(guards), inputGuards: toNames(inputGuards), enhancers: toNames(enhancers) };
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
] as const;

const commands = {
  'capix list': 'every capability with its route',
  'capix show <capability>': 'input, output, route and why, guards of one',
  'capix check --strict': 'duplicate routes, naming conflicts, missing schemas; run after every change',
  "capix call <capability> '<json>'": 'run one without a server',
  'capix generate capability <group> <name> --input': 'write and register a new one',
  'capix sync-ai-context': 'write this file again',
} as const;

/** JSON with so many levels unfolded, each value below on one line: short for a model and for git. */
function toContextJson(value: unknown, levels: number, indent = ''): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const toLines = (lines: readonly string[]): string => `\n${lines.map((line) => inner + line).join(',\n')}\n${indent}`;
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[${toLines(value.map((item) => toContextJson(item, levels - 1, inner)))}]`;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const lines = fields.map(([name, field]) => `${JSON.stringify(name)}: ${toContextJson(field, levels - 1, inner)}`);
  return lines.length === 0 ? '{}' : `{${toLines(lines)}}`;
}
