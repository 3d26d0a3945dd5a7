import type { CallToolResult } from '@modelcontextprotocol/server';
import { toBytesBlock } from '../capability/blocks.ts';
import type { Guard, SecurityScheme } from '../capability/guard.ts';
import type { Failure, RefusedBy } from '../errors/failure.ts';
import { toDataText, toJsonText, toWholeText } from '../http/to-json-text.ts';
import type { Operation } from '../registry/operation.ts';
import { toToldMeta } from '../schema/to-told-meta.ts';
import type { FieldProblem } from '../schema/validator.ts';
import type { ReadContent } from './read-content.ts';

/** The answer of a tool: its value as text, and in `data` for machines. */
function toDataResult(value: unknown, key: string): CallToolResult {
  const json = toDataText(value, key);
  return { content: [{ type: 'text', text: json }], structuredContent: { data: JSON.parse(json) as unknown } };
}

/** The answer of a tool: data as text and for machines; bytes and blocks as parts of their own. */
export function toToolResult(content: ReadContent, key: string): CallToolResult {
  if (content.kind === 'data') return toDataResult(content.data, key);
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
  const lines = [
    `${name} (${status}): ${message}`,
    ...toFieldLines(fields, omitted),
    ...toAdvice(failure, definition.guards),
  ];
  if (Object.keys(facts).length > 0) lines.push(`Details: ${toJsonText(facts)}`);
  return { isError: true, content: [{ type: 'text', text: toWholeText(lines.join('\n')) }] };
}

function toFieldLines(fields: readonly FieldProblem[], omitted: number): readonly string[] {
  if (fields.length === 0) return [];
  const lines = fields.map(({ path, message, received }) => {
    const shown = received === undefined ? '' : ` (received ${JSON.stringify(received)})`;
    return `- ${path === '' ? 'the input' : toAccessor(path)}: ${message}${shown}`;
  });
  return ['Correct these fields and call again:', ...lines, ...(omitted === 0 ? [] : [`- and ${omitted} more`])];
}

/** `lines.0.sku` is `lines[0].sku`, as code has it. */
function toAccessor(path: string): string {
  return path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}

function toAdvice(failure: Failure, guards: readonly Guard[]): readonly string[] {
  const { status, retryAfterSeconds, refusedBy } = failure;
  if (refusedBy !== undefined && (status === 401 || status === 403)) return [toRefusal(refusedBy, guards)];
  switch (status) {
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

/** Names the guard that refused, and no other: those before it have let the caller pass. */
function toRefusal({ name, sawInput }: RefusedBy, guards: readonly Guard[]): string {
  if (sawInput) return `The guard ${name} refused this input; another input may pass.`;
  const security = guards.find((guard) => guard.name === name)?.security;
  const wanted = security === undefined ? '' : ` It wants ${toCredential(security)}.`;
  return `The guard ${name} refused the caller, whatever the input.${wanted} The same caller will be refused again.`;
}

function toCredential(security: SecurityScheme): string {
  switch (security.type) {
    case 'http':
      return `the header authorization: ${security.scheme} …`;
    case 'apiKey':
      return `the ${security.in === 'query' ? 'query parameter' : security.in} ${security.name}`;
    case 'openIdConnect':
    case 'oauth2':
      return 'an access token in the header authorization: Bearer …';
  }
}
