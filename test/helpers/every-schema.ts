import * as z from 'zod';

const pair = z.object({ a: z.string(), b: z.number().optional() });
const tree: z.ZodType = z.object({
  get children() {
    return z.array(tree);
  },
});
const toLength = z.codec(z.string(), z.number(), { decode: (text) => text.length, encode: String });

/** A schema of each function of zod that makes one, by its name: `iso.date` is `z.iso.date`. */
export const schemasByMaker: Readonly<Record<string, z.core.$ZodType>> = {
  _default: z._default(z.string(), 'x'),
  any: z.any(),
  array: z.array(z.nullable(z.string())),
  base64: z.base64(),
  base64url: z.base64url(),
  bigint: z.bigint(),
  boolean: z.boolean(),
  catch: z.catch(z.string(), 'x'),
  cidrv4: z.cidrv4(),
  cidrv6: z.cidrv6(),
  codec: toLength,
  creditCard: z.creditCard(),
  cuid: z.cuid(),
  cuid2: z.cuid2(),
  currencyCode: z.currencyCode(),
  custom: z.custom<string>(),
  date: z.date(),
  deepPartial: z.deepPartial(z.object({ a: pair })),
  discriminatedUnion: z.discriminatedUnion('k', [
    z.object({ k: z.literal('a') }),
    z.object({ k: z.enum(['b', 'c']), n: z.int() }),
  ]),
  e164: z.e164(),
  email: z.email(),
  emoji: z.emoji(),
  enum: z.enum({ One: 1, Two: 'two' }),
  exactOptional: z.object({ a: z.exactOptional(z.string()) }),
  file: z.file(),
  float32: z.float32(),
  float64: z.float64(),
  fromJSONSchema: z.fromJSONSchema({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  }),
  guid: z.guid(),
  hash: z.hash('sha256'),
  hex: z.hex(),
  hostname: z.hostname(),
  httpUrl: z.httpUrl(),
  iban: z.iban(),
  instanceof: z.instanceof(URL),
  int: z.int(),
  int32: z.int32(),
  int64: z.int64(),
  intersection: z.intersection(z.object({ a: z.string() }), z.record(z.string(), z.string())),
  invertCodec: z.invertCodec(toLength),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  json: z.json(),
  jwt: z.jwt(),
  keyof: z.keyof(pair),
  ksuid: z.ksuid(),
  lazy: z.record(
    z.string(),
    z.lazy(() => tree),
  ),
  literal: z.literal([1, 'two', true, null]),
  looseObject: z.looseObject({ a: z.string() }),
  looseRecord: z.looseRecord(z.enum(['a', 'b']), z.number()),
  mac: z.mac(),
  map: z.map(z.string(), z.number()),
  nan: z.nan(),
  nanoid: z.nanoid(),
  nativeEnum: z.nativeEnum({ A: 'a', B: 'b' } as const),
  never: z.never().optional(),
  nonoptional: z.nonoptional(z.optional(z.string())),
  null: z.null(),
  nullable: z.nullable(z.string()),
  nullish: z.nullish(z.string()),
  number: z.number().gt(1).lte(5).multipleOf(0.5),
  object: z.object({ 'odd name*/': z.string() }).catchall(z.number()),
  optional: z.optional(z.string()),
  partialRecord: z.partialRecord(z.enum(['a', 'b']), z.number()),
  pipe: z.pipe(
    z.string().transform((text) => text.length),
    z.number(),
  ),
  prefault: z.prefault(z.string(), 'x'),
  preprocess: z.preprocess(String, z.string()),
  promise: z.promise(z.string()),
  readonly: z.readonly(z.array(z.string())),
  record: z.record(z.enum(['a', 'b']), z.number()),
  set: z.set(z.string()),
  strictObject: z.strictObject({ a: z.string() }),
  string: z.string().min(1).max(5).regex(/a/).regex(/b/).brand<'Id'>(),
  stringFormat: z.stringFormat('shout', /^[A-Z]+$/),
  stringbool: z.stringbool(),
  success: z.success(z.string()),
  symbol: z.symbol(),
  templateLiteral: z.templateLiteral(['a', z.number()]),
  transform: z.pipe(z.string(), z.transform(Number)),
  tuple: z.tuple([z.string(), z.number().optional()], z.boolean()),
  uint32: z.uint32(),
  uint64: z.uint64(),
  ulid: z.ulid(),
  undefined: z.undefined(),
  union: z.union([z.string(), z.array(z.null()), pair]),
  unknown: z.unknown(),
  url: z.url(),
  uuid: z.uuid(),
  uuidv4: z.uuidv4(),
  uuidv6: z.uuidv6(),
  uuidv7: z.uuidv7(),
  void: z.void(),
  xid: z.xid(),
  xor: z.xor([pair, z.object({ c: z.string() })]),
  'coerce.bigint': z.coerce.bigint(),
  'coerce.boolean': z.coerce.boolean(),
  'coerce.date': z.coerce.date(),
  'coerce.number': z.coerce.number(),
  'coerce.string': z.coerce.string(),
  'iso.date': z.iso.date(),
  'iso.datetime': z.iso.datetime(),
  'iso.duration': z.iso.duration(),
  'iso.time': z.iso.time(),
};

/** The other functions: what they are instead. */
export const otherFunctions: Readonly<
  Record<'checks' | 'programs' | 'functions', readonly string[]>
> = {
  checks: (
    'check describe endsWith gt gte includes length lowercase lt lte maxLength maxSize meta mime minLength minSize multipleOf negative ' +
    'nonnegative nonpositive normalize overwrite positive properties property refine regex size slugify startsWith superRefine toLowerCase ' +
    'toUpperCase trim uppercase'
  ).split(' '),
  programs: (
    '_ZodString clone compile config decode decodeAsync encode encodeAsync flattenError formatError getDiscriminatedOption getErrorMap input ' +
    'memoizer output parse parseAsync prettifyError registry safeDecode safeDecodeAsync safeEncode safeEncodeAsync safeParse safeParseAsync ' +
    'setErrorMap toJSONSchema toZod treeifyError validate validateAsync withParser'
  ).split(' '),
  // What it makes is a function in the program, which nothing sends.
  functions: ['function', '_function'],
};

/** The names of the functions of the zod that is installed, but for classes. */
export function zodFunctions(): readonly string[] {
  const named = (space: object, before = ''): readonly string[] =>
    Object.entries(space).flatMap(([name, value]) =>
      typeof value === 'function' && !/^(?:\$|Zod)/.test(name) ? [before + name] : [],
    );
  return [...named(z), ...named(z.iso, 'iso.'), ...named(z.coerce, 'coerce.')];
}
