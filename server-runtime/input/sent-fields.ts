import type { IncomingHttpHeaders } from 'node:http';
import type { SentField } from '../capability/http.ts';
import type { Lens } from '../schema/lens.ts';
import { type InputFields, toFieldValue } from './input-fields.ts';
import { parseCookies } from './parse-cookies.ts';

interface SentPlan {
  readonly sent: readonly SentField[];
  /** The plan by which texts become values. */
  readonly plan: Lens;
}

/** Whether a field names the last event that a client has, which resumes a stream behind it. */
export function isProgress({ in: place, name }: SentField): boolean {
  return place === 'header' && name === 'last-event-id';
}

/**
 * Adds to an input the fields that headers and cookies carry, where it has none of that name. A client that resumes a
 * stream repeats its input: the place that it has reached counts, not the one where it began.
 */
export function addSentFields(
  input: InputFields,
  headers: Readonly<IncomingHttpHeaders>,
  { sent: fields, plan }: SentPlan,
): void {
  // Of two with one name the first counts, which is the one of the longer path (RFC 6265, 5.4).
  const cookies = parseCookies(headers.cookie);
  for (const each of fields) {
    const { field, in: place, name } = each;
    const sent = place === 'cookie' ? cookies[name] : headers[name]?.toString();
    if (sent === undefined || (Object.hasOwn(input, field) && !isProgress(each))) continue;
    const lens = plan.inside(field);
    const isList = place === 'header' && lens !== undefined && lens.reading.list !== 'never';
    input[field] = toFieldValue(lens, isList ? sent.split(',').map((item) => item.trim()) : [sent]);
  }
}
