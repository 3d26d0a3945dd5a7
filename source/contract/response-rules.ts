import { overHttp, type Row } from './contract-change.ts';

/** The parts of a response beside the data, its time, and what is promised of it. */
export const responses = {
  'error-added': ['risky', 'an error is newly declared', 'callers may get an error that they are not ready for'],
  'error-removed': ['safe', 'an error is no longer declared', 'callers were ready for more'],
  'response-status-changed': ['breaking', 'success has another status', 'callers that look for the old status miss it'],
  'response-status-added': ['risky', 'success may have another status too', 'callers may not know what to do with it'],
  'response-status-removed': ['safe', 'success has one status fewer', 'callers were ready for more'],
  'response-type-changed': [
    'breaking',
    'a response is sent as another kind of content or media type',
    'callers read it as what it was',
  ],
  'response-type-added': [
    'risky',
    'a response may be sent in another media type too',
    'callers may not be able to read it',
  ],
  'response-type-removed': ['safe', 'a response has one media type fewer', 'callers were ready for more'],
  'timeout-shorter': ['risky', 'the timeout is shorter', 'slow calls that were answered may end in 504'],
  'timeout-longer': ['safe', 'the timeout is longer', 'callers may wait longer'],
  'rate-limit-lower': [
    'risky',
    'fewer calls are allowed in the same time',
    'callers that were within the limit may get 429',
  ],
  'rate-limit-higher': ['safe', 'more calls are allowed in the same time', 'callers were within the limit'],
  'cache-longer': ['risky', 'responses are kept for longer', 'callers may get an older response'],
  'cache-control-changed': [
    'risky',
    'how long caches may keep responses over HTTP changed',
    'callers may get an older response, or ask more often',
    overHttp,
  ],
  'deprecation-changed': ['safe', 'a capability became deprecated, or is so no longer', 'it is answered as before'],
  'sunset-changed': ['risky', 'a sunset was announced or withdrawn', 'callers must have moved by then'],
  'sunset-earlier': [
    'breaking',
    'the sunset comes earlier than announced',
    'callers that planned for the old date are cut off before it',
  ],
  'sunset-later': ['safe', 'the sunset comes later than announced', 'callers have more time'],
} as const satisfies Readonly<Record<string, Row>>;

/** The part that agents see beside input and output. */
export const agents = {
  'intent-changed': [
    'risky',
    'the intent changed',
    'agents decide by the intent whether a call needs consent, and caches whether it may be repeated',
    ['agents'],
  ],
  'tool-added': ['safe', 'agents see a capability that was hidden from them', 'nobody called it as a tool', ['agents']],
  'tool-removed': ['breaking', 'a capability is hidden from agents', 'the tool is gone', ['agents']],
  'tool-renamed': ['breaking', 'a tool has another name', 'agents call a tool by its name', ['agents']],
  'tool-hint-changed': [
    'risky',
    'the hints of a tool changed: whether it only reads, destroys, or may be repeated',
    'agents decide by it whether to ask before a call',
    ['agents'],
  ],
  'offer-added': ['safe', 'a resource or a prompt is new', 'nobody read it before', ['agents']],
  'offer-removed': [
    'breaking',
    'a resource or a prompt was removed, or has another address or name',
    'agents ask for it by the old one',
    ['agents'],
  ],
} as const satisfies Readonly<Record<string, Row>>;

/** Facts that hold for every call. */
export const server = {
  'prefix-changed': [
    'breaking',
    'the prefix of all paths changed',
    'requests to the old paths are no longer answered; clients must be generated again',
    overHttp,
  ],
  'envelope-changed': [
    'breaking',
    'the fields of every response that lead to the data have other names',
    'callers look for the data where it was',
    overHttp,
  ],
  'error-type-changed': [
    'risky',
    'the media type of errors changed',
    'callers that look at the type may not know what to do with it',
    overHttp,
  ],
  'validation-status-changed': [
    'risky',
    'an input that does not fit is refused with another status',
    'callers that look for the old status miss it',
    overHttp,
  ],
  'body-limit-lower': ['risky', 'less may be sent', 'what is larger is refused with 413', overHttp],
  'body-limit-higher': ['safe', 'more may be sent', 'callers were within the limit', overHttp],
  'cors-narrower': [
    'risky',
    'pages of some sites may no longer call, with some methods or headers, or read some headers of a response',
    'browsers refuse these calls',
    overHttp,
  ],
  'cors-wider': ['safe', 'pages of more sites may call, or with more', 'nobody could before', overHttp],
  'calls-removed': ['breaking', 'the inferred client is no longer served', 'its calls answer 404', ['client']],
  'calls-added': ['safe', 'the inferred client is served', 'nobody could use it before', ['client']],
  'etag-added': ['safe', 'responses to GET have an entity tag', 'nobody asks by it', overHttp],
  'etag-removed': [
    'risky',
    'responses to GET have no entity tag any more',
    'callers that ask whether a response changed get the whole of it',
    overHttp,
  ],
} as const satisfies Readonly<Record<string, Row>>;

/** Capabilities that a queue runs. Their inputs, guards and errors have the rules of every capability. */
export const jobs = {
  'job-added': ['safe', 'a capability became a job', 'nobody added it before', ['jobs']],
  'job-removed': [
    'breaking',
    'a capability is not a job any more',
    'jobs that wait are not run, and code that adds them is refused',
    ['jobs'],
  ],
  'job-schedule-changed': [
    'risky',
    'the schedule of a job changed: its times, its time zone or its input',
    'it runs at other times, or with another input',
    ['jobs'],
  ],
  'job-settings-changed': [
    'safe',
    'another number of jobs runs at once or within a time, or a job is tried more or less often',
    'the same jobs run, in another time',
    ['jobs'],
  ],
  'queue-renamed': ['risky', 'the prefix of a queue changed', 'jobs that wait under the old one are not run', ['jobs']],
} as const satisfies Readonly<Record<string, Row>>;
