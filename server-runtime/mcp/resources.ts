import type { ReadResourceResult, UriTemplate } from '@modelcontextprotocol/server';
import { type Block, toBytesBlock } from '../capability/blocks.ts';
import type { DeclaredResource } from '../capability/definition.ts';
import { toInputFields, toInputPlan } from '../input/input-fields.ts';
import type { Operation } from '../registry/operation.ts';
import type { Lens } from '../schema/lens.ts';
import { type ReadContent, toContentText } from './call-operation.ts';
import { type Desk, type Handlers, type Lists, type Offered, toOfferFacts } from './handlers.ts';

/** A capability as a resource. */
export interface OfferedResource extends Offered {
  readonly options: DeclaredResource;
  readonly plan: Lens;
  readonly template: UriTemplate;
}

/** @throws TypeError for a capability that is not a query, and for a name in braces that is not a field of its input */
export function toResources(
  operations: readonly Operation[],
  createTemplate: (uri: string) => UriTemplate,
): readonly OfferedResource[] {
  return operations.flatMap((operation) => {
    const { key, definition, fields, intent } = operation;
    return definition.offers.resources.map((options) => {
      if (intent !== 'query')
        throw new TypeError(`\`${key}\` is a resource and not a query. Say that it is one: 'query'.`);
      const template = createTemplate(options.uri);
      const unknown = template.variableNames.find((name) => fields?.has(name) !== true);
      if (unknown !== undefined)
        throw new TypeError(`\`${key}\` is the resource '${options.uri}', and its input has no field '${unknown}'.`);
      return { operation, options, template, plan: toInputPlan(definition.schema) };
    });
  });
}

/** Whether it has no names in braces: an address is looked for among such resources first. */
function isFixed({ template }: OfferedResource): boolean {
  return template.variableNames.length === 0;
}

export function createResourceLists(resources: readonly OfferedResource[], { findSeen }: Desk): Lists {
  const templates = resources.filter((each) => !isFixed(each));
  return {
    'resources/list': async (context) => {
      const seen = await findSeen(resources.filter(isFixed), context);
      return { resources: seen.map((each) => ({ uri: each.options.uri, ...toOfferFacts(each) })) };
    },
    'resources/templates/list': async (context) => {
      const seen = await findSeen(templates, context);
      return { resourceTemplates: seen.map((each) => ({ uriTemplate: each.options.uri, ...toOfferFacts(each) })) };
    },
  };
}

/** The number of resources that one session may watch. */
const MAX_WATCHED = 1000;

export function createResourceHandlers(
  resources: readonly OfferedResource[],
  { findSeen, toCall, run, toInvalid }: Desk,
  { toMissing, isWatchable }: { readonly toMissing: (uri: string) => Error; readonly isWatchable: boolean },
): Handlers {
  const inOrder = resources.toSorted((one, other) => Number(isFixed(other)) - Number(isFixed(one)));
  const reading: Handlers = {
    'resources/read': ({ uri }, ...message) => {
      for (const resource of inOrder) {
        const fields = findUriFields(resource, uri);
        if (fields === undefined) continue;
        const { operation, plan, options } = resource;
        const call = toCall(operation, toInputFields(fields, plan), message);
        return run(call, (content) => toContents(content, uri, options.mimeType));
      }
      throw toMissing(uri);
    },
  };
  if (!isWatchable) return reading;
  return {
    ...reading,
    'resources/subscribe': async ({ uri }, context, { kind, watched }) => {
      const found = inOrder.filter((each) => findUriFields(each, uri) !== undefined).slice(0, 1);
      if ((await findSeen(found, context)).length === 0) throw toMissing(uri);
      if (kind === 'request')
        throw toInvalid('There is no session to send changes to. Open one with initialize, and name it.');
      if (watched.size >= MAX_WATCHED) throw toInvalid(`A session watches at most ${MAX_WATCHED} resources.`);
      watched.add(uri);
      return {};
    },
    'resources/unsubscribe': ({ uri }, _context, { watched }) => {
      watched.delete(uri);
      return {};
    },
  };
}

/** The fields that an address carries; undefined for the address of another resource. */
function findUriFields(resource: OfferedResource, uri: string): Readonly<Record<string, string>> | undefined {
  const { template, options } = resource;
  if (isFixed(resource)) return uri === options.uri ? {} : undefined;
  const found = template.match(uri) ?? undefined;
  return found && Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decode(String(value))]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A read value as the content of a resource. */
function toContents(content: ReadContent, uri: string, mimeType: string | undefined): ReadResourceResult {
  if (content.kind === 'blocks') return { contents: content.blocks.map((block) => toBlockContent(block, uri)) };
  if (content.kind === 'bytes') {
    const block = toBytesBlock(content.bytes, { mimeType: mimeType ?? content.mimeType, uri });
    return { contents: [toBlockContent(block, uri)] };
  }
  const isText = typeof content.data === 'string';
  const type = mimeType ?? content.mimeType ?? (isText ? 'text/plain' : 'application/json');
  return { contents: [{ uri, mimeType: type, text: toContentText(content.data) }] };
}

function toBlockContent(block: Block, uri: string): ReadResourceResult['contents'][number] {
  switch (block.type) {
    case 'text':
      return { uri, mimeType: 'text/plain', text: block.text };
    case 'image':
    case 'audio':
      return { uri, mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return block.resource;
    case 'resource_link':
      return { uri: block.uri, mimeType: 'text/uri-list', text: block.uri };
  }
}

/** A place that says which resources have changed, and tells those who want to know. */
export interface ResourceChanges {
  /** Says that a resource has changed, by its address: `shop://orders/7`. Agents that watch it read it anew. */
  readonly tell: (uri: string) => void;
  /** Calls `listener` with the address of each change. Gives the function that ends that. */
  readonly subscribe: (listener: (uri: string) => void) => () => void;
}

/**
 * The changes of the resources of one process, for the option `changes` of `mcpTransport`. A server of several
 * processes gives an object of its own with the same two functions, over its own channel.
 *
 * @example
 * ```ts
 * import { createResourceChanges, mcpTransport } from 'capix/mcp';
 *
 * const changes = createResourceChanges();
 *
 * const payOrder = capability(z.object({ id: z.int() }), ({ id }) => {
 *   changes.tell(`shop://orders/${id}`);
 *   return { id, state: 'paid' };
 * });
 * const server = createServer({ capabilities: { orders: { payOrder } }, transports: [mcpTransport({ changes })] });
 * ```
 */
export function createResourceChanges(): ResourceChanges {
  const listeners = new Set<(uri: string) => void>();
  return {
    tell: (uri) => {
      for (const listener of listeners) listener(uri);
    },
    subscribe: (listener) => {
      const own = (uri: string): void => listener(uri);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
