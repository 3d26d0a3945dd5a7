import type { ContentKind } from '../../server-runtime/capability/answers/content.ts';
import { toTools } from '../../server-runtime/mcp/tools.ts';
import { createSchemaConverter } from '../../server-runtime/openapi/schemas/schema-converter.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import type { JobSettings } from '../../server-runtime/server/jobs/job.ts';
import { createCliError } from '../cli/errors/cli-error.ts';
import type { AgentOffers, ErrorName } from '../document/facts.ts';
import type { OwnDocument } from '../files/write-output.ts';
import { findDeclaredErrors } from '../manifest/declared-error.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import type { ManifestCapability, ManifestJob } from '../manifest/manifest.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';

/** The facts that an AI assistant needs to know of a project before it changes it. They are the same for the same code: no dates, no machine. */
export interface AiContext {
  /** The version of this format. */
  readonly version: 2;
  readonly framework: 'capix';
  readonly project: string;
  /** The capabilities file, relative to the project. */
  readonly config: string;
  readonly urlCase: string;
  readonly conventions: readonly string[];
  readonly commands: Readonly<Record<string, string>>;
  readonly capabilities: readonly AiCapability[];
  /** The capabilities that a queue runs; missing without a queue. */
  readonly jobs?: readonly AiJob[] | undefined;
  /** JSON Schemas by name, to which those of the capabilities refer as `#/schemas/<name>`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

export interface AiAnswer {
  readonly status: number;
  readonly kind: ContentKind;
  readonly contentTypes?: readonly string[] | undefined;
  /** JSON Schema of the data, or of each item. */
  readonly schema?: JsonSchema | undefined;
}

/** A capability that a queue runs, with the settings of its jobs. */
export interface AiJob
  extends Partial<JobSettings>,
    Pick<AiCapability, 'key' | 'description' | 'source' | 'guards' | 'inputGuards' | 'enhancers' | 'input'> {}

export interface AiCapability {
  readonly key: string;
  /** The name among MCP tools; `null` where agents do not see it. */
  readonly tool: string | null;
  /** The resources and the prompt that it is for agents; missing where it is none. */
  readonly offers?: AgentOffers | undefined;
  readonly description?: string | undefined;
  readonly intent: string;
  readonly method: string;
  readonly path: string;
  /** The file that declares it, relative to the project. */
  readonly source?: string | undefined;
  readonly guards: readonly string[];
  readonly inputGuards: readonly string[];
  readonly enhancers: readonly string[];
  /** Declared by guards, enhancers and the capability itself. */
  readonly errors: readonly ErrorName[];
  readonly deprecated?: object | undefined;
  /** JSON Schema of what a caller sends; missing where none was declared. */
  readonly input?: JsonSchema | undefined;
  readonly output?: JsonSchema | undefined;
  /** The declared answers, where they are not data with 200 alone. */
  readonly answers?: readonly AiAnswer[] | undefined;
}

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

async function loadAiContext(loaded: LoadedRegistry): Promise<AiContext> {
  const { project, capabilities, jobs } = await loadManifest(loaded);
  const { operations } = loaded.registry;
  const tools = expectToolNames(operations);
  const shared = shareContextSchemas([...operations, ...(loaded.jobs?.registry.operations ?? [])]);
  return {
    version: 2,
    framework: 'capix',
    project: project.name,
    config: project.config,
    urlCase: loaded.restOptions.urlCase ?? 'kebab',
    conventions,
    commands,
    capabilities: capabilities.map((capability, index) =>
      toAiCapability(capability, { tool: tools.get(capability.key), schemas: shared.operations[index] }),
    ),
    jobs: jobs?.map((job, index) => toAiJob(job, shared.operations[operations.length + index])),
    schemas: shared.schemas,
  };
}

function expectToolNames(operations: readonly Operation[]): ReadonlyMap<string, string> {
  try {
    return new Map([...toTools(operations)].map(([name, { operation }]) => [operation.key, name]));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createCliError('InvalidTools', { reason: error.message }, { cause: error });
  }
}

interface Counterparts {
  readonly tool: string | undefined;
  readonly schemas: ContextSchemas | undefined;
}

function toAiCapability(capability: ManifestCapability, { tool, schemas }: Counterparts): AiCapability {
  const { key, description, intent, method, path, source, guards, inputGuards, enhancers, deprecation, offers } =
    capability;
  const answers = capability.answers.map(({ status, kind, contentTypes }, index): AiAnswer => {
    const types = contentTypes.length === 0 ? undefined : contentTypes;
    return { status, kind, contentTypes: types, schema: schemas?.answers[index] };
  });
  const [first] = answers;
  const isPlain = answers.length === 1 && first?.kind === 'data' && first.status === 200;
  return {
    key,
    tool: tool ?? null,
    offers,
    description,
    intent,
    method,
    path,
    source: source?.file,
    guards: guards.map(({ name }) => name),
    inputGuards: inputGuards.map(({ name }) => name),
    enhancers: enhancers.map(({ name }) => name),
    errors: findDeclaredErrors(capability).map(({ name, status }) => ({ name, status })),
    deprecated: deprecation,
    input: schemas?.input,
    output: isPlain ? first.schema : undefined,
    answers: isPlain || answers.length === 0 ? undefined : answers,
  };
}

function toAiJob({ key, description, source, job, ...steps }: ManifestJob, schemas: ContextSchemas | undefined): AiJob {
  const { guards, inputGuards, enhancers } = steps;
  return {
    key,
    description,
    source: source?.file,
    ...job,
    guards: guards.map(({ name }) => name),
    inputGuards: inputGuards.map(({ name }) => name),
    enhancers: enhancers.map(({ name }) => name),
    input: schemas?.input,
  };
}

const conventions = [
  'A capability is capability(schema, handler, intent?), addressed as <group>.<name>; its HTTP route is inferred from group, name and input.',
  'Names: get*, list*, find*, search* read (GET); create*, add* create (POST); update* changes (PATCH /:id); replace*, set* replace (PUT /:id); delete*, remove* delete (DELETE /:id); un<verb> undoes (DELETE /:id/<verb>). Any other name is a query (GET) or a mutation (POST) by its intent.',
  'Guards run before the input is read and throw to refuse; declare guarded capabilities with the authenticated factory.',
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

/** The schemas of one capability. */
interface ContextSchemas {
  readonly input: JsonSchema | undefined;
  /** The schemas of its declared answers, in their order. */
  readonly answers: readonly (JsonSchema | undefined)[];
}

interface SharedContextSchemas {
  /** In the order of the operations. */
  readonly operations: readonly ContextSchemas[];
  /** The schemas that have a name or contain themselves, to which the others refer as `#/components/schemas/<name>`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Says each schema that has a name once, however many capabilities take or give it. */
function shareContextSchemas(operations: readonly Operation[]): SharedContextSchemas {
  const { convert, components } = createSchemaConverter();
  const contexts = operations.map(({ name, definition: { schema, answers } }): ContextSchemas => {
    const base = name.charAt(0).toUpperCase() + name.slice(1);
    return {
      input: schema && convert({ schema, name: `${base}Input` }),
      answers: answers.map(
        (answer) => answer.schema && convert({ schema: answer.schema, io: 'output', name: `${base}Output` }),
      ),
    };
  });
  return { operations: contexts, schemas: components };
}

/** JSON with so many levels unfolded, each value below them on one line: short to read for a model, and a line for each change in git. */
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
