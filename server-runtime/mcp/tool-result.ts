import type { CallToolResult } from '@modelcontextprotocol/server';
import { toBytesBlock } from '../capability/answers/blocks.ts';
import type { Failure } from '../errors/failure.ts';
import { toJsonText } from '../http/to-json-text.ts';
import type { Operation } from '../registry/operation.ts';
import { type FieldProblem, toToldMeta } from '../schema/validator.ts';
import type { ReadContent } from './content/read-content.ts';

/** The answer of a tool: its value as text, and in `data` for machines. */
function toDataResult(value: unknown): CallToolResult {
  const json = toJsonText(value ?? null) ?? 'null';
  return { content: [{ type: 'text', text: json }], structuredContent: { data: JSON.parse(json) as unknown } };
}

/** The answer of a tool: data as text and for machines, bytes and blocks as parts of their own, without data for machines. */
export function toToolResult(content: ReadContent, key: string): CallToolResult {
  if (content.kind === 'data') return toDataResult(content.data);
  if (content.kind === 'blocks') return { content: [...content.blocks] };
  const { bytes, mimeType } = content;
  const block = toBytesBlock(bytes, {
    mimeType,
    uri: /^(image|audio)\//.test(mimeType) ? undefined : `capix://${key}`,
  });
  return { content: [block] };
}

/** The answer of a call that did not succeed, in words from which an agent can tell what to do next. */
export function toToolError({ definition }: Operation, failure: Failure): CallToolResult {
  const { name, status, message } = failure;
  const { fields, omitted, facts } = toToldMeta(failure.meta);
  const guards = definition.guards.map((guard) => guard.name).join(', ');
  const lines = [`${name} (${status}): ${message}`, ...toFieldLines(fields, omitted), ...toAdvice(failure, guards)];
  if (Object.keys(facts).length > 0) lines.push(`Details: ${toJsonText(facts)}`);
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}

function toFieldLines(fields: readonly FieldProblem[], omitted: number): readonly string[] {
  if (fields.length === 0) return [];
  const lines = fields.map(({ path, message, received }) => {
    const shown = received === undefined ? '' : ` (received ${JSON.stringify(received)})`;
    return `- ${path === '' ? 'the input' : path}: ${message}${shown}`;
  });
  return ['Correct these fields and call again:', ...lines, ...(omitted === 0 ? [] : [`- and ${omitted} more`])];
}

function toAdvice({ status, retryAfterSeconds }: Failure, guards: string): readonly string[] {
  switch (status) {
    case 401:
    case 403:
      return guards === ''
        ? []
        : [`The tool is guarded by ${guards}; calling it again in the same way will be refused again.`];
    case 429:
    case 503:
      return retryAfterSeconds === undefined ? ['Try again later.'] : [`Try again in ${retryAfterSeconds} seconds.`];
    case 500:
      return ['The cause is in the log of the server.'];
    case 504:
      return ['It took too long. Ask for less at a time, or try again later.'];
    default:
      return [];
  }
}
