/** Reads the items of a stream out of the bytes of an answer. */
export interface StreamReader {
  /** The items that end in these bytes. */
  readonly read: (bytes: Uint8Array) => readonly unknown[];
  /** The item that the end of the answer has ended. */
  readonly end: () => readonly unknown[];
  /** The error that the stream ended with. */
  readonly failure: () => unknown;
}

/** Reads server-sent events, and lines of JSON; undefined for another type. */
export function createStreamReader(contentType: string): StreamReader | undefined {
  if (/^text\/event-stream\b/i.test(contentType)) return createReader(/\r\n\r\n|\n\n|\r\r/, readEvent);
  if (/^application\/(x-)?(ndjson|jsonl|json-lines)\b/i.test(contentType)) return createReader(/\r?\n/, readLine);
  return undefined;
}

type Part = { readonly item: unknown } | { readonly failure: unknown } | undefined;

function createReader(separator: RegExp, readPart: (text: string) => Part): StreamReader {
  const decoder = new TextDecoder();
  let rest = '';
  let failure: unknown;
  const readText = (text: string): readonly unknown[] => {
    const part = readPart(text);
    if (part !== undefined && 'failure' in part) failure = part.failure;
    return part !== undefined && 'item' in part ? [part.item] : [];
  };
  return {
    read: (bytes) => {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split(separator);
      rest = parts.pop() ?? '';
      return parts.flatMap(readText);
    },
    end: () => readText(rest),
    failure: () => failure,
  };
}

/** An event without data says that the connection lives. */
function readEvent(text: string): Part {
  const fields = text.split(/\r\n|\n|\r/).map((line) => /^(\w*):? ?(.*)$/.exec(line) ?? []);
  const find = (wanted: string) => fields.flatMap(([, name, value = '']) => (name === wanted ? [value] : []));
  const data = find('data');
  if (data.length === 0) return undefined;
  const value = parseBody(data.join('\n'));
  return find('event').at(-1) === 'error' ? { failure: value } : { item: value };
}

/** The last line of a stream that failed is the body of an error. */
function readLine(text: string): Part {
  if (text.trim() === '') return undefined;
  const value = parseBody(text);
  const isFailure = typeof value === 'object' && value !== null && /^\{"error":"[^"]+","message":/.test(text);
  return isFailure ? { failure: value } : { item: value };
}

/** A body that is no JSON is a text. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
