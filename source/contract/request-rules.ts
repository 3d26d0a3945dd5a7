import { byName, overHttp, type Row } from './contract-change.ts';

/** Routes, and what a request must carry beside its input. */
export const requests = {
  'capability-added': ['safe', 'a capability is new', 'nobody called it before'],
  'capability-removed': ['breaking', 'a capability was removed', 'its route answers 404 or 405'],
  'capability-removed-after-sunset': [
    'risky',
    'a capability was removed after the sunset that was announced for it',
    'its route answers 404 or 405, as was announced',
  ],
  'capability-renamed': [
    'breaking',
    'a capability has another key, and the same route',
    'clients and agents know it by its key',
    byName,
  ],
  'route-changed': [
    'breaking',
    'the method or the path of a route changed',
    'requests to the old route are no longer answered; clients must be generated again',
    overHttp,
  ],
  'route-removed': ['breaking', 'one of several routes was removed', 'its path answers 404 or 405', ['http']],
  'route-added': ['safe', 'a capability got a route more', 'nobody called it before', ['http']],
  'route-shadowed': [
    'risky',
    'a new route takes requests that a route with a parameter took',
    'another capability answers them now',
    overHttp,
  ],
  'sent-field-moved': [
    'breaking',
    'a required field moved to another place of a request: path, query, body, header or cookie',
    'requests that carry it where it was are refused; clients must be generated again',
    overHttp,
  ],
  'sent-field-moved-optional': [
    'risky',
    'an optional field moved to another place of a request: path, query, body, header or cookie',
    'it is ignored where it was; clients must be generated again',
    overHttp,
  ],
  'sent-field-renamed': [
    'breaking',
    'the field that a parameter of the path, a header or a cookie fills was renamed',
    'HTTP callers see no difference; the client and agents give it by its name',
    byName,
  ],
  'body-became-required': ['breaking', 'a body is required now', 'requests without one are refused', overHttp],
  'body-type-removed': ['breaking', 'a media type of bodies is refused', 'such bodies are refused with 415', ['http']],
  'body-type-added': ['safe', 'a media type of bodies is taken', 'nobody sent one', ['http']],
  'idempotency-key-required': [
    'breaking',
    'calls must have an `Idempotency-Key`, and did not have to before',
    'calls without a key are refused with 400',
    ['http'],
  ],
  'idempotency-key-added': ['safe', 'calls may have an `Idempotency-Key`', 'nobody has to send one'],
  'idempotency-key-ignored': [
    'risky',
    'calls are no longer told apart by their `Idempotency-Key`',
    'a call that is repeated runs again',
  ],
  'credential-added': [
    'breaking',
    'callers must send a credential, and did not have to before',
    'calls without it are refused',
  ],
  'credential-changed': [
    'breaking',
    'a credential that passed is refused: another scheme, another header, or one choice fewer',
    'callers that send what was asked for are refused',
  ],
  'credential-removed': ['risky', 'callers no longer have to send a credential', 'it is open to more callers'],
  'credential-choice-added': ['safe', 'another credential passes too', 'the old one still passes'],
  'scope-added': ['breaking', 'the credential must have one more scope', 'tokens without it are refused'],
  'scope-removed': ['safe', 'the credential needs one scope fewer', 'tokens that have it are still good'],
  'first-guard-added': [
    'breaking',
    'a capability without guards got its first one',
    'it was public; calls without what the guard asks for are refused',
  ],
  'guard-added': ['risky', 'a guard was added to others', 'some calls that passed may be refused'],
  'guard-removed': ['risky', 'a guard was removed', 'it is open to more callers'],
  'guard-replaced': [
    'risky',
    'a guard was replaced by another one, and neither declares credentials or errors',
    'nobody can tell whether they ask for the same',
  ],
} as const satisfies Readonly<Record<string, Row>>;
