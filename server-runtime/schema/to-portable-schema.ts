import { joinWords, type MarkedSchema, mapSubschemas } from './json-schema.ts';
import { toPortablePattern } from './portable-pattern.ts';

/**
 * The schema in keywords that other validators read as they are meant, so that they admit every value that the schema
 * admits. Rules that they would refuse or do not know become words.
 */
export function toPortableSchema(original: MarkedSchema): MarkedSchema {
  const json: MarkedSchema = mapSubschemas(original, toPortableSchema);
  rewriteFormat(json);
  rewritePattern(json);
  rewriteNames(json);
  rewriteStep(json);
  rewriteTuple(json);
  const texts = json['x-capix-texts'];
  if (texts !== undefined) json['x-capix-texts'] = toPortableSchema(texts);
  return json;
}

/** The formats that Ajv knows with ajv-formats, or that OpenAPI defines. */
const knownFormats = new Set(
  (
    'date time date-time duration uri-reference uri-template hostname email ipv4 ipv6 regex uuid ' +
    'json-pointer relative-json-pointer byte binary password int32 int64 float double'
  ).split(' '),
);

/** Formats for which libraries write no expression, or one that refuses values which they take (zod for `cidrv6`). */
const patterns: Readonly<Record<string, { readonly pattern: string; readonly words: string }>> = {
  uri: { pattern: String.raw`^\s*[A-Za-z][A-Za-z0-9+.\-]*:`, words: 'A URL.' },
  jwt: { pattern: String.raw`^[^.]+\.[^.]*\.[^.]*$`, words: 'A JWT.' },
  cidrv6: { pattern: String.raw`^[\da-fA-F:.]+\/\d{1,3}$`, words: 'A block of IPv6 addresses.' },
};

/** The format `uri` admits less than `URL` does: no letters beyond ASCII, blanks, brackets or bars. */
function rewriteFormat(json: MarkedSchema): void {
  const { format, pattern, allOf } = json;
  if (typeof format !== 'string' || knownFormats.has(format)) return;
  delete json['format'];
  const known = patterns[format];
  if (known !== undefined) {
    addWords(json, known.words);
    if ((pattern ?? allOf) === undefined || format === 'cidrv6') json['pattern'] = known.pattern;
  } else if ((pattern ?? allOf) === undefined) addWords(json, `In the format ${format}.`);
}

function rewritePattern(json: MarkedSchema): void {
  const { pattern } = json;
  if (typeof pattern !== 'string') return;
  const portable = toPortablePattern(pattern);
  if (portable === pattern) return;
  delete json['pattern'];
  if (portable === undefined) addWords(json, `Matches /${pattern}/.`);
  else json['pattern'] = portable;
}

/** Expressions for names of fields. Where one of them cannot be written, the others admit any field. */
function rewriteNames(json: MarkedSchema): void {
  const named = json['patternProperties'] as Readonly<Record<string, unknown>> | undefined;
  if (named === undefined) return;
  const portable: Record<string, unknown> = {};
  for (const [pattern, field] of Object.entries(named)) {
    const written = toPortablePattern(pattern);
    if (written !== undefined) portable[written] = field;
    else {
      delete json['additionalProperties'];
      addWords(json, `The names of further fields match /${pattern}/.`);
    }
  }
  json['patternProperties'] = portable;
}

/** Divisions by 0.5 or 0.25 are exact; by 0.01 they are not: 19.99 is a multiple for zod, and not for others. */
function rewriteStep(json: MarkedSchema): void {
  const { multipleOf: step } = json;
  if (step === undefined || Number.isInteger((step as number) * 1024)) return;
  delete json['multipleOf'];
  addWords(json, `A multiple of ${JSON.stringify(step)}.`);
}

/**
 * `maxItems` closes a tuple as `items: false` does, which older readers apply to every item. JSON Schema has no tuple
 * of nothing.
 */
function rewriteTuple(json: MarkedSchema): void {
  const { prefixItems, items, maxItems = Number.POSITIVE_INFINITY } = json;
  if (!Array.isArray(prefixItems)) return;
  if (prefixItems.length === 0) delete json['prefixItems'];
  if (items !== false) return;
  delete json['items'];
  json['maxItems'] = Math.min(maxItems as number, prefixItems.length);
}

function addWords(json: MarkedSchema, words: string): void {
  json['x-capix-words'] = joinWords(json['x-capix-words'], words);
}
