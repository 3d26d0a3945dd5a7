import { byName, overHttp, type Row } from './contract-change.ts';

type Rows = Readonly<Record<string, Row>>;

/** Routes, and what a request must carry beside its input. */
export const requests = {
  'capability-added': ['safe', 'a capability is new', 'nobody called it before'],
  'capability-removed': ['breaking', 'a capability was removed', 'its route answers 404 or 405'],
  'capability-removed-after-sunset': ['risky', 'the same, after its sunset', 'it answers 404 or 405, as announced'],
  'capability-renamed': ['breaking', 'another key, on the same route', 'clients and agents know it by its key', byName],
  'route-changed': ['breaking', 'another method or path', 'requests to the old route are not answered', overHttp],
  'route-removed': ['breaking', 'one of several routes was removed', 'its path answers 404 or 405', ['http']],
  'route-added': ['safe', 'a capability got a route more', 'nobody called it before', ['http']],
  'route-shadowed': ['risky', 'a new route takes requests of another one', 'another capability answers them', overHttp],
  'sent-field-moved': [
    'breaking',
    'a required field moved',
    'requests that carry it where it was are refused',
    overHttp,
  ],
  'sent-field-moved-optional': ['risky', 'an optional field moved', 'it is ignored where it was', overHttp],
  'sent-field-renamed': [
    'breaking',
    'another field in the same place',
    'clients and agents send it by its name',
    byName,
  ],
  'body-became-required': ['breaking', 'a body is required now', 'requests without one are refused', overHttp],
  'body-type-removed': ['breaking', 'a media type of bodies is refused', 'such bodies are refused with 415', ['http']],
  'body-type-added': ['safe', 'a media type of bodies is taken', 'nobody sent one', ['http']],
  'idempotency-key-required': ['breaking', 'an `Idempotency-Key` is required', 'others are refused with 400', ['http']],
  'idempotency-key-added': ['safe', 'calls may have an `Idempotency-Key`', 'nobody has to send one'],
  'idempotency-key-ignored': [
    'risky',
    'calls have no `Idempotency-Key` any more',
    'a call that is repeated runs again',
  ],
  'credential-added': ['breaking', 'a credential is asked for, and was not', 'calls without it are refused'],
  'credential-changed': ['breaking', 'a credential that passed is refused', 'callers that send it are refused'],
  'credential-removed': ['risky', 'callers no longer have to send a credential', 'it is open to more callers'],
  'credential-choice-added': ['safe', 'another credential passes too', 'the old one still passes'],
  'scope-added': ['breaking', 'the credential must have one more scope', 'tokens without it are refused'],
  'scope-removed': ['safe', 'the credential needs one scope fewer', 'tokens that have it are still good'],
  'first-guard-added': ['breaking', 'the first guard of a capability', 'it was public; some callers are refused'],
  'guard-added': ['risky', 'a guard was added to others', 'some calls that passed may be refused'],
  'guard-removed': ['risky', 'a guard was removed', 'it is open to more callers'],
} as const satisfies Rows;

