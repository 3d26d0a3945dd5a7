import { GraphQLError } from 'graphql';
import { defaultErrors } from '../../errors/define-error.ts';
import { type Failure, failure } from '../../errors/failure.ts';
import type { Call } from '../../server/call.ts';
import type { Logger } from '../../server/logger.ts';
import { toJsonText } from '../../server/to-json-text.ts';

/** An error that says what a caller may see. All others of fields are hidden. */
class CallError extends GraphQLError {}

/** A failure as an error of GraphQL. A meta that JSON cannot hold is logged and left out. */
export function toGraphqlError(
  { name, status, message, meta }: Failure,
  logger: Logger,
): GraphQLError {
  const extensions: Record<string, unknown> = { code: name, status };
  try {
    if (toJsonText(meta) !== undefined) extensions['meta'] = meta;
  } catch (error) {
    const text = `[capix] The meta of ${name} cannot be written as JSON; it was left out.`;
    logger.error(text, { error });
  }
  return new CallError(message, { extensions });
}

/** The error of a link that an operation may not follow any more. */
export function toLinkError(max: number): GraphQLError {
  const { errorName: code, status } = defaultErrors.BadRequest;
  const message = `The operation follows more than ${max} links: ask for shorter lists, or fewer links.`;
  return new CallError(message, { extensions: { code, status } });
}

/** Whether an error of a field is one that was made for its caller. */
export function isShown(error: GraphQLError): boolean {
  return error instanceof CallError || error.originalError instanceof CallError;
}

/** An error of a request that its caller can correct. */
export function toRequestError(
  { message, nodes, source, positions, path }: GraphQLError,
  code: string = defaultErrors.BadRequest.errorName,
): GraphQLError {
  const extensions = { code, status: 400 };
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}

/** Reports an error of a field that no caller has caused, and hides it: what is sent says nothing of its cause. */
export function report(error: GraphQLError, call: Call): object {
  const internal = failure(defaultErrors.Internal);
  call.report({ ...internal, cause: error.originalError ?? error, unexpected: true });
  const { nodes, path } = error;
  const extensions = { code: internal.name, status: internal.status };
  return new GraphQLError(internal.message, {
    nodes: nodes ?? null,
    path: path ?? null,
    extensions,
  }).toJSON();
}

/** Names what is similar, which would give the schema away. */
const SUGGESTION = / Did you mean .*\?$/s;

export function withoutSuggestion(error: GraphQLError): object {
  const { message, ...rest } = error.toJSON();
  return { message: message.replace(SUGGESTION, ''), ...rest };
}
