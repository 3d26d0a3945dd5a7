/** The ways in which a body is read. */
export type BodyKind =
  | { readonly kind: 'json' }
  | { readonly kind: 'multipart' }
  /** `application/x-www-form-urlencoded` */
  | { readonly kind: 'form' }
  /** `reason` says what is wrong and what to send, without a full stop. */
  | { readonly kind: 'unsupported'; readonly reason: string };

interface ContentTypeFacts {
  /** The header `content-encoding`. */
  readonly encoding?: string | undefined;
  /** Whether `application/x-www-form-urlencoded` is read. */
  readonly takesForm?: boolean;
}

/**
 * Gives the way to read a non-empty body of this content type. One without a type is not JSON: a page of another site
 * can send it without asking first. Parameters other than `charset` do not matter.
 */
export function matchContentType(
  header: string | undefined,
  { encoding, takesForm = false }: ContentTypeFacts = {},
): BodyKind {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return {
      kind: 'unsupported',
      reason: `Content encoding '${encoding.slice(0, 40)}' is not supported; send the body as it is`,
    };
  }
  if (header === 'application/json') return json;
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim());
  const mediaType = type.toLowerCase();
  if (mediaType === 'multipart/form-data') return { kind: 'multipart' };
  if (mediaType === '') {
    return {
      kind: 'unsupported',
      reason: 'The request body has no content type; send application/json or multipart/form-data',
    };
  }
  if (mediaType === 'application/x-www-form-urlencoded' && takesForm)
    return isUtf8Charset(parameters) ? { kind: 'form' } : toForeignCharset(parameters);
  if (mediaType !== 'application/json' && !/^application\/[^\s/]+\+json$/.test(mediaType)) {
    const sent = `Content type '${mediaType.slice(0, 100)}'`;
    return { kind: 'unsupported', reason: `${sent} is not supported; send application/json or multipart/form-data` };
  }
  return isUtf8Charset(parameters) ? json : toForeignCharset(parameters);
}

function isUtf8Charset(parameters: readonly string[]): boolean {
  return ['utf-8', 'utf8'].includes(findCharset(parameters) ?? 'utf-8');
}

function toForeignCharset(parameters: readonly string[]): BodyKind {
  return {
    kind: 'unsupported',
    reason: `Charset '${findCharset(parameters)?.slice(0, 40)}' is not supported; send UTF-8`,
  };
}

const json: BodyKind = { kind: 'json' };

function findCharset(parameters: readonly string[]): string | undefined {
  const parameter = parameters.find((each) => /^charset\s*=/i.test(each));
  return parameter
    ?.slice(parameter.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase();
}
