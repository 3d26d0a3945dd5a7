import { GraphQLError } from 'graphql';
import type { Failure } from '../errors/failure.ts';
import type { Logger } from '../server/logger.ts';
import { toJsonText } from '../server/to-json-text.ts';

/** The errors that say what a caller may see. All others of fields are hidden. */
const shown = new WeakSet<object>();

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
  const error = new GraphQLError(message, { extensions });
  shown.add(error);
  return error;
}

/** Whether an error of a field is one that was made for its caller. */
export function isShown({ originalError }: GraphQLError): boolean {
  return originalError !== undefined && shown.has(originalError as object);
}
