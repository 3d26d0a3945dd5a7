import type { IncomingHttpHeaders } from 'node:http';
import type { WholeBody } from '../capability/http.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure } from '../errors/failure.ts';
import { matchesMimeType } from '../schema/find-file-rules.ts';

const { PayloadTooLarge, UnsupportedMediaType } = defaultErrors;

/** How the body of a request is received. */
export interface BodyPlan {
  /** The parser for it. A body that no parser takes counts as JSON, because it may still be empty. */
  readonly kind: 'json' | 'form' | 'multipart' | 'whole' | 'file';
  /** Whether its type is one, such as JSON, that a page of another site cannot send without asking first. */
  readonly isJson: boolean;
  /** A multipart form has its own limits. */
  readonly maxBytes: number;
  /** Why a longer one is not taken. */
  readonly refusal: Failure;
}

/** A body that is one field, and how long it may be. */
export interface WholeBodyPlan extends WholeBody {
  readonly maxBytes: number;
}

export type MatchBody = (
  headers: IncomingHttpHeaders,
  takesForm: boolean,
  whole?: WholeBodyPlan,
) => BodyPlan;

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
  return (headers, takesForm, whole) => {
    const { 'content-type': header = '', 'content-encoding': encoding } = headers;
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return toEncoded(encoding);
    if (whole !== undefined) return toWholePlan(header, whole);
    if (header === 'application/json') return json;
    const { type, parameters } = parseType(header);
    if (type === 'multipart/form-data') return multipart;
    const isForm = takesForm && type === 'application/x-www-form-urlencoded';
    if (!isForm && !isJsonType(type)) return toUnknown(type);
    const charset = findCharset(parameters);
    if (!['utf-8', 'utf8'].includes(charset)) return toWrongCharset(charset);
    return isForm ? form : json;
  };
}

/** The types that a page of another site may send without asking. */
const formTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

function toWholePlan(header: string, { types, file, maxBytes }: WholeBodyPlan): BodyPlan {
  const { type, parameters } = parseType(header);
  if (!types.some((taken) => matchesType(type, taken))) return toUnknown(type, types);
  const isFile = file !== undefined;
  const charset = findCharset(parameters);
  if (!isFile && !readableCharsets.includes(charset)) return toWrongCharset(charset);
  const refusal = failure(PayloadTooLarge, `The request body is larger than ${maxBytes} bytes`);
  const isJson = !formTypes.includes(type);
  return { kind: isFile ? 'file' : 'whole', isJson, maxBytes, refusal };
}

/** Whoever takes `application/json` takes the types that are JSON by their ends. */
function matchesType(type: string, taken: string): boolean {
  return matchesMimeType(type, [taken]) || (taken === 'application/json' && isJsonType(type));
}

/** A media type and its parameters, in lower case. */
function parseType(header: string): {
  readonly type: string;
  readonly parameters: readonly string[];
} {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return { type, parameters };
}

/** Whether a media type in lower case is JSON, by its name or its end. */
export function isJsonType(type: string): boolean {
  return /^application\/(json|[^\s/]+\+json)$/.test(type);
}

/** Text of ASCII is UTF-8 too. */
const readableCharsets = ['utf-8', 'utf8', 'us-ascii'];

function toWrongCharset(charset: string): BodyPlan {
  return toUnread(`Charset '${charset.slice(0, 40)}' is not supported; send UTF-8`);
}

function toEncoded(encoding: string): BodyPlan {
  const name = encoding.slice(0, 40);
  return toUnread(`Content encoding '${name}' is not supported; send the body as it is`);
}

/** A body without a type is not JSON: a page of another site can send it without asking first. */
function toUnknown(
  type: string,
  wanted: readonly string[] = ['application/json', 'multipart/form-data'],
): BodyPlan {
  const name = type.slice(0, 100);
  const fault =
    type === ''
      ? 'The request body has no content type'
      : `Content type '${name}' is not supported`;
  return toUnread(`${fault}; send ${wanted.join(' or ')}`);
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
