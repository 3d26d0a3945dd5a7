import { parse as parseQuery } from 'fast-querystring';
import type { MaybePromise, Outcome } from '../errors/outcome.ts';
import { parseJsonBody } from '../input/json-body.ts';
import { addParams, addTexts, type InputFields } from '../input/text-fields.ts';
import type { PathParams } from '../routing/create-matcher.ts';
import type { RestRequest } from './rest-request.ts';
import type { ServedOperation } from './rest-route.ts';

export interface InputParts {
  readonly request: RestRequest;
  readonly served: ServedOperation;
  readonly params: PathParams;
}

/** Query and path, for methods without a body; the path wins. */
export function readQueryInput({ request, served, params }: InputParts): Outcome {
  const input: InputFields = {};
  const { query } = request;
  if (query !== '') addTexts(input, parseQuery(query) as Record<string, string | string[]>, served.plan);
  addParams(input, params, served.plan);
  return { ok: true, value: input };
}

/** JSON body and path; the path wins. */
export function readJsonInput({ served, params }: InputParts, bytes: Buffer): MaybePromise<Outcome> {
  const parsed = parseJsonBody(bytes);
  if (parsed.ok) addParams(parsed.value, params, served.plan);
  return parsed;
}
