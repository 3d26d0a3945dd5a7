import type { CorsFacts, DocumentFacts } from '../document/facts.ts';
import { type Fact, safeIfMore } from './compare-facts.ts';

/** The facts that hold for every call of a server of ours. */
export function toServerFacts(facts: DocumentFacts): readonly Fact[] {
  const { timeoutMs, etag = false, cors, calls, queuePrefixes } = facts;
  return [
    ...toFormatFacts(facts),
    toTimeoutFact('server.timeout', timeoutMs),
    {
      id: 'etag',
      rule: 'etag-changed',
      at: 'server',
      label: '`ETag` of responses to GET',
      value: etag !== false,
      classes: safeIfMore,
    },
    {
      id: 'calls',
      rule: 'calls-changed',
      at: 'server',
      label: 'the inferred client',
      value: calls,
      classes: safeIfMore,
    },
    ...toCorsFacts(cors),
    ...toLimitFacts(facts),
    {
      id: 'queue prefixes',
      rule: 'queue-renamed',
      at: 'server.queue',
      label: 'prefix of queues',
      value: new Set(queuePrefixes),
    },
  ];
}

/** The form in which every answer is sent. */
function toFormatFacts({ prefix, envelope }: DocumentFacts): readonly Fact[] {
  const { dataField, errorType, validationStatus } = envelope;
  return [
    {
      id: 'prefix',
      rule: 'prefix-changed',
      at: 'server.prefix',
      label: 'prefix of every path',
      value: prefix,
    },
    {
      id: 'data field',
      rule: 'envelope-changed',
      at: 'server.data',
      label: 'field of the data',
      value: dataField || '',
    },
    {
      id: 'error type',
      rule: 'error-format-changed',
      at: 'server.failureType',
      label: 'media type of errors',
      value: errorType,
    },
    {
      id: 'validation status',
      rule: 'error-format-changed',
      at: 'server.validationStatus',
      label: 'status of bad input',
      // Neither of two statuses is less than the other.
      value: `${validationStatus}`,
    },
  ];
}

function toLimitFacts({ bodyLimits: { maxBodySize, forms } }: DocumentFacts): readonly Fact[] {
  const limits = Object.entries({ maxBodySize, ...forms });
  return [
    {
      id: 'forms',
      rule: 'body-limit-changed',
      at: 'server.multipart',
      label: 'the reading of forms',
      value: forms !== undefined,
      classes: safeIfMore,
    },
    ...limits.map(
      ([name, value]): Fact => ({
        id: `limit ${name}`,
        rule: 'body-limit-changed',
        at: `server.${name}`,
        label: `\`${name}\``,
        value,
        classes: safeIfMore,
      }),
    ),
  ];
}

function toCorsFacts(cors: DocumentFacts['cors']): readonly Fact[] {
  const isOn = cors !== false;
  return [
    {
      id: 'cors',
      rule: 'cors-changed',
      at: 'server.cors',
      label: 'CORS',
      value: isOn,
      classes: safeIfMore,
    },
    ...(isOn ? toCorsSettings(cors) : []),
  ];
}

function toCorsSettings({ exposeHeaders = '', credentials, ...lists }: CorsFacts): readonly Fact[] {
  return Object.entries({ ...lists, exposeHeaders, credentials }).map(([name, setting]): Fact => {
    const common = {
      id: `cors ${name}`,
      rule: 'cors-changed',
      at: `server.cors.${name}`,
      label: `\`${name}\` of CORS`,
      classes: safeIfMore,
    } as const;
    if (typeof setting === 'boolean') return { ...common, value: setting };
    // The order and the case of words say nothing.
    const value = new Set(setting.toLowerCase().match(/[^\s,]+/g));
    return { ...common, value, text: setting };
  });
}

/** The timeout of a server that sets none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

export function toTimeoutFact(at: string, valueMs = DEFAULT_TIMEOUT_MS): Fact {
  return {
    id: 'timeout',
    rule: 'timeout-changed',
    at,
    label: 'timeout',
    value: valueMs,
    classes: safeIfMore,
    text: `${valueMs} ms`,
  };
}