/** The parts of a response beside the data, its time, and what is promised of it. */
export const responses = {
  'error-added': ['risky', 'an error is newly declared', 'callers may get an error that they are not ready for'],
  'error-removed': ['safe', 'an error is no longer declared', 'callers were ready for more'],
  'response-status-changed': ['breaking', 'success has another status', 'callers that look for the old status miss it'],
  'response-status-added': ['risky', 'success may have another status too', 'callers may not know what to do with it'],
  'response-status-removed': ['safe', 'success has one status fewer', 'callers were ready for more'],
  'response-type-changed': ['breaking', 'another kind of content or media type', 'callers read it as what it was'],
  'response-type-added': ['risky', 'another media type may be sent, too', 'callers may not be able to read it'],
  'response-type-removed': ['safe', 'a response has one media type fewer', 'callers were ready for more'],
  'timeout-shorter': ['risky', 'the timeout is shorter', 'slow calls that were answered may end in 504'],
  'timeout-longer': ['safe', 'the timeout is longer', 'callers may wait longer'],
  'rate-limit-lower': ['risky', 'fewer calls in the same time', 'callers that were within the limit may get 429'],
  'rate-limit-higher': ['safe', 'more calls are allowed in the same time', 'callers were within the limit'],
  'cache-longer': ['risky', 'responses are kept for longer', 'callers may get an older response'],
  'cache-control-changed': ['risky', 'another `Cache-Control`', 'callers may get an older response', overHttp],
  'deprecation-changed': ['safe', 'a capability became deprecated, or is so no longer', 'it is answered as before'],
  'sunset-changed': ['risky', 'a sunset was announced or withdrawn', 'callers must have moved by then'],
  'sunset-earlier': [
    'breaking',
    'the sunset is earlier',
    'callers that planned for the old date are cut off before it',
  ],
  'sunset-later': ['safe', 'the sunset comes later than announced', 'callers have more time'],
} as const satisfies Rows;

/** The part that agents see beside input and output. */
export const agents = {
  'intent-changed': ['risky', 'the intent changed', 'agents decide by it whether a call needs consent', ['agents']],
  'tool-added': ['safe', 'agents see a capability that was hidden from them', 'nobody called it as a tool', ['agents']],
  'tool-removed': ['breaking', 'a capability is hidden from agents', 'the tool is gone', ['agents']],
  'tool-renamed': ['breaking', 'a tool has another name', 'agents call a tool by its name', ['agents']],
  'tool-hint-changed': ['risky', 'another hint of a tool', 'agents decide by it whether to ask first', ['agents']],
  'offer-added': ['safe', 'a resource or a prompt is new', 'nobody read it before', ['agents']],
  'offer-removed': ['breaking', 'a resource or a prompt was removed', 'agents ask for it by its name', ['agents']],
} as const satisfies Rows;

/** Facts that hold for every call. */
export const server = {
  'prefix-changed': ['breaking', 'another prefix of all paths', 'the old paths are not answered any more', overHttp],
  'envelope-changed': ['breaking', 'the data is in another field', 'callers look for it where it was', overHttp],
  'error-type-changed': ['risky', 'another media type of errors', 'callers may not know what to do with it', overHttp],
  'validation-status-changed': ['risky', 'another status of bad input', 'callers look for the old one', overHttp],
  'body-limit-lower': ['risky', 'less may be sent', 'what is larger is refused with 413', overHttp],
  'body-limit-higher': ['safe', 'more may be sent', 'callers were within the limit', overHttp],
  'cors-narrower': ['risky', 'pages of fewer sites may call, or with less', 'browsers refuse these calls', overHttp],
  'cors-wider': ['safe', 'pages of more sites may call, or with more', 'nobody could before', overHttp],
  'calls-removed': ['breaking', 'the inferred client is no longer served', 'its calls answer 404', ['client']],
  'calls-added': ['safe', 'the inferred client is served', 'nobody could use it before', ['client']],
  'etag-added': ['safe', 'responses to GET have an entity tag', 'nobody asks by it', overHttp],
  'etag-removed': ['risky', 'responses to GET have no entity tag', 'callers get the whole of what they know', overHttp],
} as const satisfies Rows;

/** Capabilities that a queue runs. Their inputs, guards and errors have the rules of every capability. */
export const jobs = {
  'job-added': ['safe', 'a capability became a job', 'nobody added it before', ['jobs']],
  'job-removed': ['breaking', 'a capability is not a job any more', 'jobs that wait are not run', ['jobs']],
  'job-schedule-changed': ['risky', 'another schedule', 'it runs at other times, or with another input', ['jobs']],
  'job-settings-changed': ['safe', 'other attempts, or another rate', 'the same jobs run, in another time', ['jobs']],
  'queue-renamed': ['risky', 'the prefix of a queue changed', 'jobs that wait under the old one are not run', ['jobs']],
} as const satisfies Rows;
