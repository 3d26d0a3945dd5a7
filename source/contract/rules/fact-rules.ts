import type { ContractRule } from './contract-rule.ts';
import { toRule as rule } from './contract-rule.ts';

const nobodyCalled = 'nobody called it before';

/** What changes beside the schemas. */
export const factRules = {
  'capability-added': rule('safe', 'a new capability', [nobodyCalled]),
  'capability-removed': rule('breaking', 'a capability less', ['its route answers 404 or 405']),
  'capability-removed-after-sunset': rule('risky', 'a capability less, whose sunset was announced and has passed', [
    'its route answers 404 or 405, as was announced',
  ]),
  'capability-renamed': rule('breaking', 'another key with the route of one that is gone', [
    'clients and agents know it by its key',
    ['client', 'agents'],
  ]),
  'route-changed': rule('breaking', 'another path', [
    'requests to the old route are not answered any more; clients must be generated anew',
    ['http', 'client'],
  ]),
  'method-changed': rule('breaking', 'another method', [
    'requests to the old route are not answered any more; clients must be generated anew',
    ['http', 'client'],
  ]),
  'path-parameter-renamed': rule('safe', 'another name of a path parameter', [
    'the same requests match; a parameter has another name',
    ['http'],
  ]),
  'path-parameter-field-renamed': rule('breaking', 'another name of the field that a path parameter fills', [
    'HTTP callers see no difference; the client and agents give it by its name',
    ['client', 'agents'],
  ]),
  'intent-changed': rule('risky', 'another intent', [
    'agents decide by the intent whether a call needs consent, and caches whether it may be repeated',
    ['agents'],
  ]),
  'credential-added': rule('breaking', 'callers must send a credential that they did not', [
    'calls without it are refused',
  ]),
  'credential-changed': rule('breaking', 'callers must send another credential: another scheme, or in another header', [
    'callers that send what was asked for are refused',
  ]),
  'credential-removed': rule('risky', 'callers need not send a credential any more', ['it is open to more callers']),
  'scope-added': rule('breaking', 'the credential must have another scope', ['tokens without it are refused']),
  'scope-removed': rule('safe', 'the credential needs one scope less', ['tokens that have it are still good']),
  'first-guard-added': rule('breaking', 'a guard where there was none', [
    'it was public; calls without what the guard asks for are refused',
  ]),
  'guard-added': rule('risky', 'another guard', ['some calls that passed may be refused']),
  'guard-removed': rule('risky', 'a guard less', ['it is open to more callers']),
  'last-guard-removed': rule('risky', 'no guard any more', ['it is public now']),
  'guard-replaced': rule('risky', 'a guard of another name, and neither says what it asks for', [
    'they declare neither security nor errors, so that nobody can tell whether they ask for the same',
  ]),
  'error-added': rule('risky', 'an error that was not declared', [
    'callers may get an error that they are not ready for',
  ]),
  'error-removed': rule('safe', 'an error less', ['callers were ready for more']),
  'answer-status-changed': rule('breaking', 'success has another status', [
    'callers that look for the old status miss it',
  ]),
  'answer-status-added': rule('risky', 'success may have another status too', [
    'callers may not know what to do with it',
  ]),
  'answer-status-removed': rule('safe', 'success has one status less', ['callers were ready for more']),
  'answer-content-changed': rule('breaking', 'an answer is sent as another kind of content', [
    'callers read it as what it was',
  ]),
  'answer-header-added': rule('safe', 'an answer has another header', ['callers pass over what they do not know']),
  'answer-header-removed': rule('breaking', 'an answer has a header less', ['callers miss it', ['http', 'client']]),
  'timeout-shorter': rule('risky', 'a shorter timeout', ['slow calls that were answered may end in 504']),
  'timeout-longer': rule('safe', 'a longer timeout', ['callers may wait longer']),
  'rate-limit-lower': rule('risky', 'fewer calls in the same time', ['callers that were within the limit may get 429']),
  'rate-limit-higher': rule('safe', 'more calls in the same time', ['callers were within the limit']),
  'cache-longer': rule('risky', 'answers are kept for longer', ['callers may get an older answer']),
  'deprecation-added': rule('safe', 'a capability became deprecated', ['it is answered as before']),
  'deprecation-removed': rule('safe', 'a capability is not deprecated any more', ['it is answered as before']),
  'sunset-added': rule('risky', 'an end was announced', ['callers must have moved by then']),
  'sunset-earlier': rule('breaking', 'the end that was announced comes sooner', [
    'callers that planned for the old date are cut off before it',
  ]),
  'sunset-later': rule('safe', 'the end that was announced comes later', ['callers have more time']),
  'sunset-removed': rule('risky', 'the end that was announced has no date any more', [
    'callers do not know any more when it ends',
  ]),
  'tool-added': rule('safe', 'agents see a capability that was hidden from them', [
    'nobody called it as a tool',
    ['agents'],
  ]),
  'tool-removed': rule('breaking', 'a capability is hidden from agents', ['the tool is gone', ['agents']]),
  'tool-renamed': rule('breaking', 'a tool has another name', ['agents call a tool by its name', ['agents']]),
  'tool-hint-changed': rule('risky', 'a tool says otherwise whether it only reads, destroys or may be repeated', [
    'agents decide by it whether to ask before a call',
    ['agents'],
  ]),
  'body-limit-lower': rule('risky', 'smaller bodies, files or forms', [
    'requests that were taken may be refused with 413',
  ]),
  'body-limit-higher': rule('safe', 'larger bodies, files or forms', ['callers sent less']),
  'forms-refused': rule('breaking', 'forms are not taken any more', ['forms are refused with 415']),
  'forms-taken': rule('safe', 'forms are taken', ['nobody sent one']),
} as const satisfies Readonly<Record<string, ContractRule>>;
