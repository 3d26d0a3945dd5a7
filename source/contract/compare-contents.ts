import {
  type ApiSchema,
  anything,
  type Branch,
  isFile,
  isPlain,
  toObjectSchema,
  toTarget,
} from '../document/branch.ts';
import { isSameJson } from '../document/fits-branch.ts';
import type { ApiContent, ApiOperation } from '../document/operations/api-operation.ts';
import { isJson } from '../document/operations/to-response.ts';
import { findOnlyBranch, isAnything, toBranches } from '../document/read-branches.ts';
import { recordOf } from '../document/schema-json.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  type Fact,
} from './changes/contract-change.ts';
import {
  compareParts,
  compareSchemas,
  pairBy,
  type SchemaPlace,
} from './schemas/compare-schemas.ts';

/** A content with the name by which both documents know it: its media type without a charset. */
interface NamedContent extends ApiContent {
  readonly name: string;
}

/**
 * Names contents by their media types, without letter case and charset. Where a document has one type twice, with other
 * charsets, each has its full name.
 */
export function toNamedContents(contents: readonly ApiContent[]): readonly NamedContent[] {
  const names = contents.map(({ mediaType }) => toTypeName(mediaType));
  return contents.map((content, at) => {
    const name = names[at] ?? content.mediaType;
    const isOnly = names.indexOf(name) === names.lastIndexOf(name);
    return { ...content, name: isOnly ? name : content.mediaType.toLowerCase() };
  });
}

function toTypeName(mediaType: string): string {
  const type = mediaType.toLowerCase().replace(/\s*;\s*(charset|boundary)=[^;]*/g, '');
  return type.trim();
}

interface ContentPair {
  readonly before: ApiContent;
  readonly after: NamedContent;
}

/**
 * Compares the bodies of documents that the tool did not write: each media type with the same one of the other
 * document, in any order. A change of the first JSON body stands at the place of the body. That of another media type
 * names the type, and is left out where the type has the schema of the first.
 */
export function compareContents(
  older: readonly ApiContent[],
  newer: readonly ApiContent[],
  { at, direction }: SchemaPlace,
): readonly ContractChange[] {
  const pairs = pairBy(toNamedContents(older), toNamedContents(newer), ({ name }) => name);
  const main = pairs.find(({ after }) => isJson(after.name)) ?? pairs[0];
  return pairs.flatMap((pair) => {
    if (pair === main) return comparePair(pair, { at, direction });
    const isRepeated = main !== undefined && isSameContent(pair, main);
    return isRepeated ? [] : comparePair(pair, { at: `${at} as ${pair.after.name}`, direction });
  });
}

function comparePair(
  { before, after }: ContentPair,
  place: SchemaPlace,
): readonly ContractChange[] {
  const areStreams = before.items !== undefined && after.items !== undefined;
  const isStream = before.items !== undefined || after.items !== undefined;
  const other = before.items === undefined ? before : after;
  if (areStreams || (isStream && isAnything(other.schema)))
    return compareSchemas(before.items ?? anything, after.items ?? anything, place);
  // Before OpenAPI 3.2 there was no word for the items of a stream, whose whole is a text.
  if (isStream && isText(other)) return [];
  return compareWholeContents(before, after, place);
}

function compareWholeContents(
  before: ApiContent,
  after: ApiContent,
  place: SchemaPlace,
): readonly ContractChange[] {
  const bytes = findBytes(before);
  const bytesNow = findBytes(after);
  return bytes && bytesNow
    ? compareSchemas(toFile(bytes, bytesNow), toFile(bytesNow, bytes), place)
    : compareSchemas(before.schema, after.schema, place);
}

/** The bytes of a media type, which OpenAPI 3.0 calls a text, and 3.1 nothing; undefined for a text or a value. */
function findBytes({ mediaType, schema }: ApiContent): Branch | undefined {
  if (/json|xml|^text\/|form/i.test(mediaType)) return undefined;
  const [only, ...others] = toBranches(schema);
  if (only === undefined || others.length > 0) return undefined;
  const isUntyped = recordOf(toTarget(schema))['type'] === undefined;
  const isBinary =
    only.type === 'string' &&
    only.encoding === undefined &&
    (isFile(only) || only.mediaTypes.length > 0 || isUntyped);
  return isBinary || isPlain(only) ? only : undefined;
}

