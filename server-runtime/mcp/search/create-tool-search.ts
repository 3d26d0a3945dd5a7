import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server';
import type { Tool } from '../tools.ts';
import { createRanking } from './create-ranking.ts';
import { searchTools } from './search-tools.ts';
import { toUnknownTool } from './to-unknown-tool.ts';

/** When agents search the tools in place of being shown a list of them: where there are more than 128, always, or never. */
export type SearchMode = 'auto' | 'always' | 'never';

/** The most tools that a host shows its model at once: OpenAI's limit, and above that of others. */
const MAX_LISTED = 128;

/** The outcome of one of the three tools: its answer, or the call of a tool that is meant. */
export type SearchStep =
  | { readonly kind: 'answer'; readonly result: CallToolResult }
  | { readonly kind: 'call'; readonly tool: Tool; readonly input: Readonly<Record<string, unknown>> };

export interface ToolSearch {
  /** The tools that stand in the list in place of all. */
  readonly listed: readonly McpTool[];
  /** Answers a call of one of them; undefined for one of another name. `findAllowed` gives those that the caller may know of. */
  readonly take: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    findAllowed: () => Promise<readonly Tool[]>,
  ) => Promise<SearchStep | undefined>;
}

const MAX_FOUND = 10;
const MAX_DESCRIBED = 10;
const MAX_SUMMARY = 120;

/** Undefined where all tools are listed. */
export function createToolSearch(tools: ReadonlyMap<string, Tool>, mode: SearchMode): ToolSearch | undefined {
  if (mode === 'never' || (mode === 'auto' && tools.size <= MAX_LISTED)) return undefined;
  const rank = createRanking([...tools.values()], ({ description: { name, title, description }, operation }) => [
    { text: `${name} ${operation.key}`, weight: 3 },
    { text: `${title ?? ''} ${description ?? ''}`, weight: 1 },
    { text: Object.keys(Object(operation.definition.schema).shape ?? {}).join(' '), weight: 0.5 },
  ]);

  const find = (query: unknown, allowed: readonly Tool[]): CallToolResult => {
    if (typeof query !== 'string') return toFault('query: say in a few words what the tool is to do.');
    const known = new Set(allowed);
    const found = rank(query).filter((tool) => known.has(tool));
    if (found.length === 0)
      return toText(`No tool fits "${query}". Use other words; the groups are ${toGroups(allowed)}.`);
    const more =
      found.length > MAX_FOUND ? [`${found.length - MAX_FOUND} more fit. Say more words to find others.`] : [];
    return toText([...found.slice(0, MAX_FOUND).map(toLine), ...more].join('\n'));
  };
  const describe = (names: unknown, allowed: readonly Tool[]): CallToolResult => {
    if (!isNames(names)) return toFault(`names: give the names of 1 to ${MAX_DESCRIBED} tools as a list.`);
    const byName = new Map(allowed.map((tool) => [tool.description.name, tool]));
    const unknown = names.find((name) => !byName.has(name));
    if (unknown !== undefined) return toUnknown(unknown, allowed);
    return toText(JSON.stringify(names.map((name) => byName.get(name)?.description)));
  };
  const call = async (
    name: unknown,
    input: unknown,
    findAllowed: () => Promise<readonly Tool[]>,
  ): Promise<SearchStep> => {
    const tool = typeof name === 'string' ? tools.get(name) : undefined;
    if (tool === undefined) return { kind: 'answer', result: toUnknown(String(name), await findAllowed()) };
    if (!isRecord(input))
      return { kind: 'answer', result: toFault(`input: give an object, as ${String(name)} takes it.`) };
    return { kind: 'call', tool, input };
  };
  return {
    listed: searchTools(toGroups([...tools.values()]), tools.size),
    take: async (name, { query, names, name: wanted, input = {} }, findAllowed) => {
      switch (name) {
        case 'find_tools':
          return { kind: 'answer', result: find(query, await findAllowed()) };
        case 'describe_tools':
          return { kind: 'answer', result: describe(names, await findAllowed()) };
        case 'call_tool':
          return call(wanted, input, findAllowed);
        default:
          return undefined;
      }
    },
  };
}

function toLine({ description: { name, description = '' } }: Tool): string {
  const [summary = ''] = description.split('\n');
  const short = summary.length > MAX_SUMMARY ? `${summary.slice(0, MAX_SUMMARY - 1)}…` : summary;
  return short === '' ? name : `${name}: ${short}`;
}

/** `'orders (12), users (4)'`, as far as it fits in a few lines. */
function toGroups(tools: readonly Tool[]): string {
  const counts = new Map<string, number>();
  for (const { operation } of tools) {
    const group = operation.groups[0] ?? operation.name;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const largest = [...counts].toSorted(([, one], [, other]) => other - one);
  let text = '';
  for (const [at, [group, count]] of largest.entries()) {
    const next = `${text}${text === '' ? '' : ', '}${group} (${count})`;
    if (next.length > MAX_GROUPS) return `${text} and ${largest.length - at} more`;
    text = next;
  }
  return text;
}

const MAX_GROUPS = 1000;

/** The tools as clients are shown them: all, or those that search. */
export function toShownTools(tools: ReadonlyMap<string, Tool>, search: ToolSearch | undefined): readonly McpTool[] {
  return search?.listed ?? [...tools.values()].map(({ description }) => description);
}

/** The advice where a name is like that of no tool. */
export const FIND_NAMES = 'find_tools finds their names.';

function toUnknown(name: string, known: readonly Tool[]): CallToolResult {
  return toFault(
    toUnknownTool(
      name,
      known.map(({ description }) => description.name),
      FIND_NAMES,
    ),
  );
}

function toText(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function toFault(text: string): CallToolResult {
  return { isError: true, ...toText(text) };
}

function isNames(names: unknown): names is readonly string[] {
  return (
    Array.isArray(names) &&
    names.length > 0 &&
    names.length <= MAX_DESCRIBED &&
    names.every((name) => typeof name === 'string')
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
