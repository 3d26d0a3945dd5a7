import type { ClosedRecord, FieldRecord, RequestRecord } from '../../record/request-record.ts';

/** The capabilities that a request has called: `posts.listPosts, users.getUser (100 calls) 404`. */
export function toCalledText({
  capability = '',
  fields,
}: Pick<RequestRecord, 'capability' | 'fields'>): string {
  if (fields === undefined) return capability;
  const texts = fields.map((each) => (each.status === 200 ? toCallsText(each) : toFieldText(each)));
  return texts.join(', ');
}

/** `users.getUser (100 calls) 404` */
export function toFieldText(field: FieldRecord): string {
  return `${toCallsText(field)} ${field.status === 0 ? 'not ended' : field.status}`;
}

function toCallsText({ capability, calls }: FieldRecord): string {
  return calls === 1 ? capability : `${capability} (${calls} calls)`;
}

const closers: Readonly<Record<ClosedRecord['by'], string>> = {
  server: 'the server',
  client: 'the client',
  nobody: 'nobody',
};

export function toCloser({ by }: Pick<ClosedRecord, 'by'>): string {
  return closers[by];
}

const meanings: Readonly<Record<number, string>> = {
  1000: 'it was no longer needed',
  1001: 'its page or its server went away, or nothing was called',
  1002: 'the bytes were not a frame',
  1003: 'a message was binary',
  1005: 'no code was sent',
  1006: 'no close frame was sent',
  1007: 'a message was no UTF-8',
  1008: 'too many messages were not requests, or a message had too many parts',
  1009: 'a message was too long',
  1011: 'the server met an error',
  1012: 'newer code took its place',
  1013: 'the address has too many connections',
};

/** The meaning of a close code; a guard closes with 4000 and the status of its refusal. */
export function toCloseMeaning(code: number): string {
  const known = meanings[code];
  if (known !== undefined) return known;
  const isRefusal = code >= 4400 && code < 4600;
  return isRefusal ? `it was refused with ${code - 4000}` : 'a code of the application';
}
