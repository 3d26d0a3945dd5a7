import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { toBytesBlock } from '../capability/blocks.ts';
import type { Guard, SecurityScheme } from '../capability/guard.ts';
import { andThen, type Failure, type MaybePromise, type Outcome, type RefusedBy } from '../errors/failure.ts';
import { toDataText, toJsonText, toWholeText } from '../http/to-json-text.ts';
import { type FieldProblem, toToldMeta } from '../schema/received.ts';
import { createValidator, findDroppedFields, toBadInput } from '../schema/validator.ts';
import { callOperation, type ProtocolCall, type ReadContent } from './call-operation.ts';

/** Runs the capability of a tool. */
export async function callTool(call: ProtocolCall): Promise<CallToolResult | InputRequiredResult> {
  const { key, definition } = call.operation;
  const { schema, guards } = definition;
  // An agent learns of misspelt optional fields from nothing else: its schema drops them without a word.
  const checkInput = (input: unknown): MaybePromise<Outcome> => {
    const dropped = findDroppedFields(schema, input);
    if (dropped.length === 0) return { ok: true, value: input };
    // What is wrong otherwise is told first, as anywhere.
    return andThen(
      createValidator(schema)(input),
      (valid): Outcome => (valid.ok ? { ok: false, failure: toBadInput(dropped) } : valid),
    );
  };
  const outcome = await callOperation(call, (content) => toToolResult(content, key), checkInput);
  if (outcome.ok) return outcome.value;
  try {
    return toToolError(outcome.failure, guards);
  } catch (error) {
    // `meta` comes from the application, and may hold what JSON cannot.
    const told = `[capix] The meta of ${outcome.failure.name} cannot be written as JSON; it was left out.`;
    call.app.logger.error(told, { error });
    return toToolError({ ...outcome.failure, meta: undefined }, guards);
  }
}

/** Data as text and for machines; bytes and blocks as parts of their own. */
function toToolResult(content: ReadContent, key: string): CallToolResult {
  if (content.kind === 'blocks') return { content: [...content.blocks] };
  if (content.kind === 'bytes') {
    const isMedia = /^(image|audio)\//.test(content.mimeType);
    return { content: [toBytesBlock(content.bytes, { ...content, uri: isMedia ? undefined : `capix://${key}` })] };
  }
  const text = toDataText(content.data, key);
  return { content: [{ type: 'text', text }], structuredContent: { data: JSON.parse(text) as unknown } };
}

/** The answer of a call that did not succeed, in words from which an agent can tell what to do next. */
function toToolError(reason: Failure, guards: readonly Guard[]): CallToolResult {
  const { fields, omitted, facts } = toToldMeta(reason.meta);
  const lines = [
    `${reason.name} (${reason.status}): ${reason.message}`,
    fields.length > 0 && 'Correct these fields and call again:',
    ...fields.map(toFieldLine),
    omitted > 0 && `- and ${omitted} more`,
    findAdvice(reason, guards),
    Object.keys(facts).length > 0 && `Details: ${toJsonText(facts)}`,
  ];
  return { isError: true, content: [{ type: 'text', text: toWholeText(lines.filter((line) => line).join('\n')) }] };
}

/** `- lines[0].sku: …`: places are written as code has them. */
function toFieldLine({ path, message, received }: FieldProblem): string {
  const place = path === '' ? 'the input' : path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  return `- ${place}: ${message}${received === undefined ? '' : ` (received ${JSON.stringify(received)})`}`;
}

function findAdvice({ status, retryAfterSeconds, refusedBy }: Failure, guards: readonly Guard[]): string | undefined {
  if (refusedBy !== undefined && (status === 401 || status === 403)) return toRefusal(refusedBy, guards);
  if (status === 500) return 'The cause is in the log of the server.';
  if (status === 504) return 'It took too long. Ask for less at a time, or try again later.';
  if (status !== 429 && status !== 503) return undefined;
  return retryAfterSeconds === undefined ? 'Try again later.' : `Try again in ${retryAfterSeconds} seconds.`;
}

/** Names the guard that refused, and no other: those before it have let the caller pass. */
function toRefusal({ name, sawInput }: RefusedBy, guards: readonly Guard[]): string {
  if (sawInput) return `The guard ${name} refused this input; another input may pass.`;
  const security = guards.find((guard) => guard.name === name)?.security;
  const wanted = security === undefined ? '' : ` It wants ${toCredential(security)}.`;
  return `The guard ${name} refused the caller, whatever the input.${wanted} The same caller will be refused again.`;
}

function toCredential(security: SecurityScheme): string {
  if (security.type === 'apiKey')
    return `the ${security.in === 'query' ? 'query parameter' : security.in} ${security.name}`;
  return `the header authorization: ${security.type === 'http' ? security.scheme : 'Bearer'} …`;
}