/** Bytes in the words of OpenAPI 3.0. A media type that the other side does not say is the same. */
function toFile(branch: Branch, other: Branch): ApiSchema {
  const { counts, mediaTypes } = branch.type === 'string' ? branch : noLimits;
  const isTyped = other.type === 'string' && other.mediaTypes.length > 0;
  const contentMediaType = isTyped ? mediaTypes[0] : undefined;
  const json = { type: 'string', format: 'binary', ...counts, contentMediaType };
  return { ...branch.schema, json };
}

const noLimits = { counts: {}, mediaTypes: [] as readonly string[] };

function isText({ schema }: ApiContent): boolean {
  return findOnlyBranch(schema)?.type === 'string';
}

function isSameContent(one: ContentPair, other: ContentPair): boolean {
  return (
    isSameJson(one.before.schema.json, other.before.schema.json) &&
    isSameJson(one.after.schema.json, other.after.schema.json)
  );
}

/** Compares the calls that a server makes at addresses which requests of this operation name. */
export function compareCallbacks(
  before: ApiOperation,
  after: ApiOperation,
): readonly ContractChange[] {
  const older = before.callbacks;
  const newer = after.callbacks;
  const toNames = (calls: readonly ApiOperation[]) => calls.map(({ key }) => `callback \`${key}\``);
  return [
    ...compareMembers(toNames(older), toNames(newer), {
      at: 'callbacks',
      added: 'callback-added',
      removed: 'callback-removed',
    }),
    ...pairBy(older, newer, ({ key }) => key).flatMap((pair) =>
      compareParts({ ...pair, root: after.document }, (component) => {
        const at = component ?? `callbacks.${pair.after.path.split(' ')[0]}`;
        return compareCall(pair.before, pair.after, at);
      }),
    ),
  ];
}

/**
 * Compares a call that the server makes (a webhook or a callback). Its receiver reads the body as callers read a
 * response, and sends back what the server reads like a request.
 */
export function compareCall(
  before: ApiOperation,
  after: ApiOperation,
  at: string,
): readonly ContractChange[] {
  const older = before.body?.contents ?? [];
  const newer = after.body?.contents ?? [];
  return [
    ...compareFacts([toTypeFact(older, at)], [toTypeFact(newer, at)]),
    ...compareSchemas(toSent(before), toSent(after), { at, direction: 'output' }),
    ...compareContents(older, newer, { at, direction: 'output' }),
    ...pairBy(toAnswers(before), toAnswers(after), ({ status }) => status).flatMap(
      ({ before: old, after: { status, contents } }) =>
        compareContents(old.contents, contents, {
          at: `${at}.answers.${status}`,
          direction: 'input',
        }),
    ),
  ];
}

function toAnswers({ responses, errors }: ApiOperation) {
  return [...responses, ...errors];
}

/** The headers and the query that the server sends. */
function toSent({ parameters, document }: ApiOperation) {
  const fields = parameters.map(({ name, in: place, ...parameter }) => ({
    ...parameter,
    name: `${place} ${name}`,
  }));
  return toObjectSchema(fields, document);
}

function toTypeFact(contents: readonly ApiContent[], at: string): Fact {
  return toMediaTypeFact(contents, { at, label: 'media type of what is sent' });
}

/** Readers of the old media types are not ready for another one. */
export function toMediaTypeFact(
  contents: readonly ApiContent[],
  words: Pick<Fact, 'at' | 'label'>,
): Fact {
  return {
    id: 'media types',
    rule: 'response-type-changed',
    ...words,
    value: new Set(toNamedContents(contents).map(({ name }) => name)),
    classes: { more: 'risky' },
  };
}
