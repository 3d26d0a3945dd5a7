import { parse as parseQuery } from 'fast-querystring';
import type { Outcome } from '../errors/outcome.ts';
import { addParams, toInputFields } from '../input/input-fields.ts';
import type { MultipartLimits } from '../input/multipart-limits.ts';
import { parseJsonBody } from '../input/parse-json-body.ts';
import type { PathParams } from '../routing/create-matcher.ts';
import type { RestRequest } from './rest-request.ts';
import type { ServedOperation } from './served-routes.ts';

/** The sources of one request's input, besides its body. */
export interface InputParts {
  readonly request: RestRequest;
  readonly served: ServedOperation;
  readonly params: PathParams;
}

/** Query and path, for methods without a body; the path wins. */
export function toQueryInput({ request: { query }, served: { plan }, params }: InputParts): Outcome {
  const input = query === '' ? {} : toInputFields(parseQuery(query), plan);
  addParams(input, params, plan);
  return { ok: true, value: input };
}

/** JSON body and path; the path wins. */
export function toJsonInput({ served: { plan }, params }: InputParts, bytes: Buffer): Outcome {
  const parsed = parseJsonBody(bytes);
  if (parsed.ok) addParams(parsed.value, params, plan);
  return parsed;
}

/** Form and path; the path wins. The parser is loaded with the first form. */
export async function readFormInput(
  { request, served: { plan }, params }: InputParts,
  limits: MultipartLimits,
): Promise<Outcome> {
  const { readMultipartBody } = await import('../input/read-multipart-body.ts');
  const { body, headers } = request.exchange;
  const parsed = await readMultipartBody({ body, contentType: String(headers['content-type']), limits, plan });
  if (parsed.ok) addParams(parsed.value, params, plan);
  return parsed;
}
