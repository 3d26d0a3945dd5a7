import { isSchemaObject, type SchemaJson } from '../../document/schema-json.ts';

export type ReadText = { readonly kind: 'document'; readonly document: SchemaJson } | InvalidText;

interface InvalidText {
  readonly kind: 'invalid';
  /** Line and column, to follow the name of the file: `:3:7:`; `''` where it is about the whole. */
  readonly place: string;
  /** To follow the place: `is compressed: unpack it first`. */
  readonly reason: string;
}

export function toInvalid(reason: string, place = ''): InvalidText {
  return { kind: 'invalid', place, reason };
}

/** The first bytes of what is not UTF-8: Windows writes UTF-16 by default. */
const UTF16_LITTLE = [0xff, 0xfe];
const UTF16_BIG = [0xfe, 0xff];
const GZIP = [0x1f, 0x8b];

/** Parses a document by its first bytes, whatever its file is called. */
export async function readAnyText(bytes: Uint8Array): Promise<ReadText> {
  const beginsWith = (first: readonly number[]): boolean =>
    first.every((byte, at) => bytes[at] === byte);
  if (beginsWith(GZIP)) return toInvalid('is compressed: unpack it first');
  const encoding = beginsWith(UTF16_LITTLE) ? 'utf-16le' : 'utf-8';
  // The decoder takes the mark at the beginning away.
  return readText(new TextDecoder(beginsWith(UTF16_BIG) ? 'utf-16be' : encoding).decode(bytes));
}

async function readText(text: string): Promise<ReadText> {
  if (/^(<<<<<<<|>>>>>>>) /m.test(text))
    return toInvalid('has the marks of a merge: `capix lock` writes a lock file anew');
  try {
    const value: unknown = /^\s*[{[]/.test(text) ? parseJson(text) : await readYaml(text);
    if (isSchemaObject(value)) return { kind: 'document', document: value };
    return toInvalid('is neither JSON nor YAML');
  } catch (error) {
    const { message, offset } = error as SyntaxFault;
    return toInvalid(message, toPlace(text, offset));
  }
}

/** A text that cannot be parsed. */
class SyntaxFault extends Error {
  /** The number of characters before the fault. */
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

async function readYaml(text: string): Promise<unknown> {
  const { default: yaml } = await import('yaml');
  // Everybody else reads the merge keys of YAML 1.1, too.
  const document = yaml.parseDocument(text, { merge: true });
  const [error] = document.errors;
  if (error !== undefined) throw new SyntaxFault(toFirstSentence(error.message), error.pos[0]);
  try {
    return document.toJS();
  } catch (problem) {
    throw new SyntaxFault((problem as Error).message, 0);
  }
}

/** `Flow map must end with a } at line 2, column 3:\n\n…` without the place and the lines below it. */
function toFirstSentence(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const offset = findJsonFault(text);
    const character = text[offset];
    const found = character === undefined ? 'the end of the file' : JSON.stringify(character);
    throw new SyntaxFault(`${found} is not expected here in JSON`, offset);
  }
}

/**
 * Finds the offset of the first character that makes a text no JSON. Node names it for some faults only. But of every
 * beginning of a text Node says whether more characters could complete it: they can up to the fault, and never behind
 * it. So a binary search finds the fault.
 */
function findJsonFault(text: string): number {
  let [whole, broken] = [0, text.length + 1];
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2);
    if (isBeginning(text.slice(0, middle))) whole = middle;
    else broken = middle;
  }
  return whole;
}

/** Whether a text is JSON, or becomes it where it goes on. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    return at === undefined
      ? /^Unexpected end|^Unterminated/.test(message)
      : Number(at) >= text.length;
  }
}

/** `:3:7:` */
function toPlace(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}:`;
}
