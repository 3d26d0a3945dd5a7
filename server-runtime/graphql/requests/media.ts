import { parseWeights } from '../../http/accept.ts';

/** The form of a whole answer: with the first, the status says whether the document was run. */
type WholeType = 'application/graphql-response+json' | 'application/json';

/** The forms that a caller takes. */
export interface TakenForms {
  readonly whole: WholeType | undefined;
  /** Whether it takes server-sent events. */
  readonly events: boolean;
}

const OWN = 'application/graphql-response+json';

/** Reads `Accept`. A caller that says nothing, or takes anything, gets `application/json`. */
export function toTakenForms(accept = ''): TakenForms {
  const weights = parseWeights(accept.trim() || 'application/json');
  const weigh = (...names: readonly string[]): number =>
    weights.get(names.find((name) => weights.has(name)) ?? '') ?? 0;
  const own = weigh(OWN);
  const json = weigh('application/json', 'application/*', '*/*');
  const whole = own >= json ? OWN : 'application/json';
  return {
    whole: own + json > 0 ? whole : undefined,
    events: weigh('text/event-stream', 'text/*') > 0,
  };
}
