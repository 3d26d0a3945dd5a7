import { byName, overHttp, type RuleGroups } from './rule.ts';

/** The rules for routes, requests and responses, but for the schemas of their values. */
export const callRules = {
  requests: {
    'capability-added': {
      class: 'safe',
      when: 'a capability is new',
      reason: 'nobody called it before',
    },
    'capability-removed': {
      class: 'breaking',
      when: 'one was removed; risky after its sunset',
      reason: 'its route answers 404 or 405',
    },
    'capability-renamed': {
      class: 'breaking',
      when: 'a new key on the same route',
      reason: 'clients and agents know it by its key',
      audience: byName,
    },
    'route-changed': {
      class: 'breaking',
      when: 'another method or path',
      reason: 'requests to the old route are not answered',
      audience: overHttp,
    },
    'route-removed': {
      class: 'breaking',
      when: 'one of several routes was removed',
      reason: 'its path answers 404 or 405',
      audience: ['http'],
    },
    'route-added': {
      class: 'safe',
      when: 'a capability got a route more',
      reason: 'nobody called it before',
      audience: ['http'],
    },
    'route-shadowed': {
      class: 'risky',
      when: 'a new route takes requests of another',
      reason: 'another capability answers them',
      audience: overHttp,
    },
    'sent-field-moved': {
      class: 'breaking',
      when: 'a field moved; risky if it is optional',
      reason: 'it is not read where it was',
      audience: overHttp,
    },
    'sent-field-renamed': {
      class: 'breaking',
      when: 'another field in the same place',
      reason: 'its senders use its name',
      audience: byName,
    },
    'idempotency-key-required': {
      class: 'breaking',
      when: 'an `Idempotency-Key` is required',
      reason: 'others get 400',
      audience: ['http'],
    },
    'idempotency-key-changed': {
      class: 'risky',
      when: 'it is ignored; safe if it may be sent',
      reason: 'a repeated call may run again',
    },
    'credential-changed': {
      class: 'breaking',
      when: 'another credential or scope; safe if fewer do',
      reason: 'calls without it are refused',
    },
    'guard-added': {
      class: 'risky',
      when: 'a guard was added; breaking if it is the first',
      reason: 'some calls may be refused',
    },
    'guard-changed': {
      class: 'risky',
      when: 'another guard in the place of one, or another order',
      reason: 'others may pass, or be refused',
    },
    'guard-removed': {
      class: 'risky',
      when: 'a guard or a credential was removed',
      reason: 'it is open to more callers',
    },
    'middleware-changed': {
      class: 'safe',
      when: 'a middleware without an error of 401 or 403 came or went',
      reason: 'it does not declare that it refuses anybody',
    },
  },
  responses: {
    'error-added': {
      class: 'risky',
      when: 'an error is newly declared',
      reason: 'callers may get an error that they are not ready for',
    },
    'error-removed': {
      class: 'risky',
      when: 'an error is no longer declared',
      reason: 'code of typed clients that handles it does not compile',
      audience: ['client'],
    },
    'response-status-changed': {
      class: 'breaking',
      when: 'success has another status',
      reason: 'callers look for the old status',
    },
    'response-status-added': {
      class: 'risky',
      when: 'success may have another status too',
      reason: 'callers may not know it',
    },
    'response-status-removed': {
      class: 'safe',
      when: 'success has one status fewer',
      reason: 'callers were ready for more',
    },
    'response-type-changed': {
      class: 'breaking',
      when: 'another type or one fewer; risky if one more',
      reason: 'callers read the old one',
    },
    'webhook-added': { class: 'safe', when: 'a webhook is new', reason: 'nobody waits for it' },
    'webhook-removed': {
      class: 'breaking',
      when: 'a webhook was removed',
      reason: 'receivers wait for it',
    },
    'callback-added': {
      class: 'safe',
      when: 'an operation has a callback more',
      reason: 'nobody waits for it',
    },
    'callback-removed': {
      class: 'breaking',
      when: 'a callback was removed',
      reason: 'receivers wait for it',
    },
    'link-added': {
      class: 'safe',
      when: 'an answer has a link more',
      reason: 'nobody followed it before',
    },
    'link-removed': {
      class: 'breaking',
      when: 'a link of an answer was removed; risky if it leads elsewhere',
      reason: 'clients follow it',
    },
    'timeout-changed': {
      class: 'risky',
      when: 'a shorter timeout; safe if longer',
      reason: 'slow calls that were answered may end in 504',
    },
    'rate-limit-changed': {
      class: 'risky',
      when: 'fewer calls in the same time; safe if more',
      reason: 'callers may get 429',
    },
    'cache-changed': {
      class: 'risky',
      when: 'responses are kept for longer; safe if shorter',
      reason: 'callers may get an older response',
    },
    'cache-control-changed': {
      class: 'risky',
      when: 'another `Cache-Control`',
      reason: 'callers may get an older response',
      audience: overHttp,
    },
    'deprecation-changed': {
      class: 'safe',
      when: 'a capability or field is deprecated, or no longer',
      reason: 'it works as before',
    },
    'sunset-changed': {
      class: 'risky',
      when: 'a new sunset; breaking if earlier, safe if later',
      reason: 'callers must have moved by then',
    },
  },
} as const satisfies RuleGroups;
