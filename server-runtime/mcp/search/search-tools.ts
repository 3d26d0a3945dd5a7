import type { Tool as McpTool } from '@modelcontextprotocol/server';

/** The three tools by which agents reach all. `groups` are told with the number of their tools. */
export function searchTools(groups: string, count: number): readonly McpTool[] {
  return [
    {
      name: 'find_tools',
      description: `Find the tools for a task among ${count}: names with one line each, the best first. Groups: ${groups}.`,
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', description: 'A few words: refund an order' } },
        required: ['query'],
      },
      annotations: { readOnlyHint: true },
    },
    {
      name: 'describe_tools',
      description:
        'Tell what tools take and give: description, input schema, output schema, annotations. Ask before the first call of each.',
      inputSchema: {
        type: 'object',
        properties: { names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10 } },
        required: ['names'],
      },
      annotations: { readOnlyHint: true },
    },
    {
      name: 'call_tool',
      description: 'Call a tool by its name with an input that fits its schema.',
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string' }, input: { type: 'object', description: 'As its input schema says' } },
        required: ['name'],
      },
      annotations: { destructiveHint: true },
    },
  ];
}
