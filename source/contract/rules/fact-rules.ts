import type { ContractRule } from './contract-rule.ts';
import { toRule as rule } from './contract-rule.ts';

const nobodyCalled = 'nobody called it before';

/** Rules for everything beside the schemas. */
export const factRules = {
  'capability-added': rule('safe', 'a capability is new', [nobodyCalled]),
  'capability-removed': rule('breaking', 'a capability was removed', ['its route answers 404 or 405']),
  'capability-removed-after-sunset': rule(
    'risky',
    'a capability was removed after the sunset that was announced for it',
    ['its route answers 404 or 405, as was announced'],
  ),
  'capability-renamed': rule('breaking', 'a capability has another key, and the same route', [
    'clients and agents know it by its key',
    ['client', 'agents'],
  ]),
  'route-changed': rule('breaking', 'the path of a route changed', [
    'requests to the old route are no longer answered; clients must be generated again',
    ['http', 'client'],
  ]),
  'method-changed': rule('breaking', 'the method of a route changed', [
    'requests to the old route are no longer answered; clients must be generated again',
    ['http', 'client'],
  ]),
  'path-parameter-renamed': rule('safe', 'a path parameter was renamed', [
    'the same requests match; a parameter has another name',
    ['http'],
  ]),
  'path-parameter-field-renamed': rule('breaking', 'the field that a path parameter fills was renamed', [
    'HTTP callers see no difference; the client and agents give it by its name',
    ['client', 'agents'],
  ]),
  'sent-field-moved': rule(
    'breaking',
    'a required field moved to a header or a cookie, from one, or to one of another name',
    ['requests that carry it where it was are refused; clients must be generated again', ['http', 'client']],
  ),
  'sent-field-moved-optional': rule(
    'risky',
    'an optional field moved to a header or a cookie, from one, or to one of another name',
    ['it is ignored where it was; clients must be generated again', ['http', 'client']],
  ),
  'sent-field-renamed': rule('breaking', 'the field that a header or a cookie fills was renamed', [
    'HTTP callers see no difference; the client and agents give it by its name',
    ['client', 'agents'],
  ]),
  'form-body-refused': rule('breaking', 'a capability no longer takes a form as its body', [
    'forms are refused with 415',
    ['http'],
  ]),
  'form-body-taken': rule('safe', 'a capability takes a form as its body', ['nobody sent one', ['http']]),
  'idempotency-key-required': rule('breaking', 'calls must have an `Idempotency-Key`, and did not have to before', [
    'calls without a key are refused with 400',
    ['http'],
  ]),
  'idempotency-key-optional': rule('safe', 'calls may have no `Idempotency-Key`', ['callers send one', ['http']]),
  'idempotency-key-taken': rule('safe', 'calls may have an `Idempotency-Key`', ['nobody sent one']),
  'idempotency-key-ignored': rule('risky', 'calls are no longer told apart by their `Idempotency-Key`', [
    'a call that is repeated runs again',
  ]),
  'intent-changed': rule('risky', 'the intent changed', [
    'agents decide by the intent whether a call needs consent, and caches whether it may be repeated',
    ['agents'],
  ]),
  'credential-added': rule('breaking', 'callers must send a credential, and did not have to before', [
    'calls without it are refused',
  ]),
  'credential-changed': rule('breaking', 'callers must send another credential: the scheme or the header changed', [
    'callers that send what was asked for are refused',
  ]),
  'credential-removed': rule('risky', 'callers no longer have to send a credential', ['it is open to more callers']),
  'scope-added': rule('breaking', 'the credential must have one more scope', ['tokens without it are refused']),
  'scope-removed': rule('safe', 'the credential needs one scope fewer', ['tokens that have it are still good']),
  'first-guard-added': rule('breaking', 'a capability without guards got its first one', [
    'it was public; calls without what the guard asks for are refused',
  ]),
  'guard-added': rule('risky', 'a guard was added to others', ['some calls that passed may be refused']),
  'guard-removed': rule('risky', 'a guard was removed, and others are left', ['it is open to more callers']),
  'last-guard-removed': rule('risky', 'the last guard was removed', ['it is public now']),
  'guard-replaced': rule('risky', 'a guard was replaced by one of another name, and neither says what it asks for', [
    'they declare neither security nor errors, so that nobody can tell whether they ask for the same',
  ]),
  'error-added': rule('risky', 'an error is newly declared', ['callers may get an error that they are not ready for']),
  'error-removed': rule('safe', 'an error is no longer declared', ['callers were ready for more']),
  'answer-status-changed': rule('breaking', 'success has another status', [
    'callers that look for the old status miss it',
  ]),
  'answer-status-added': rule('risky', 'success may have another status too', [
    'callers may not know what to do with it',
  ]),
  'answer-status-removed': rule('safe', 'success has one status fewer', ['callers were ready for more']),
  'answer-content-changed': rule('breaking', 'an answer is sent as another kind of content', [
    'callers read it as what it was',
  ]),
  'answer-header-added': rule('safe', 'a header was added to an answer', ['callers pass over what they do not know']),
  'answer-header-removed': rule('breaking', 'a header was removed from an answer', [
    'callers miss it',
    ['http', 'client'],
  ]),
  'timeout-shorter': rule('risky', 'the timeout is shorter', ['slow calls that were answered may end in 504']),
  'timeout-longer': rule('safe', 'the timeout is longer', ['callers may wait longer']),
  'rate-limit-lower': rule('risky', 'fewer calls are allowed in the same time', [
    'callers that were within the limit may get 429',
  ]),
  'rate-limit-higher': rule('safe', 'more calls are allowed in the same time', ['callers were within the limit']),
  'cache-longer': rule('risky', 'answers are kept for longer', ['callers may get an older answer']),
  'cache-control-changed': rule('risky', 'how long caches may keep answers over HTTP changed', [
    'callers may get an older answer, or ask more often',
    ['http', 'client'],
  ]),
  'etag-added': rule('safe', 'answers to GET have an entity tag', ['nobody asks by it', ['http', 'client']]),
  'etag-removed': rule('risky', 'answers to GET have no entity tag any more', [
    'callers that ask whether an answer changed get the whole of it',
    ['http', 'client'],
  ]),
  'deprecation-added': rule('safe', 'a capability became deprecated', ['it is answered as before']),
  'deprecation-removed': rule('safe', 'a capability is no longer deprecated', ['it is answered as before']),
  'sunset-added': rule('risky', 'a sunset was announced', ['callers must have moved by then']),
  'sunset-earlier': rule('breaking', 'the sunset comes earlier than announced', [
    'callers that planned for the old date are cut off before it',
  ]),
  'sunset-later': rule('safe', 'the sunset comes later than announced', ['callers have more time']),
  'sunset-removed': rule('risky', 'the sunset was withdrawn', ['callers no longer know when it ends']),
  'tool-added': rule('safe', 'agents see a capability that was hidden from them', [
    'nobody called it as a tool',
    ['agents'],
  ]),
  'tool-removed': rule('breaking', 'a capability is hidden from agents', ['the tool is gone', ['agents']]),
  'tool-renamed': rule('breaking', 'a tool has another name', ['agents call a tool by its name', ['agents']]),
  'tool-hint-changed': rule(
    'risky',
    'the hints of a tool changed: whether it only reads, destroys, or may be repeated',
    ['agents decide by it whether to ask before a call', ['agents']],
  ),
  'prefix-changed': rule('breaking', 'the prefix of all paths changed', [
    'requests to the old paths are no longer answered; clients must be generated again',
    ['http', 'client'],
  ]),
  'envelope-data-changed': rule('breaking', 'the field of every answer that holds the data has another name', [
    'callers look for the data where it was',
    ['http', 'client'],
  ]),
  'failure-type-changed': rule('risky', 'the media type of refusals changed', [
    'callers that check the type may not read them',
    ['http', 'client'],
  ]),
  'validation-status-changed': rule('breaking', 'the status of an input that does not fit changed', [
    'callers that expect the old status miss it',
    ['http', 'client'],
  ]),
  'body-limit-lower': rule('risky', 'the largest body, file or form that is accepted is smaller', [
    'requests that were accepted may be refused with 413',
  ]),
  'body-limit-higher': rule('safe', 'the largest body, file or form that is accepted is larger', ['callers sent less']),
  'forms-refused': rule('breaking', 'forms are no longer accepted', ['forms are refused with 415']),
  'forms-taken': rule('safe', 'forms are accepted', ['nobody sent one']),
} as const satisfies Readonly<Record<string, ContractRule>>;
