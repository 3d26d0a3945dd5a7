import type { IncomingHttpHeaders } from 'node:http';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure } from '../errors/failure.ts';

const { PayloadTooLarge, UnsupportedMediaType } = defaultErrors;

/** How the body of a request is received. */
export interface BodyPlan {
  /** The parser for it. A body that no parser takes counts as JSON, because it may still be empty. */
  readonly kind: 'json' | 'form' | 'multipart';
  /** Whether its type is JSON, which a page of another site cannot send without asking first. */
  readonly isJson: boolean;
  /** A multipart form has its own limits. */
  readonly maxBytes: number;
  /** Why a longer one is not taken. */
  readonly refusal: Failure;
}

export type MatchBody = (headers: IncomingHttpHeaders, takesForm: boolean) => BodyPlan;

interface BodyLimits {
  readonly maxBodySize: number;
  readonly takesMultipart: boolean;
}

/** Most plans are made once. Only a refusal that quotes the request is made for each request. */
export function createBodyMatcher({ maxBodySize, takesMultipart }: BodyLimits): MatchBody {
  const message = `The request body is larger than ${maxBodySize} bytes`;
  const refusal = failure(PayloadTooLarge, message);
  const json: BodyPlan = { kind: 'json', isJson: true, maxBytes: maxBodySize, refusal };
  const form: BodyPlan = { ...json, kind: 'form', isJson: false };
  const multipart: BodyPlan = takesMultipart
    ? { ...form, kind: 'multipart' }
    : toUnread('Forms are not accepted here; send application/json');
  return (headers, takesForm) => {
    const { 'content-type': header = '', 'content-encoding': encoding } = headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return toEncoded(encoding);
    if (header === 'application/json') return json;
    const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
    if (type === 'multipart/form-data') return multipart;
    const isForm = takesForm && type === 'application/x-www-form-urlencoded';
    if (!isForm && !/^application\/(json|[^\s/]+\+json)$/.test(type)) return toUnknown(type);
    const charset = findCharset(parameters);
    if (!['utf-8', 'utf8'].includes(charset))
      return toUnread(`Charset '${charset.slice(0, 40)}' is not supported; send UTF-8`);
    return isForm ? form : json;
  };
}

function toEncoded(encoding: string): BodyPlan {
  const name = encoding.slice(0, 40);
  return toUnread(`Content encoding '${name}' is not supported; send the body as it is`);
}

/** A body without a type is not JSON: a page of another site can send it without asking first. */
function toUnknown(type: string): BodyPlan {
  const name = type.slice(0, 100);
  const fault =
    type === ''
      ? 'The request body has no content type'
      : `Content type '${name}' is not supported`;
  return toUnread(`${fault}; send application/json or multipart/form-data`);
}

function toUnread(message: string): BodyPlan {
  const refusal = failure(UnsupportedMediaType, message);
  return { kind: 'json', isJson: false, maxBytes: 0, refusal };
}

function findCharset(parameters: readonly string[]): string {
  for (const parameter of parameters) {
    const charset = /^charset\s*=\s*"?(.*?)"?$/.exec(parameter)?.[1];
    if (charset !== undefined) return charset;
  }
  return 'utf-8';
}
