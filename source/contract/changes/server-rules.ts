import { overHttp, type RuleGroups } from './rule.ts';

/** The rules of what agents see, of what holds for every call, and of jobs. */
export const serverRules = {
  agents: {
    'intent-changed': {
      class: 'risky',
      when: 'the intent changed',
      reason: 'agents decide by it whether a call needs consent',
      audience: ['agents'],
    },
    'tool-changed': {
      class: 'breaking',
      when: 'a tool is hidden or renamed; safe if shown',
      reason: 'agents know it by name',
      audience: ['agents'],
    },
    'tool-hint-changed': {
      class: 'risky',
      when: 'another hint of a tool',
      reason: 'agents decide by it whether to ask first',
      audience: ['agents'],
    },
    'offer-added': {
      class: 'safe',
      when: 'a resource or a prompt is new',
      reason: 'nobody read it before',
      audience: ['agents'],
    },
    'offer-removed': {
      class: 'breaking',
      when: 'a resource or a prompt was removed',
      reason: 'agents ask for it by its name',
      audience: ['agents'],
    },
    'client-type-changed': {
      class: 'breaking',
      when: 'another type in the client, such as a date',
      reason: 'code with it fails',
      audience: ['client'],
    },
  },
  server: {
    'server-added': {
      class: 'safe',
      when: 'a document names a server more',
      reason: 'nobody called it',
      audience: overHttp,
    },
    'server-removed': {
      class: 'risky',
      when: 'a document names a server no more',
      reason: 'clients call it by its address',
      audience: overHttp,
    },
    'prefix-changed': {
      class: 'breaking',
      when: 'another prefix of all paths',
      reason: 'the old paths are not answered any more',
      audience: overHttp,
    },
    'envelope-changed': {
      class: 'breaking',
      when: 'the data is in another field',
      reason: 'callers look for it where it was',
      audience: overHttp,
    },
    'error-format-changed': {
      class: 'risky',
      when: 'another status of bad input, or type of errors',
      reason: 'callers look for it',
      audience: overHttp,
    },
    'body-limit-changed': {
      class: 'risky',
      when: 'less may be sent; safe if more',
      reason: 'what is larger is refused with 413',
      audience: overHttp,
    },
    'cors-changed': {
      class: 'risky',
      when: 'fewer pages may call; safe if more',
      reason: 'browsers refuse these calls',
      audience: overHttp,
    },
    'calls-changed': {
      class: 'breaking',
      when: 'no inferred client is served; safe if it is',
      reason: 'its calls answer 404',
      audience: ['client'],
    },
    'etag-changed': {
      class: 'risky',
      when: 'no entity tags; safe if they came',
      reason: 'callers get the whole of what they know',
      audience: overHttp,
    },
  },
  graphql: {
    'graphql-added': {
      class: 'safe',
      when: 'the project exports a transport of GraphQL',
      reason: 'nobody called it before',
      audience: ['graphql'],
    },
    'graphql-removed': {
      class: 'breaking',
      when: 'it exports none any more',
      reason: 'no document is answered',
      audience: ['graphql'],
    },
    'graphql-moved': {
      class: 'breaking',
      when: 'another path of GraphQL',
      reason: 'the old path is not answered any more',
      audience: ['graphql'],
    },
    'graphql-breaking': {
      class: 'breaking',
      when: 'a field, an argument or a type is gone, or another one',
      reason: 'documents that have it are refused, or read something else',
      audience: ['graphql'],
    },
    'graphql-dangerous': {
      class: 'risky',
      when: 'a value, a member or a default that documents do not know (`findDangerousChanges`)',
      reason: 'code of callers may not know it',
      audience: ['graphql'],
    },
    'graphql-unread': {
      class: 'risky',
      when: 'a schema could not be written or read, or it changed and the package `graphql` is not installed',
      reason: 'nobody can tell how',
      audience: ['graphql'],
    },
  },
  jobs: {
    'job-added': {
      class: 'safe',
      when: 'a capability became a job',
      reason: 'nobody added it before',
      audience: ['jobs'],
    },
    'job-removed': {
      class: 'breaking',
      when: 'a capability is not a job any more',
      reason: 'jobs that wait are not run',
      audience: ['jobs'],
    },
    'job-settings-changed': {
      class: 'risky',
      when: 'another schedule; safe for other settings',
      reason: 'jobs run at other times',
      audience: ['jobs'],
    },
    'websocket-added': {
      class: 'safe',
      when: 'WebSockets are served, or at a path more',
      reason: 'nobody connected there',
      audience: overHttp,
    },
    'websocket-removed': {
      class: 'breaking',
      when: 'WebSockets are served no more, or at another path',
      reason: 'clients connect to the path that was',
      audience: overHttp,
    },
    'websocket-protocol-changed': {
      class: 'breaking',
      when: 'a subprotocol was removed; safe if one is new',
      reason: 'browsers close a connection without it',
      audience: overHttp,
    },
    'websocket-security-changed': {
      class: 'breaking',
      when: 'other credentials are needed; safe if fewer',
      reason: 'connections without them are closed: 4401',
      audience: overHttp,
    },
    'websocket-limit-changed': {
      class: 'risky',
      when: 'a limit of WebSockets is lower; safe if higher',
      reason: 'what is beyond is refused, slowed or closed',
      audience: overHttp,
    },
    'queue-renamed': {
      class: 'risky',
      when: 'the prefix of a queue changed',
      reason: 'jobs that wait under it are not run',
      audience: ['jobs'],
    },
  },
} as const satisfies RuleGroups;
