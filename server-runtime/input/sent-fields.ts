import type { IncomingHttpHeaders } from 'node:http';
import type { SentField } from '../capability/http.ts';
import type { Lens } from '../schema/lens.ts';
import { type InputFields, toFieldValue } from './input-fields.ts';
import { parseCookies } from './parse-cookies.ts';

export interface SentPlan {
  readonly sent: readonly SentField[];
  /** The plan by which texts become values. */
  readonly plan: Lens;
}

/** Adds to an input the fields that headers and cookies carry, where it has none of that name. */
export function addSentFields(
  input: InputFields,
  headers: Readonly<IncomingHttpHeaders>,
  { sent: fields, plan }: SentPlan,
): void {
  // Of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4).
  const cookies = parseCookies(headers.cookie);
  for (const { field, in: place, name } of fields) {
    if (Object.hasOwn(input, field)) continue;
    const sent = place === 'cookie' ? cookies[name] : headers[name]?.toString();
    if (sent === undefined) continue;
    const lens = plan.inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? sent.split(',').map((item) => item.trim()) : [sent]);
  }
}
