/**
 * The weights of an `Accept…` header by name, in lower case: `gzip, br;q=0.5` gives 1 for `gzip` and 0.5 for `br`. A
 * weight that is not a number is ignored, and so are other parameters.
 */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const range of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== '') weights.set(name, toWeight(parameters));
  }
  return weights;
}

function toWeight(parameters: readonly string[]): number {
  const parameter = parameters.find((each) => /^q\s*=/.test(each));
  if (parameter === undefined) return 1;
  const weight = Number(parameter.slice(parameter.indexOf('=') + 1));
  return Number.isNaN(weight) ? 1 : weight;
}

/**
 * Whether a caller gets server-sent events, the first type of the document, and not lines of JSON. A caller that
 * prefers lines gets them, and so does one that accepts neither, because it most likely reads JSON.
 */
export function prefersEvents(accept: string | undefined): boolean {
  // Most callers of a stream accept anything or events alone.
  if (accept === undefined || accept === '*/*' || accept === '') return true;
  const weights = parseWeights(accept);
  const any = weights.get('*/*') ?? 0;
  const events = weights.get('text/event-stream') ?? weights.get('text/*') ?? any;
  const lines = weights.get('application/x-ndjson') ?? weights.get('application/*') ?? any;
  if (events !== lines) return events > lines;
  const namesLinesAlone = weights.has('application/x-ndjson') && !weights.has('text/event-stream');
  return events > 0 && !namesLinesAlone;
}

const contentCodings = ['br', 'gzip'] as const;

/**
 * The coding that an `Accept-Encoding` prefers, brotli of two that it likes as well; undefined where it takes neither,
 * or rather has the body as it is.
 */
export function findContentCoding(header = ''): (typeof contentCodings)[number] | undefined {
  const weights = parseWeights(header);
  const others = weights.get('*') ?? 0;
  let best: (typeof contentCodings)[number] | undefined;
  // A caller that does not name `identity` takes it where nothing better is there.
  let most = weights.get('identity') ?? 0;
  for (const coding of contentCodings) {
    const weight = weights.get(coding) ?? weights.get(`x-${coding}`) ?? others;
    const isBetter = weight > most || (weight > 0 && weight === most && best === undefined);
    if (!isBetter) continue;
    best = coding;
    most = weight;
  }
  return best;
}
