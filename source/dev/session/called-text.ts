import type { FieldRecord, RequestRecord } from '../../record/request-record.ts';

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
