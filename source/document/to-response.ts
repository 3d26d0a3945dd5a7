import { follow, recordOf, type SchemaJson, textOf } from '../shape/read/schema-json.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { findField, findRequiredField } from '../shape/resolve-shape.ts';
import { isFile, once, type Shape } from '../shape/shape.ts';
import type { ApiContent, ApiHeader, ApiOperation, ApiResponse, DocumentedError } from './api-operation.ts';
import { toApiContents, toParameterSchema } from './to-api-contents.ts';

/** The parts of a document that its responses need. */
export interface ResponseSource {
  readonly document: SchemaJson;
  readonly facts: ApiOperation['facts'];
  /** The names that lead to the data; undefined in documents of others, which say nothing of an envelope. */
  readonly envelope: readonly string[] | undefined;
}

export function isSuccess(status: string): boolean {
  return /^[123]/.test(status);
}

export function toResponse(status: string, response: SchemaJson, source: ResponseSource): ApiResponse {
  const { document, facts, envelope = [] } = source;
  const contents = toApiContents(response, document);
  const kind = facts?.answers.find((answer) => String(answer.status) === status)?.kind ?? findKind(status, contents);
  const [first] = contents;
  return {
    status,
    description: textOf(response['description']),
    headers: toHeaders(response, document),
    contents,
    kind,
    data: once(() => {
      if (kind === 'stream') return first?.items?.();
      if (kind !== 'data') return undefined;
      return envelope.reduce<Shape | undefined>((shape, name) => shape && findField(shape, name), first?.shape());
    }),
  };
}

/** As far as the document lets see. */
function findKind(status: string, contents: readonly ApiContent[]): ApiResponse['kind'] {
  const [first] = contents;
  if (first === undefined) return status.startsWith('3') && status !== '304' ? 'redirect' : 'none';
  if (first.items !== undefined) return 'stream';
  if (/[/+]json\b/i.test(first.mediaType)) return 'data';
  const shape = first.shape();
  return shape.kind === 'string' && !isFile(shape) ? 'text' : 'bytes';
}

function toHeaders({ headers }: SchemaJson, document: SchemaJson): readonly ApiHeader[] {
  return Object.entries(recordOf(headers)).map(([name, given]) => {
    const header = follow(given, document);
    return {
      name: name.toLowerCase(),
      isRequired: header['required'] === true,
      description: textOf(header['description']),
      shape: once(() => toShape(toParameterSchema(header), document)),
    };
  });
}

/**
 * The errors of a status, one for each name: those of `x-error-names`, else those that the bodies tell apart by their
 * field `error`.
 */
export function toDocumentedErrors(
  status: string,
  response: SchemaJson,
  document: SchemaJson,
): readonly DocumentedError[] {
  const contents = toApiContents(response, document);
  const about = {
    status,
    description: textOf(response['description']),
    contents,
    headers: toHeaders(response, document),
  };
  const unnamed = { ...about, name: undefined, meta: undefined, hasMeta: false };
  const names = response['x-error-names'];
  if (Array.isArray(names)) return names.map((name) => ({ ...unnamed, name: String(name) }));
  const content = contents.find(({ mediaType }) => /[/+]json\b/i.test(mediaType)) ?? contents[0];
  // Each part for itself: what an envelope says of any meta adds nothing to that of one error.
  const named = (content === undefined ? [] : toParts(content.shape())).flatMap((part) => {
    const error = findField(part, 'error');
    const texts = error?.kind === 'literal' ? error.values.map(String) : [];
    const meta = findField(part, 'meta');
    return texts.map((name) => ({ ...about, name, meta, hasMeta: findRequiredField(part, 'meta') !== undefined }));
  });
  return named.length === 0 ? [unnamed] : named;
}

/** The data of the answer that a capability declares first, or each of its items; undefined where there is none. */
export function findOutput({ facts, responses }: ApiOperation): Shape | undefined {
  const status = String(facts?.answers[0]?.status);
  return responses.find((response) => response.status === status)?.data();
}

function toParts(shape: Shape): readonly Shape[] {
  if (shape.kind === 'intersection') return shape.parts.flatMap(toParts);
  return shape.kind === 'union' ? shape.variants.flatMap(toParts) : [shape];
}
